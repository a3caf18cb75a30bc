//! Orders, wishes and headings told apart.

use super::*;

#[test]
fn courtesies_and_wishes_stand_before_what_is_asked() {
    assert_eq!(order(&fold("Okay, could you please draw a boat?")), "draw a boat");
    assert_eq!(wish(&fold("I'd like to schedule a call")), "schedule a call");
    assert_eq!(order(&fold("I'd like to schedule a call")), "id like to schedule a call");
    assert!(is_question(&fold("okay, and who leads Lantern?")));
}

#[test]
fn an_order_has_somebody_or_something_to_be_done_to() {
    let verbs = ["delete", "email", "print"];
    for text in ["Delete the event", "please email Mira", "Email Mira Holt", "can you print this"] {
        assert!(is_order(text, &verbs), "{text}");
    }
    for text in ["delete key", "email policy", "print queue", "How do I delete a file?", "print"] {
        assert!(!is_order(text, &verbs), "{text}");
    }
}
