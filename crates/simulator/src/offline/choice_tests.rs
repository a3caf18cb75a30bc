//! Which offer is taken.

use super::super::word::fold;
use super::*;

fn check(words: &str, expected: Option<Choice>) {
    assert_eq!(of(&fold(words), 3), expected, "{words}");
}

#[test]
fn ordinals_agreement_and_refusal_are_understood() {
    check("book the first one", Some(Choice::Take(0)));
    check("yes, the second", Some(Choice::Take(1)));
    check("number 3 please", Some(Choice::Take(2)));
    check("the last one", Some(Choice::Take(2)));
    check("go ahead", Some(Choice::Take(0)));
    check("no, forget it", Some(Choice::Decline));
    check("the fifth", None);
    check("who is the lighting lead?", None);
}
