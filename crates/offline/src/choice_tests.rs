//! Which offer is taken.

use super::super::word::fold;
use super::*;

fn offers() -> Vec<Vec<String>> {
    let names = |names: &str| names.split(' ').map(str::to_owned).collect();
    vec![
        names("tuesday 17 november 10 00 10am am"),
        names("tuesday 17 november 14 00 2 2pm pm"),
        names("wednesday 18 november 10 00 10am am"),
    ]
}

fn check(words: &str, expected: Option<Choice>) {
    assert_eq!(of(&fold(words), &offers()), expected, "{words}");
}

#[test]
fn ordinals_names_and_refusals_are_understood() {
    check("book the first one", Some(Choice::Take(0)));
    check("yes, the second", Some(Choice::Take(1)));
    check("number 3 please", Some(Choice::Take(2)));
    check("2", Some(Choice::Take(1)));
    check("the last one", Some(Choice::Take(2)));
    check("Wednesday, please", Some(Choice::Take(2)));
    check("Tuesday at 14:00", Some(Choice::Take(1)));
    check("the one at 2 pm", Some(Choice::Take(1)));
    check("then rather the second one", Some(Choice::Take(1)));
    check("no, forget it", Some(Choice::Decline));
    check("no thanks", Some(Choice::Decline));
    check("no, thank you", Some(Choice::Decline));
    check("no, the second one", Some(Choice::Take(1)));
    check("the second one, no wait, the first", Some(Choice::Take(0)));
    check("the first, sorry, the last one", Some(Choice::Take(2)));
    check("wait, the third", Some(Choice::Take(2)));
    check("n", Some(Choice::Decline));
    check("no, sorry", Some(Choice::Decline));
}

#[test]
fn a_choice_that_does_not_say_which_is_not_made() {
    check("go ahead", Some(Choice::Unclear));
    check("go", Some(Choice::Unclear));
    check("y", Some(Choice::Unclear));
    check("yes please", Some(Choice::Unclear));
    check("Tuesday", Some(Choice::Unclear));
    check("not the first one", Some(Choice::Unclear));
    check("the first or", None);
    check("the first and the second", Some(Choice::Unclear));
    check("the fifth", Some(Choice::Unclear));
    assert_eq!(of(&fold("yes, do it"), &[Vec::new()]), Some(Choice::Take(0)));
}

#[test]
fn one_word_that_does_not_choose_makes_it_another_message() {
    for words in [
        "who is the lighting lead?",
        "What is 2 plus 2?",
        "Find 2 people in lighting",
        "okay, and who leads Lantern?",
        "what weekday is 3 February 2027?",
        "How many days of vacation do I have? no idea",
        "draw the first snow",
        "do you like it?",
        "is it okay?",
        "wait, who is the lighting lead? the first",
        "make me a picture",
        "thanks!",
        "thank you",
        "great",
        "",
    ] {
        check(words, None);
    }
}

#[test]
fn a_plain_yes_names_nothing() {
    assert!(agreed(&fold("yes, go ahead")));
    for words in ["yes, the first", "no", "okay, who leads Lantern?", "thanks"] {
        assert!(!agreed(&fold(words)), "{words}");
    }
}
