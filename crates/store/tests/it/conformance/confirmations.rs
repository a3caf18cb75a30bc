//! Confirmations: each is taken once, by one caller.

use std::sync::Arc;
use std::thread;

use aileron_store::{
    AuditFilter, BeginConfirmedResult, BeginResult, ConfirmationFilter, Lease, OwnerFilter,
    PendingConfirmation, Store, TakeRecord, TakeResult,
};
use serde_json::{Value, json};

use crate::conformance;
use crate::sample::{READS, WRITES, call, conversation, scope, user};
use crate::subject::{log, run, settle, state, word};

conformance!(
    a_confirmation_is_taken_once,
    of_many_threads_one_takes_it,
    from_its_time_on_it_is_expired_and_gone,
    a_conversation_lists_what_waits,
    decided_confirmations_stay_listed_until_they_are_old,
    an_end_is_a_decision_of_nobody,
    an_unknown_token_is_unknown,
    a_confirmed_call_begins_and_its_confirmation_is_gone,
    a_call_whose_confirmation_expired_does_not_begin,
    a_call_whose_confirmation_is_gone_does_not_begin,
    a_call_that_is_known_leaves_its_confirmation,
    of_many_threads_one_begins_what_was_confirmed,
);

fn pending(token: &str, id: &str, expires: u64) -> PendingConfirmation {
    PendingConfirmation {
        token: token.to_owned(),
        conversation: conversation(id),
        user: Some(user("ada")),
        expires,
        body: Arc::new(json!({"tool": "calendar_create_event", "args": {"title": "Tea"}})),
    }
}

fn put(store: &dyn Store, token: &str, id: &str, expires: u64) {
    store.put_confirmation(pending(token, id, expires)).wait().unwrap();
}

fn take(store: &dyn Store, token: &str, now: u64) -> TakeResult {
    store.take_confirmation(token, now, &scope("c"), declined()).wait().unwrap()
}

fn yes() -> Arc<Value> {
    Arc::new(json!("yes"))
}

fn declined() -> TakeRecord {
    TakeRecord::Decided(Arc::new(json!("no")))
}

fn a_confirmation_is_taken_once(store: &dyn Store) {
    put(store, "t", "c", 100);
    assert_eq!(take(store, "t", 99), TakeResult::Pending(pending("t", "c", 100)));
    assert_eq!(take(store, "t", 99), TakeResult::Unknown);
}

fn of_many_threads_one_takes_it(store: &dyn Store) {
    put(store, "t", "c", 100);
    let taken: Vec<TakeResult> = thread::scope(|scope| {
        let threads: Vec<_> = (0..16).map(|_| scope.spawn(|| take(store, "t", 1))).collect();
        threads.into_iter().map(|thread| thread.join().unwrap()).collect()
    });
    assert_eq!(taken.iter().filter(|taken| **taken != TakeResult::Unknown).count(), 1);
}

fn from_its_time_on_it_is_expired_and_gone(store: &dyn Store) {
    put(store, "t", "c", 100);
    assert_eq!(take(store, "t", 100), TakeResult::Expired(pending("t", "c", 100)));
    assert_eq!(take(store, "t", 1), TakeResult::Unknown);
}

fn a_conversation_lists_what_waits(store: &dyn Store) {
    for (token, id, expires) in [("b", "c", 300), ("a", "c", 200), ("x", "d", 200), ("o", "c", 50)]
    {
        put(store, token, id, expires);
    }
    let waiting = store.confirmations(&conversation("c"), 50).wait().unwrap();
    assert_eq!(waiting, [pending("a", "c", 200), pending("b", "c", 300)]);
}

/// The open and the decided confirmations, with the decisions and their times.
fn listed(store: &dyn Store, filter: &ConfirmationFilter, now: u64) -> (Vec<String>, Vec<String>) {
    let open = store.open_confirmations(filter, now, 9).wait().unwrap();
    let decided = store.decided_confirmations(filter, now, 9).wait().unwrap();
    let decided = decided.into_iter().map(|one| {
        let decision = one.decision.map_or("none".to_owned(), |decision| decision.to_string());
        format!("{} {} at {}", one.confirmation.token, decision, one.time)
    });
    (open.into_iter().map(|one| one.token).collect(), decided.collect())
}

fn decided_confirmations_stay_listed_until_they_are_old(store: &dyn Store) {
    for (token, expires) in [("a", 300), ("b", 200), ("d", 100), ("e", 50), ("x", 900)] {
        put(store, token, "c", expires);
    }
    let withdrawn = TakeRecord::Withdrawn;
    store.take_confirmation("x", 10, &scope("c"), withdrawn).wait().unwrap();
    take(store, "a", 60);
    begin_confirmed(store, "b", 70, "w");
    let all = ConfirmationFilter::default();
    let (open, decided) = listed(store, &all, 80);
    assert_eq!(open, ["d"]);
    assert_eq!(decided, [r#"b "yes" at 70"#, r#"a "no" at 60"#, "e none at 50"]);
    let nobody = ConfirmationFilter { owner: OwnerFilter::Of(None), ..all.clone() };
    assert_eq!(listed(store, &nobody, 80), (vec![], vec![]));
    let ada = OwnerFilter::Of(Some(user("ada")));
    let other = ConfirmationFilter { owner: ada.clone(), conversation: Some(conversation("d")) };
    assert_eq!(listed(store, &other, 80), (vec![], vec![]));
    let mine = ConfirmationFilter { owner: ada, conversation: Some(conversation("c")) };
    assert_eq!(listed(store, &mine, 80), (open, decided));
    store.expire(1060, 1000).wait().unwrap();
    assert_eq!(listed(store, &all, 80).1, [r#"b "yes" at 70"#]);
}

fn an_end_is_a_decision_of_nobody(store: &dyn Store) {
    let body = Arc::new(json!(1));
    let begun = store.begin_conversation(&conversation("c"), None, body.clone(), 1);
    begun.wait().unwrap();
    put(store, "t", "c", 100);
    store.end_conversation(&conversation("c"), Lease::unowned().at(1), body, 7).wait().unwrap();
    let (open, decided) = listed(store, &ConfirmationFilter::default(), 8);
    assert_eq!((open, decided), (vec![], vec!["t none at 7".to_owned()]));
}

fn an_unknown_token_is_unknown(store: &dyn Store) {
    assert_eq!(take(store, "t", 1), TakeResult::Unknown);
    assert_eq!(store.confirmations(&conversation("c"), 1).wait().unwrap(), []);
}

fn begin_confirmed(store: &dyn Store, token: &str, now: u64, key: &str) -> BeginConfirmedResult {
    store.begin_confirmed(token, now, call("c", key, WRITES, now), yes()).wait().unwrap()
}

fn a_confirmed_call_begins_and_its_confirmation_is_gone(store: &dyn Store) {
    for (key, effects) in [("r", READS), ("w", WRITES)] {
        put(store, "t", "c", 100);
        let begun = store.begin_confirmed("t", 99, call("c", key, effects, 1), yes());
        assert_eq!(state(store, "c", key), "running");
        let BeginConfirmedResult::Begun(BeginResult::Started(ticket)) = begun.wait().unwrap()
        else {
            panic!("expected it to start");
        };
        assert_eq!(take(store, "t", 1), TakeResult::Unknown);
        settle(store, ticket, json!(key));
    }
    assert_eq!(log(store, AuditFilter::default()), ["call-r completed", "call-w completed"]);
}

fn a_call_whose_confirmation_expired_does_not_begin(store: &dyn Store) {
    put(store, "t", "c", 100);
    let BeginConfirmedResult::Expired(found) = begin_confirmed(store, "t", 100, "w") else {
        panic!("expected it to be too late");
    };
    assert_eq!(found, pending("t", "c", 100));
    assert_eq!(state(store, "c", "w"), "unknown");
    assert_eq!(take(store, "t", 1), TakeResult::Unknown);
}

fn a_call_whose_confirmation_is_gone_does_not_begin(store: &dyn Store) {
    assert!(matches!(begin_confirmed(store, "t", 1, "w"), BeginConfirmedResult::Unknown));
    assert_eq!(state(store, "c", "w"), "unknown");
    run(store, &call("c", "w", WRITES, 1));
    assert_eq!(log(store, AuditFilter::default()), ["call-w completed"]);
}

fn a_call_that_is_known_leaves_its_confirmation(store: &dyn Store) {
    run(store, &call("c", "w", WRITES, 1));
    put(store, "t", "c", 100);
    let BeginConfirmedResult::Begun(BeginResult::Known(known)) =
        begin_confirmed(store, "t", 1, "w")
    else {
        panic!("expected it to be known");
    };
    assert_eq!(word(&known), r#"finished "w""#);
    assert_eq!(take(store, "t", 1), TakeResult::Pending(pending("t", "c", 100)));
}

fn of_many_threads_one_begins_what_was_confirmed(store: &dyn Store) {
    put(store, "t", "c", 100);
    let begun: Vec<BeginConfirmedResult> = thread::scope(|scope| {
        let begin = || begin_confirmed(store, "t", 1, "w");
        let threads: Vec<_> = (0..16).map(|_| scope.spawn(begin)).collect();
        threads.into_iter().map(|thread| thread.join().unwrap()).collect()
    });
    let started = begun.into_iter().filter_map(|begun| match begun {
        BeginConfirmedResult::Begun(BeginResult::Started(ticket)) => Some(ticket),
        BeginConfirmedResult::Begun(BeginResult::Known(_)) => None,
        other => panic!("{other:?}"),
    });
    let started: Vec<_> = started.collect();
    assert_eq!(started.len(), 1);
    started.into_iter().for_each(|ticket| settle(store, ticket, json!(1)));
}
