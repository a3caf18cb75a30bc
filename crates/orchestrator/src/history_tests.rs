//! What a turn remembers of a model that does not get its arguments right.

use super::*;

fn id(id: &str) -> CallId {
    CallId::new(id).unwrap()
}

#[test]
fn a_flood_of_arguments_that_do_not_fit_is_bounded_and_hides_nothing_else() {
    let mut history = CallHistory::default();
    let (first, flooding) = (id("c1"), ("look", 2));
    let before = history.push(("act", 1), Some((&first, 0)), CallEnd::Running);
    let mut last = before;
    for signature in 0..10_000 {
        last = history.push(flooding, None, CallEnd::Unfit { signature });
    }
    let after = history.push(("act", 3), None, CallEnd::Running);
    history.end(after, CallEnd::Empty);
    history.end(before, CallEnd::Failed { signature: 7, retryable: true });
    let calls: Vec<_> = history.current().calls().collect();
    assert_eq!(calls.len(), MOST_UNFIT + 2);
    assert_eq!(calls[0].ended, CallEnd::Failed { signature: 7, retryable: true });
    assert_eq!(calls[1].ended, CallEnd::Unfit { signature: 10_000 - MOST_UNFIT as u64 });
    assert_eq!((calls[MOST_UNFIT].at, &calls[MOST_UNFIT + 1].ended), (last.at, &CallEnd::Empty));
    assert!(history.current().has(("act", 1), &first));
    assert_eq!(history.current().attempt(("act", 1), &id("c2")), 1);
}

#[test]
fn the_end_of_a_call_that_is_forgotten_does_not_matter() {
    let mut history = CallHistory::default();
    let forgotten = history.push(("look", 1), None, CallEnd::Unfit { signature: 0 });
    for signature in 1..=MOST_UNFIT as u64 {
        history.push(("look", 1), None, CallEnd::Unfit { signature });
    }
    history.end(forgotten, CallEnd::Empty);
    assert!(history.current().calls().all(|call| call.ended.is_unfit()));
}
