//! Per turn: calls whose arguments did not validate, and which results are empty.

use serde_json::json;

use super::*;

fn id(id: &str) -> CallId {
    CallId::new(id).unwrap()
}

#[test]
fn a_flood_of_arguments_that_do_not_fit_is_bounded_and_hides_nothing_else() {
    let mut history = CallHistory::default();
    let first = id("c1");
    let before = history.push(("act".into(), 1), Some((&first, 0)), CallEnd::Running);
    let mut last = before;
    for signature in 0..10_000 {
        last = history.push(("look".into(), 2), None, CallEnd::InvalidArguments { signature });
    }
    let after = history.push(("act".into(), 3), None, CallEnd::Running);
    history.end(after, CallEnd::Empty);
    history.end(before, CallEnd::Failed { signature: 7, retryable: true });
    let calls: Vec<_> = history.current().calls().collect();
    assert_eq!(calls.len(), MAX_INVALID + 2);
    assert_eq!(calls[0].ended, CallEnd::Failed { signature: 7, retryable: true });
    assert_eq!(
        calls[1].ended,
        CallEnd::InvalidArguments { signature: 10_000 - MAX_INVALID as u64 }
    );
    assert_eq!((calls[MAX_INVALID].at, &calls[MAX_INVALID + 1].ended), (last.at, &CallEnd::Empty));
    assert!(history.current().has(("act", 1), &first));
    assert_eq!(history.current().attempt(("act", 1), &id("c2")), 1);
}

#[test]
fn the_end_of_a_call_that_is_forgotten_does_not_matter() {
    let mut history = CallHistory::default();
    let forgotten =
        history.push(("look".into(), 1), None, CallEnd::InvalidArguments { signature: 0 });
    for signature in 1..=MAX_INVALID as u64 {
        history.push(("look".into(), 1), None, CallEnd::InvalidArguments { signature });
    }
    history.end(forgotten, CallEnd::Empty);
    assert!(history.current().calls().all(|call| call.ended.is_invalid_arguments()));
}

#[test]
fn notes_about_a_search_are_no_result() {
    for empty in [
        json!(null),
        json!(" "),
        json!([]),
        json!({}),
        json!({ "results": [] }),
        json!({ "results": [], "query_time_ms": 3, "ranking": "words", "missing": [] }),
    ] {
        assert!(is_empty_result(&empty), "{empty}");
    }
    for full in [
        json!(0),
        json!({ "results": [1] }),
        json!({ "results": [], "missing": [{ "id": "doc:none" }] }),
        json!({ "results": [], "by_type": { "doc": 4 } }),
        json!({ "query_time_ms": 3 }),
    ] {
        assert!(!is_empty_result(&full), "{full}");
    }
}
