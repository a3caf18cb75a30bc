//! Which decisions count as equal, and which do not.

use aileron_contract::CallId;

use super::*;

const LATE: &str = "[This is not from the person. It is a result. Tool: book_room. Call: call-000001. Result: \
{\"output\":{\"booked\":\"Orion\"}} Take it into account.]";

fn asked(conversation: &str, token: &str) -> (ConversationId, ConversationEvent) {
    let request = serde_json::from_value(json!({
        "token": token, "expires": token.len(), "tool": "book_room", "args": {}, "preview": "Book it",
    }));
    let event = ConversationEvent::ConfirmationRequested(Box::new(request.unwrap()));
    (ConversationId::new(conversation).unwrap(), event)
}

fn given(results: &[(&str, Value)]) -> Decisions {
    let mut views = Views::default();
    for (call, result) in results {
        views.result(&CallId::new(*call).unwrap(), result);
    }
    Decisions::new(&[], &[], &views)
}

#[test]
fn ids_tokens_and_times_are_the_same_by_their_order() {
    let own =
        Decisions::new(&[asked("a", "id1.sig"), asked("b", "id2.sig")], &[], &Views::default());
    let other =
        Decisions::new(&[asked("v-1", "x.y"), asked("v-2", "yy.zz")], &[], &Views::default());
    assert_eq!(difference(&own, &other), None);
    let same =
        Decisions::new(&[asked("a", "id1.sig"), asked("a", "id1.sig")], &[], &Views::default());
    assert!(difference(&own, &same).unwrap().contains("the audience is told"));
}

#[test]
fn a_result_is_given_once_and_as_it_is() {
    let own = given(&[("call-000001", json!({ "output": { "n": 1 } }))]);
    let as_text = given(&[("call-000001", json!("{\"output\":{\"n\":1}}"))]);
    let bare = given(&[("call-000001", json!({ "n": 1 }))]);
    assert_eq!((difference(&own, &as_text), difference(&own, &bare)), (None, None));
    let result = ("call-000001", json!({ "n": 1 }));
    assert!(difference(&own, &given(&[result.clone(), result])).is_some());
    assert!(difference(&own, &given(&[])).unwrap().contains("nothing more"));
    assert!(difference(&own, &given(&[("call-000001", json!({ "n": 2 }))])).is_some());
}

#[test]
fn words_that_carry_results_are_told_from_others() {
    let carried = [("call-000001".to_owned(), json!({ "output": { "booked": "Orion" } }))];
    assert_eq!(late(LATE), carried);
    assert_eq!(late(&format!("{LATE}\n\nWhere were we?")), carried);
    assert_eq!(late("Book Orion"), []);
}
