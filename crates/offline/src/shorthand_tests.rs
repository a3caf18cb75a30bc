//! Short forms of a chat.

use super::written_out;

#[test]
fn short_forms_are_written_out_and_given_text_is_kept() {
    for (text, expected) in [
        ("pls book 30mins w Mira tmrw 10am", "please book 30mins with Mira tomorrow 10am"),
        ("me n jon w/ana, an hr?", "me and jon with ana, an hour?"),
        ("n", "n"),
        ("Extract contacts from: u & w", "Extract contacts from: u & w"),
    ] {
        assert_eq!(written_out(text), expected);
    }
}
