//! Leases: a conversation has one owner, and an ended one stays ended.

use std::sync::Arc;

use aileron_store::{
    AcquireResult, CallScope, CallStart, Lease, PendingConfirmation, PendingWrite, SaveResult,
    Store, StoreError, StoredConversation, TakeRecord, TakeResult,
};
use serde_json::{Value, json};

use crate::conformance;
use crate::sample::{self, READS, WRITES, call, conversation, user};
use crate::subject::{run, settle, start};

conformance!(
    a_conversation_begins_once_and_has_an_owner,
    whoever_acquires_a_conversation_takes_it_from_the_owner_before,
    a_former_owner_saves_nothing,
    a_former_owner_saves_nothing_at_the_version_of_the_next,
    a_former_owner_begins_no_call,
    a_former_owner_takes_no_question,
    an_end_takes_the_questions_with_it,
    an_approved_call_that_waits_for_its_turn_has_not_begun,
    an_ended_conversation_stays_ended,
    no_call_of_an_ended_conversation_begins,
    a_conversation_that_is_not_there_has_no_owner,
    calls_that_run_are_told_to_the_next_owner,
);

fn begin(store: &dyn Store, id: &str) -> Option<Lease> {
    let (id, ada) = (conversation(id), user("ada"));
    store.begin_conversation(&id, Some(&ada), Arc::new(json!({"turn": 0})), 7).wait().unwrap()
}

fn acquire(store: &dyn Store, id: &str) -> AcquireResult {
    store.acquire(&conversation(id)).wait().unwrap()
}

fn owner(acquired: AcquireResult) -> (Lease, StoredConversation) {
    match acquired {
        AcquireResult::Owner(lease, document) => (lease, document),
        other => panic!("expected to be the owner, found {other:?}"),
    }
}

fn save(store: &dyn Store, expected: u64, body: Value) -> SaveResult {
    save_under(store, &Lease::unowned(), expected, body)
}

fn save_under(store: &dyn Store, lease: &Lease, expected: u64, body: Value) -> SaveResult {
    let (id, ada) = (conversation("c"), user("ada"));
    store.save_conversation(&id, lease.at(expected), Some(&ada), Arc::new(body), 8).wait().unwrap()
}

fn end(store: &dyn Store, expected: u64) -> PendingWrite<SaveResult> {
    end_under(store, &Lease::unowned(), expected)
}

fn end_under(store: &dyn Store, lease: &Lease, expected: u64) -> PendingWrite<SaveResult> {
    store.end_conversation(&conversation("c"), lease.at(expected), Arc::new(json!({"turn": 9})), 9)
}

/// A call of the conversation under this lease.
fn under(lease: &Lease, key: &str, effects: aileron_contract::spec::SideEffects) -> Arc<CallStart> {
    let call = call("c", key, effects, 1);
    let scope = CallScope { lease: lease.clone(), ..(*call.scope).clone() };
    Arc::new(CallStart { scope: Arc::new(scope), ..(*call).clone() })
}

fn is_refused<T: std::fmt::Debug>(result: Result<T, StoreError>) -> bool {
    matches!(result, Err(StoreError::NotOwner { conversation }) if conversation == "c")
}

fn a_conversation_begins_once_and_has_an_owner(store: &dyn Store) {
    let lease = begin(store, "c").unwrap();
    assert_eq!((lease.epoch(), lease.is_held()), (1, true));
    assert_eq!(begin(store, "c"), None);
    assert!(lease.is_held());
    assert_eq!(save(store, 1, json!(1)), SaveResult::At(2));
    run(store, &under(&lease, "w", WRITES));
}

fn whoever_acquires_a_conversation_takes_it_from_the_owner_before(store: &dyn Store) {
    let first = begin(store, "c").unwrap();
    let (second, document) = owner(acquire(store, "c"));
    assert_eq!((first.is_held(), second.is_held(), second.epoch()), (false, true, 2));
    assert_eq!(
        document,
        StoredConversation { version: 2, time: 7, body: Arc::new(json!({"turn": 0})) }
    );
    assert_eq!(store.load_conversation(&conversation("c")).wait().unwrap(), Some(document));
}

fn a_former_owner_saves_nothing(store: &dyn Store) {
    begin(store, "c").unwrap();
    owner(acquire(store, "c"));
    assert_eq!(save(store, 1, json!("stale")), SaveResult::Conflict { found: 2 });
    assert_eq!(save(store, 2, json!("newest")), SaveResult::At(3));
}

/// The second of two saves in flight expects the version that the next owner begins with.
fn a_former_owner_saves_nothing_at_the_version_of_the_next(store: &dyn Store) {
    let lost = begin(store, "c").unwrap();
    let (held, _) = owner(acquire(store, "c"));
    let conflict = SaveResult::Conflict { found: 2 };
    assert_eq!(save_under(store, &lost, 2, json!("stale")), conflict);
    assert_eq!(end_under(store, &lost, 2).wait().unwrap(), conflict);
    assert_eq!(save_under(store, &held, 2, json!("newest")), SaveResult::At(3));
    assert_eq!(end_under(store, &held, 3).wait().unwrap(), SaveResult::At(4));
}

fn a_former_owner_begins_no_call(store: &dyn Store) {
    let lost = begin(store, "c").unwrap();
    let (held, _) = owner(acquire(store, "c"));
    for effects in [READS, WRITES] {
        assert!(is_refused(store.begin(under(&lost, "k", effects)).wait()));
    }
    run(store, &under(&held, "k", WRITES));
}

fn ask(store: &dyn Store) -> PendingConfirmation {
    let pending = PendingConfirmation {
        token: "t".to_owned(),
        conversation: conversation("c"),
        user: Some(user("ada")),
        expires: 100,
        body: Arc::new(json!({})),
    };
    store.put_confirmation(pending.clone()).wait().unwrap();
    pending
}

fn take(store: &dyn Store, lease: &Lease) -> Result<TakeResult, StoreError> {
    let scope = CallScope { lease: lease.clone(), ..sample::scope("c") };
    store.take_confirmation("t", 1, &scope, TakeRecord::Withdrawn).wait()
}

fn a_former_owner_takes_no_question(store: &dyn Store) {
    let lost = begin(store, "c").unwrap();
    let asked = ask(store);
    let (held, _) = owner(acquire(store, "c"));
    assert!(is_refused(take(store, &lost)));
    assert_eq!(take(store, &held).unwrap(), TakeResult::Pending(asked));
}

fn an_approved_call_that_waits_for_its_turn_has_not_begun(store: &dyn Store) {
    let lease = begin(store, "c").unwrap();
    ask(store);
    let waiting = store.begin_confirmed("t", 1, under(&lease, "w", WRITES), Arc::default());
    assert!(store.lookup(&conversation("c"), "w").unwrap().is_some());
    assert_eq!(store.confirmations(&conversation("c"), 1).wait().unwrap().len(), 1);
    assert_eq!(end(store, 1).wait().unwrap(), SaveResult::At(2));
    assert!(is_refused(waiting.wait()));
    assert!(store.lookup(&conversation("c"), "w").unwrap().is_none());
}

fn an_end_takes_the_questions_with_it(store: &dyn Store) {
    let lease = begin(store, "c").unwrap();
    ask(store);
    assert_eq!(end(store, 1).wait().unwrap(), SaveResult::At(2));
    assert_eq!(store.confirmations(&conversation("c"), 1).wait().unwrap(), []);
    assert!(!lease.is_held());
    assert!(is_refused(
        store.begin_confirmed("t", 1, under(&lease, "w", WRITES), Arc::default()).wait()
    ));
}

fn an_ended_conversation_stays_ended(store: &dyn Store) {
    begin(store, "c").unwrap();
    assert_eq!(end(store, 5).wait().unwrap(), SaveResult::Conflict { found: 1 });
    assert_eq!(end(store, 1).wait().unwrap(), SaveResult::At(2));
    assert_eq!(save(store, 2, json!("active")), SaveResult::Conflict { found: 2 });
    assert_eq!(end(store, 2).wait().unwrap(), SaveResult::Conflict { found: 2 });
    assert_eq!(begin(store, "c"), None);
    let document = StoredConversation { version: 2, time: 9, body: Arc::new(json!({"turn": 9})) };
    assert_eq!(acquire(store, "c"), AcquireResult::Ended(document));
}

fn no_call_of_an_ended_conversation_begins(store: &dyn Store) {
    let lease = begin(store, "c").unwrap();
    // Both are in flight at once: the end was submitted first.
    let (ended, begun) = (end(store, 1), store.begin(under(&lease, "w", WRITES)));
    ended.wait().unwrap();
    assert!(is_refused(begun.wait()));
    assert!(store.lookup(&conversation("c"), "w").unwrap().is_none());
}

fn a_conversation_that_is_not_there_has_no_owner(store: &dyn Store) {
    assert_eq!(acquire(store, "c"), AcquireResult::Missing);
    assert_eq!(end(store, 0).wait().unwrap(), SaveResult::Conflict { found: 0 });
    run(store, &call("c", "w", WRITES, 1));
}

fn calls_that_run_are_told_to_the_next_owner(store: &dyn Store) {
    let lease = begin(store, "c").unwrap();
    let tickets = ["r", "w"].map(|key| {
        let effects = if key == "r" { READS } else { WRITES };
        start(store, &under(&lease, key, effects))
    });
    owner(acquire(store, "c"));
    let unfinished = || {
        let mut calls = store.unfinished_calls(&conversation("c")).unwrap();
        calls.sort_by(|a, b| a.call_id.cmp(&b.call_id));
        calls.into_iter().map(|call| call.call_id.to_string()).collect::<Vec<_>>()
    };
    assert_eq!(unfinished(), ["call-r", "call-w"]);
    tickets.into_iter().for_each(|ticket| settle(store, ticket, json!(1)));
    store.flush().wait().unwrap();
    assert_eq!(unfinished(), [""; 0]);
}
