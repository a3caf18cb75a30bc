//! Words that are a retraction, and words that are not.

use super::{Certainty, Reach};
use crate::yes_no::Grammar;

fn check(text: &str, expected: Option<(Certainty, Reach)>) {
    let found = Grammar::english().retracts(text);
    assert_eq!(found.map(|it| (it.certainty, it.reach)), expected, "{text}");
}

#[test]
fn words_that_take_it_back_are_understood() {
    for text in [
        "actually cancel that",
        "Actually, cancel that please.",
        "never mind",
        "Oh wait, forget it",
        "cancel",
        "no thanks, cancel it",
        "scratch that",
        "I changed my mind",
        "hmm, on second thought let's leave it for now",
        "please don\u{2019}t book it",
    ] {
        check(text, Some((Certainty::Said, Reach::Newest)));
    }
}

#[test]
fn words_that_put_something_else_in_its_place_are_understood() {
    for text in [
        "no wait, make it Wednesday",
        "Actually make it 3pm",
        "wait, make it Wednesday",
        "can we make it Wednesday instead?",
        "No, the second one",
        "No.",
        "let's do Thursday instead",
        "sorry, change it to an hour",
    ] {
        check(text, Some((Certainty::Implied, Reach::Newest)));
    }
}

#[test]
fn everything_is_taken_back_if_they_say_so() {
    check("cancel both of them", Some((Certainty::Said, Reach::All)));
    check("cancel that, forget everything", Some((Certainty::Said, Reach::All)));
    check("I changed my mind about all of them", Some((Certainty::Said, Reach::All)));
}

#[test]
fn words_about_something_else_take_nothing_back() {
    for text in [
        "who is the lighting lead?",
        "Actually, who is the lighting lead?",
        "should I cancel that?",
        "what happens when I cancel it",
        "1",
        "the first",
        "yes please",
        "let's do it",
        "make it so",
        "what did she do instead?",
        "wait",
        "book a meeting with Mira tomorrow",
        "Cancel the 3pm meeting with Bob",
        "no problem",
        "is there no way to add Bob",
        "how do I never mind",
        "",
    ] {
        check(text, None);
    }
}
