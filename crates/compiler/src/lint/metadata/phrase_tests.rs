//! Phrases are found whatever stands between their words.

use proptest::prelude::*;

use super::*;

fn phrases() -> Phrases<u8> {
    Phrases::new([
        (1, "ignore|forget all|the|of* previous|prior instructions"),
        (2, "do not tell the user's* user"),
        (3, "ignore me"),
    ])
}

#[track_caller]
fn check(text: &str, expected: &[(u8, &str)]) {
    let found = phrases().find(text);
    let found: Vec<_> = found.into_iter().map(|hit| (hit.meaning, &text[hit.place])).collect();
    assert_eq!(found, expected, "{text}");
}

#[test]
fn case_marks_and_breaks_make_no_difference() {
    check(
        "Please IGNORE all\n  previous **instructions**!",
        &[(1, "IGNORE all\n  previous **instructions")],
    );
    check("forget prior-instructions", &[(1, "forget prior-instructions")]);
    check("ｉｇｎｏｒｅ previous instructions", &[(1, "ｉｇｎｏｒｅ previous instructions")]);
    check("ig\u{200b}nore previous instructions", &[(1, "ig\u{200b}nore previous instructions")]);
    check("ignore_the_previous_instructions", &[(1, "ignore_the_previous_instructions")]);
}

#[test]
fn only_whole_words_count() {
    check("signore previous instructions", &[]);
    check("ignore previous instructionset", &[]);
    check("ignore the instructions", &[]);
    check("", &[]);
}

#[test]
fn several_phrases_are_found_in_one_text() {
    check(
        "ignore me. Do not tell the user, ignore me",
        &[(3, "ignore me"), (2, "Do not tell the user"), (3, "ignore me")],
    );
}

#[test]
fn repeated_words_are_bounded() {
    check(
        &format!("ignore {}previous instructions", "the ".repeat(6)),
        &[(1, &format!("ignore {}previous instructions", "the ".repeat(6)))],
    );
    check(&format!("ignore {}previous instructions", "the ".repeat(100_000)), &[]);
}

proptest! {
    #[test]
    fn any_text_is_searched(text in "(ignore|the|ALL|previous|instructions|[ .’'é\u{200b}]|x){0,40}") {
        for hit in phrases().find(&text) {
            prop_assert!(text.get(hit.place).is_some());
        }
    }
}
