//! The forms, the order and the bound.

use super::*;

#[test]
fn each_form_is_the_one_of_its_name() {
    for (form, expected) in [
        ("NFC", "\u{e9}\u{fb01}"),
        ("NFD", "e\u{301}\u{fb01}"),
        ("NFKC", "\u{e9}fi"),
        ("NFKD", "e\u{301}fi"),
    ] {
        assert_eq!(normalized("e\u{301}\u{fb01}", form, 100).as_deref(), Some(expected), "{form}");
    }
}

#[test]
fn a_text_that_grows_past_the_bound_is_refused() {
    assert_eq!(normalized("\u{fdfa}\u{fdfa}", "NFKD", 40), None);
    assert!(normalized("\u{fdfa}", "NFKD", 40).is_some());
}

#[test]
fn texts_compare_by_code_points_of_their_composed_form() {
    assert_eq!(compared("e\u{301}", "\u{e9}"), 0);
    assert_eq!(compared("a", "b"), -1);
    assert_eq!(compared("\u{1f600}", "\u{fffd}"), 1);
}
