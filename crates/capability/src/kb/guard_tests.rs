//! Which records each caller can read.

use aileron_contract::UserId;
use serde_json::json;

use super::*;
use crate::doubles::{KbContents, MemoryKb, caller};

fn guarded(readers: Readers) -> GuardedKb {
    let record = |id: &str, namespace: &str| {
        json!({
            "id": id, "type": "doc", "title": "Plan", "text": "The plan.", "namespace": namespace,
            "source_type": "wiki", "last_updated": "2026-01-01T00:00:00Z",
        })
    };
    let records = [record("doc:plan_a", "studio"), record("doc:plan_b", "personal")];
    let contents: KbContents = serde_json::from_value(json!({ "records": records })).unwrap();
    GuardedKb { inner: Arc::new(MemoryKb::from(contents)), readers }
}

fn signed_in() -> Caller {
    Caller { user: Some(UserId::new("ada").unwrap()), ..caller::of("c") }
}

fn allowed(scope: &str) -> Caller {
    Caller { scopes: [scope.to_owned()].into(), ..caller::of("c") }
}

fn search(kb: &GuardedKb, caller: &Caller, namespace: &str) -> Result<usize, CapabilityFault> {
    let request = json!({ "query": "plan", "namespace": namespace, "topK": 5 });
    let request = serde_json::from_value(request).unwrap();
    kb.search(caller, request).now_or_never().unwrap().map(|found| found.hits.len())
}

fn get(kb: &GuardedKb, caller: &Caller, id: &str) -> Result<FetchedRecords, CapabilityFault> {
    kb.get(caller, GetRequest::new(vec![id.to_owned()])).now_or_never().unwrap()
}

#[test]
fn a_search_is_refused_with_what_it_takes() {
    let kb = guarded(Readers::default());
    let fault = search(&kb, &caller::of("c"), "personal").unwrap_err();
    let message = "the namespace `personal` needs the person to be signed in";
    assert_eq!(fault, CapabilityFault::new(FaultCode::Auth, message));
    assert_eq!(search(&kb, &signed_in(), "personal"), Ok(1));
    assert_eq!(search(&kb, &caller::of("c"), "studio"), Ok(1));
    assert_eq!(search(&kb, &caller::of("c"), "public"), Ok(0));
}

#[test]
fn a_scope_is_asked_of_those_who_are_signed_in_too() {
    let kb =
        guarded(Readers { studio: ReadPermission::Scope("team".into()), ..Readers::default() });
    let fault = search(&kb, &signed_in(), "studio").unwrap_err();
    let message = "the namespace `studio` needs the permission team";
    assert_eq!(fault, CapabilityFault::new(FaultCode::Auth, message));
    assert!(search(&kb, &allowed("teams"), "studio").is_err());
    assert_eq!(search(&kb, &allowed("team"), "studio"), Ok(1));
}

#[test]
fn an_id_that_is_hidden_is_answered_like_one_that_does_not_exist() {
    let kb = guarded(Readers::default());
    let answer = |id: &str| {
        let mut fetched = get(&kb, &caller::of("c"), id).unwrap();
        assert_eq!(fetched.missing.remove(0).id, id);
        fetched
    };
    assert_eq!(answer("doc:plan_b"), answer("doc:plan_c"));
    let hidden = get(&kb, &caller::of("c"), "doc:plan_b").unwrap();
    assert_eq!(hidden.missing[0].closest, ["doc:plan_a"]);
    let seen = get(&kb, &signed_in(), "doc:plan_b").unwrap();
    assert_eq!(seen.records[0].id, "doc:plan_b");
    let close = get(&kb, &signed_in(), "doc:plan_c").unwrap();
    assert_eq!(close.missing[0].closest, ["doc:plan_a", "doc:plan_b"]);
}

#[test]
fn whoever_may_read_nothing_is_told_so() {
    let none = || ReadPermission::Scope("team".into());
    let kb =
        guarded(Readers { studio: none(), personal: ReadPermission::SignedIn, public: none() });
    for id in ["doc:plan_a", "doc:plan_b", "doc:plan_c"] {
        let fault = get(&kb, &caller::of("c"), id).unwrap_err();
        let message = "the namespace `studio` needs the permission team";
        assert_eq!(fault, CapabilityFault::new(FaultCode::Auth, message));
    }
}
