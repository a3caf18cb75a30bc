//! A word is the same in all its spellings.

use super::*;

#[track_caller]
fn check(text: &str, words: &[&str]) {
    assert_eq!(split(text), words, "{text:?}");
}

#[test]
fn case_punctuation_and_space_do_not_matter() {
    check("  Yes,\t\u{a0}PLEASE!\n", &["yes", "please"]);
    check("\"Yes.\" -- (okay)…", &["yes", "okay"]);
    check("¡Yes! «ok» 。", &["yes", "ok"]);
    check("yes/no", &["yes", "no"]);
    check("", &[]);
    check(" .,!… ", &[]);
}

#[test]
fn apostrophes_are_one() {
    for text in ["don't", "don’t", "don‘t", "donʼt", "don＇t", "don`t", "don´t", "DON′T"] {
        check(text, &["don't"]);
    }
    check("'yes' ‘ok’", &["yes", "ok"]);
}

#[test]
fn width_and_what_is_invisible_do_not_matter() {
    check("ＹＥＳ　ｐｌｅａｓｅ！", &["yes", "please"]);
    check("\u{feff}y\u{200b}es", &["yes"]);
}

#[test]
fn what_is_no_punctuation_stays() {
    check("yes & no", &["yes", "&", "no"]);
    check("yes 👍 50%", &["yes", "👍", "50%"]);
    check("<noise> yes", &["<noise>", "yes"]);
}

#[test]
fn question_marks_of_any_script_ask() {
    for text in ["yes?", "yes？", "¿yes", "yes؟", "yes⁉", "yes‽"] {
        assert!(asks(text), "{text}");
    }
    assert!(!asks("yes!"));
}
