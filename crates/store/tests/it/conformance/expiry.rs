//! Which data expires, and which never does.

use std::sync::Arc;

use aileron_store::{
    AuditFilter, Counter, ExpiryResult, ForgetResult, Lease, OwnerFilter, PendingConfirmation,
    Store,
};
use serde_json::json;

use crate::conformance;
use crate::sample::{READS, WRITES, call, conversation, user};
use crate::subject::{log, run, settle, start, state};

conformance!(
    old_calls_are_forgotten_their_records_are_not,
    running_calls_do_not_expire,
    abandoned_calls_expire_and_have_one_record,
    a_read_that_runs_again_does_not_expire,
    confirmations_and_blocks_expire_by_the_callers_clock,
    a_round_is_bounded_and_says_that_there_is_more,
    nothing_is_older_than_time_itself,
    counters_are_part_of_a_round,
    old_conversations_are_forgotten_with_what_was_said,
    a_conversation_that_is_needed_is_not_forgotten,
);

fn expire(store: &dyn Store, now: u64, keep_ms: u64) -> ExpiryResult {
    store.flush().wait().unwrap();
    store.expire(now, keep_ms).wait().unwrap()
}

fn calls(count: usize) -> ExpiryResult {
    ExpiryResult { calls: count, ..Default::default() }
}

fn old_calls_are_forgotten_their_records_are_not(store: &dyn Store) {
    run(store, &call("c", "old", WRITES, 100));
    run(store, &call("c", "young", READS, 101));
    assert_eq!(expire(store, 1100, 1000), calls(1));
    assert_eq!(state(store, "c", "old"), "unknown");
    assert_eq!(state(store, "c", "young"), r#"finished "young""#);
    assert_eq!(log(store, AuditFilter::default()).len(), 2);
}

fn running_calls_do_not_expire(store: &dyn Store) {
    let tickets = [("r", READS), ("w", WRITES)]
        .map(|(key, effects)| start(store, &call("c", key, effects, 100)));
    assert_eq!(expire(store, 10_000, 1), calls(0));
    assert_eq!(state(store, "c", "w"), "running");
    tickets.into_iter().for_each(|ticket| settle(store, ticket, json!(1)));
    assert_eq!(expire(store, 10_000, 1), calls(2));
}

fn abandoned_calls_expire_and_have_one_record(store: &dyn Store) {
    drop(start(store, &call("c", "r", READS, 100)));
    drop(start(store, &call("c", "w", WRITES, 100)));
    assert_eq!(expire(store, 200, 100), calls(2));
    assert_eq!(log(store, AuditFilter::default()), ["call-r cancelled", "call-w cancelled"]);
    assert_eq!(state(store, "c", "r"), "unknown");
}

fn a_read_that_runs_again_does_not_expire(store: &dyn Store) {
    drop(start(store, &call("c", "r", READS, 100)));
    let ticket = start(store, &call("c", "r", READS, 101));
    assert_eq!(store.expire(1000, 1).wait().unwrap(), calls(0));
    settle(store, ticket, json!(1));
    assert_eq!(log(store, AuditFilter::default()), ["call-r cancelled", "call-r completed"]);
}

fn confirmations_and_blocks_expire_by_the_callers_clock(store: &dyn Store) {
    for (token, expires) in [("a", 100), ("b", 101)] {
        let (conversation, body) = (conversation("c"), Arc::new(json!(1)));
        let pending = PendingConfirmation {
            token: token.to_owned(),
            conversation,
            user: None,
            expires,
            body,
        };
        store.put_confirmation(pending).wait().unwrap();
        store.block(&user(token), expires + 100).wait().unwrap();
    }
    let expected = ExpiryResult { confirmations: 1, blocks: 1, ..Default::default() };
    assert_eq!(expire(store, 200, 100), expected);
    assert_eq!(store.blocked_until(&user("a")), None);
    assert_eq!(store.blocked_until(&user("b")), Some(201));
    assert_eq!(store.confirmations(&conversation("c"), 0).wait().unwrap().len(), 1);
}

fn a_round_is_bounded_and_says_that_there_is_more(store: &dyn Store) {
    for index in 0..1200 {
        run(store, &call("c", &format!("k{index}"), READS, 1));
    }
    assert_eq!(expire(store, 100, 1), ExpiryResult { more: true, ..calls(1000) });
    assert_eq!(expire(store, 100, 1), calls(200));
}

fn nothing_is_older_than_time_itself(store: &dyn Store) {
    run(store, &call("c", "a", READS, 0));
    assert_eq!(expire(store, 5, 10), calls(0));
}

fn counters_are_part_of_a_round(store: &dyn Store) {
    let counter = Counter { name: "c".into(), calls: 2000, window_ms: 10 };
    for _ in 0..1001 {
        drop(store.count_call(&counter, 100));
    }
    while expire(store, 200, 1000).more {}
    let left = Counter { window_ms: 1000, calls: 1, ..counter };
    assert_eq!(store.wait_to_count(&left, 0, 200).unwrap(), None);
}

fn save(store: &dyn Store, id: &str, time: u64) {
    let body = Arc::new(json!({ "said": id }));
    let (conversation, lease, ada) = (conversation(id), Lease::unowned(), user("ada"));
    let saved = store.save_conversation(&conversation, lease.at(0), Some(&ada), body.clone(), time);
    saved.wait().unwrap();
    store.append_messages(&conversation, 0, vec![body; 3], time).wait().unwrap();
}

fn forget(store: &dyn Store, before: u64, now: u64) -> usize {
    let ForgetResult { conversations, more } =
        store.forget_conversations(before, now).wait().unwrap();
    assert!(!more);
    conversations
}

fn kept(store: &dyn Store) -> Vec<String> {
    let ada = OwnerFilter::Of(Some(user("ada")));
    let all = store.conversations(&ada, None, 100).wait().unwrap();
    all.into_iter().rev().map(|found| found.conversation.to_string()).collect()
}

fn old_conversations_are_forgotten_with_what_was_said(store: &dyn Store) {
    for n in 0..60 {
        save(store, &format!("c{n:02}"), 100 + n);
    }
    let first = store.forget_conversations(155, 1000).wait().unwrap();
    assert_eq!(first, ForgetResult { conversations: 50, more: true });
    assert_eq!(kept(store)[0], "c50");
    assert_eq!(forget(store, 155, 1000), 5);
    assert_eq!(kept(store), ["c55", "c56", "c57", "c58", "c59"]);
    assert_eq!(store.load_conversation(&conversation("c00")).wait().unwrap(), None);
    assert_eq!(store.messages(&conversation("c00"), u64::MAX, 9).wait().unwrap(), []);
    assert_eq!(store.messages(&conversation("c55"), u64::MAX, 9).wait().unwrap().len(), 3);
}

fn a_conversation_that_is_needed_is_not_forgotten(store: &dyn Store) {
    ["asks", "called", "idle", "runs"].into_iter().for_each(|id| save(store, id, 100));
    let ticket = start(store, &call("runs", "r", READS, 100));
    run(store, &call("called", "k", WRITES, 100));
    let pending = PendingConfirmation {
        token: "t".into(),
        conversation: conversation("asks"),
        user: None,
        expires: 500,
        body: Arc::new(json!(1)),
    };
    store.put_confirmation(pending).wait().unwrap();
    assert_eq!(forget(store, 200, 499), 1);
    assert_eq!(kept(store), ["asks", "called", "runs"]);
    assert_eq!(forget(store, 200, 500), 1);
    assert_eq!(kept(store), ["called", "runs"]);
    settle(store, ticket, json!(1));
    assert_eq!(forget(store, 200, 500), 0);
    assert_eq!(expire(store, 1100, 1000), calls(2));
    assert_eq!(forget(store, 200, 500), 2);
}
