//! Words and their forms.

use super::*;

#[test]
fn phrases_are_found_as_whole_words() {
    let folded = fold("Who's the lighting-lead, please?");
    assert_eq!(folded, " whos the lighting lead please ");
    assert!(has(&folded, "lighting lead") && !has(&folded, "light") && !has(&folded, "ease"));
    assert!(!has(&fold("abc abcd"), "bc"));
}

#[test]
fn words_that_say_nothing_are_left_out() {
    assert_eq!(telling("Who is the lighting lead?"), ["lighting", "lead"]);
    assert_eq!(telling("When is Nora's birthday?"), ["Nora", "birthday"]);
    assert_eq!(telling("山田遥"), ["山田遥"]);
    assert_eq!(telling("atl_s020_0140_light_v007.usd"), ["atl_s020_0140_light_v007.usd"]);
    assert!(telling("who is it?").is_empty());
}

#[test]
fn forms_of_a_word_share_a_stem() {
    for (one, other) in [
        ("delivery", "delivered"),
        ("project", "projects"),
        ("lighting", "lighted"),
        ("review", "reviews"),
    ] {
        assert_eq!(stem(one), stem(other));
    }
    assert_ne!(stem("mira"), stem("mirea"));
}
