//! The audit log: filtered, followed, verified, pruned.

use std::sync::Arc;

use aileron_contract::audit::Link;
use aileron_contract::{AuditRecord, CallId, Mode};
use aileron_store::{AuditFilter, CallScope, CallStart, Store};
use serde_json::json;

use crate::conformance;
use crate::sample::{READS, WRITES, call, conversation, user};
use crate::subject::{log, records, refuse, run};

conformance!(
    a_record_says_all_there_is_to_know,
    filters_are_and_ed,
    refusals_are_found_by_word_and_by_policy,
    failures_are_found_by_the_type_of_their_error,
    a_log_is_followed_from_where_it_was_left,
    the_chain_verifies_and_its_hashes_are_everyones,
    an_empty_log_verifies,
    pruning_keeps_the_chain_verifiable,
    pruning_stops_at_the_first_younger_record,
    a_log_can_be_pruned_empty_and_goes_on,
);

fn filled(store: &dyn Store) {
    run(store, &call("c", "a", READS, 100));
    run(store, &call("d", "b", WRITES, 200));
    refuse(store, &call("c", "x", WRITES, 300), "loops");
    refuse(store, &call("c", "y", READS, 400), "budgets");
    let other = call("c", "z", READS, 500);
    let scope = CallScope { user: Some(user("bob")), mode: Mode::Voice, ..(*other.scope).clone() };
    run(store, &Arc::new(CallStart { scope: Arc::new(scope), ..(*other).clone() }));
}

fn calls(store: &dyn Store, filter: AuditFilter) -> String {
    let keys = records(store, filter).into_iter();
    keys.map(|record| record.entry.call_id.as_str().replace("call-", "")).collect()
}

fn a_record_says_all_there_is_to_know(store: &dyn Store) {
    run(store, &call("c", "a", WRITES, 100));
    let record = records(store, AuditFilter::default()).remove(0);
    let mut value = serde_json::to_value(&record).unwrap();
    let hash = value.as_object_mut().unwrap().remove("hash").unwrap();
    assert_eq!(hash, json!(aileron_contract::ContentHash::of_value(&value)));
    let expected = json!({
        "seq": 1, "time": 100, "conversation": "c", "user": "ada", "mode": "text", "turn": 1,
        "callId": "call-a", "toolId": "tool_writes", "toolVersion": "1.2.3", "category": "retrieval",
        "registryVersion": "1.0.abcdef01", "outcome": "completed", "duration": 12, "attempts": 1,
        "args": {"query": "flaps", "top_k": 3}, "result": "a", "resultBytes": 3,
        "previous": Link::genesis().hash,
    });
    assert_eq!(value, expected);
}

fn filters_are_and_ed(store: &dyn Store) {
    filled(store);
    let all = AuditFilter::default;
    assert_eq!(calls(store, all()), "abxyz");
    assert_eq!(calls(store, AuditFilter { since: Some(200), ..all() }), "bxyz");
    assert_eq!(calls(store, AuditFilter { until: Some(200), ..all() }), "a");
    assert_eq!(calls(store, AuditFilter { since: Some(200), until: Some(400), ..all() }), "bx");
    assert_eq!(
        calls(store, AuditFilter { conversation: Some(conversation("c")), ..all() }),
        "axyz"
    );
    assert_eq!(calls(store, AuditFilter { tool: Some("tool_writes".into()), ..all() }), "bx");
    assert_eq!(calls(store, AuditFilter { user: Some(user("bob")), ..all() }), "z");
    let call_id = Some(CallId::new("call-x").unwrap());
    assert_eq!(calls(store, AuditFilter { call_id, ..all() }), "x");
    assert_eq!(calls(store, AuditFilter { limit: Some(2), ..all() }), "ab");
    assert_eq!(calls(store, AuditFilter { limit: Some(0), ..all() }), "");
    let both = AuditFilter { conversation: Some(conversation("c")), since: Some(300), ..all() };
    assert_eq!(calls(store, AuditFilter { limit: Some(2), ..both.clone() }), "xy");
    assert_eq!(calls(store, AuditFilter { tool: Some("tool_read_only".into()), ..both }), "yz");
}

fn refusals_are_found_by_word_and_by_policy(store: &dyn Store) {
    filled(store);
    let outcome =
        |outcome: &str| AuditFilter { outcome: Some(outcome.into()), ..Default::default() };
    assert_eq!(calls(store, outcome("refused")), "xy");
    assert_eq!(calls(store, outcome("refused:loops")), "x");
    assert_eq!(calls(store, outcome("completed")), "abz");
    assert_eq!(calls(store, outcome("denied")), "");
    assert_eq!(calls(store, outcome("")), "");
}

fn failures_are_found_by_the_type_of_their_error(store: &dyn Store) {
    filled(store);
    let error = |error: &str| AuditFilter { error: Some(error.into()), ..Default::default() };
    assert_eq!(calls(store, error("any")), "xy");
    assert_eq!(calls(store, error("LOOP_DETECTED")), calls(store, error("any")));
    assert_eq!(calls(store, error("VALIDATION")), "");
    let newest = store.newest_audit(&AuditFilter { limit: Some(1), ..error("any") }, u64::MAX);
    assert_eq!(newest.unwrap()[0].entry.call_id.as_str(), "call-y");
}

fn a_log_is_followed_from_where_it_was_left(store: &dyn Store) {
    for index in 0..600 {
        refuse(store, &call("c", &format!("k{index}"), READS, index), "loops");
    }
    let first = records(store, AuditFilter { limit: Some(300), ..Default::default() });
    let from = first.last().unwrap().seq + 1;
    let rest = records(store, AuditFilter { from, ..Default::default() });
    let seqs = first.iter().chain(&rest).map(|record| record.seq);
    assert!(seqs.eq(1..=600));
    refuse(store, &call("c", "more", READS, 1), "loops");
    assert_eq!(
        log(store, AuditFilter { from: 601, ..Default::default() }),
        ["call-more refused:loops"]
    );
    assert!(log(store, AuditFilter { from: 602, ..Default::default() }).is_empty());
}

fn the_chain_verifies_and_its_hashes_are_everyones(store: &dyn Store) {
    filled(store);
    let records: Vec<AuditRecord> = records(store, AuditFilter::default());
    let verified = store.verify_audit().unwrap();
    assert_eq!(verified.records, 5);
    assert_eq!(verified.base, Link::genesis());
    assert_eq!(verified.head, Link { seq: 5, hash: records[4].hash.clone() });
    // The same calls give the same chain in every store, on every machine.
    assert_eq!(records[4].hash.short(), HEAD_OF_FILLED);
}

const HEAD_OF_FILLED: &str = "4903f225";

fn an_empty_log_verifies(store: &dyn Store) {
    let verified = store.verify_audit().unwrap();
    assert_eq!((verified.records, verified.head), (0, Link::genesis()));
}

fn pruning_keeps_the_chain_verifiable(store: &dyn Store) {
    filled(store);
    let all = records(store, AuditFilter::default());
    let pruned = store.prune_audit(300).wait().unwrap();
    assert_eq!((pruned.records, pruned.more), (2, false));
    assert_eq!(pruned.base, Link { seq: 2, hash: all[1].hash.clone() });
    let verified = store.verify_audit().unwrap();
    assert_eq!((verified.records, verified.base), (3, pruned.base));
    assert_eq!(calls(store, AuditFilter::default()), "xyz");
    refuse(store, &call("c", "w", READS, 600), "loops");
    assert_eq!(records(store, AuditFilter::default()).last().unwrap().seq, 6);
    assert_eq!(store.verify_audit().unwrap().head.seq, 6);
}

fn pruning_stops_at_the_first_younger_record(store: &dyn Store) {
    for (key, time) in [("a", 1), ("b", 9), ("c", 2)] {
        refuse(store, &call("c", key, READS, time), "loops");
    }
    assert_eq!(store.prune_audit(5).wait().unwrap().records, 1);
    assert_eq!(calls(store, AuditFilter::default()), "bc");
}

fn a_log_can_be_pruned_empty_and_goes_on(store: &dyn Store) {
    filled(store);
    assert_eq!(store.prune_audit(1000).wait().unwrap().records, 5);
    assert_eq!(store.verify_audit().unwrap().records, 0);
    refuse(store, &call("c", "w", READS, 1001), "loops");
    assert_eq!(records(store, AuditFilter::default())[0].seq, 6);
    assert_eq!(store.verify_audit().unwrap().records, 1);
}
