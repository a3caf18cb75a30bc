//! Behaviour that only the memory store has: a bound on its audit records.

use super::*;
use crate::audit::AuditFilter;
use crate::sample::{READS, call, success};
use crate::store::Store;

#[test]
fn the_oldest_records_make_room_and_the_chain_still_verifies() {
    let store = MemoryStore::with_audit_limit(3);
    for index in 0..5 {
        let call = call("c", &format!("k{index}"), READS, index);
        let answer = success(&call, serde_json::json!(1));
        store.record_refusal(call, Outcome::refused_by("loops"), answer).wait().unwrap();
    }
    assert_eq!(store.verify_audit().unwrap().records, 5);
    store.expire(0, 0).wait().unwrap();
    let verified = store.verify_audit().unwrap();
    assert_eq!((verified.records, verified.base.seq, verified.head.seq), (3, 2, 5));
    let kept = store.audit(AuditFilter::default()).map(|record| record.unwrap().seq);
    assert!(kept.eq(3..=5));
}
