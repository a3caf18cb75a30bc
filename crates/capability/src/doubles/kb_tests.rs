//! The knowledge base in memory.

use futures_util::FutureExt;
use serde_json::{Value, json};

use super::*;
use crate::FaultCode;
use crate::doubles::caller;
use crate::kb::Namespace;

fn record(id: &str, title: &str, text: &str, updated: &str, tags: &[&str]) -> Value {
    let kind = id.split(':').next();
    json!({
        "id": id, "type": kind, "title": title, "text": text, "namespace": "studio",
        "tags": tags, "source_type": "wiki", "last_updated": updated,
    })
}

fn kb() -> MemoryKb {
    let mut elsewhere =
        record("doc:private", "Lighting", "lighting review", "2026-01-01T00:00:00Z", &[]);
    elsewhere["namespace"] = "personal".into();
    let records = [
        record(
            "doc:b",
            "Lighting review",
            "Every shot.",
            "2025-11-02T09:00:00Z",
            &["light", "old"],
        ),
        record("doc:a", "Review", "The lighting of a shot.", "2026-01-02T00:00:00Z", &["light"]),
        record("person:mira", "Mira", "The lighting lead.", "undated", &[]),
        elsewhere,
    ];
    let contents: KbContents = serde_json::from_value(json!({ "records": records })).unwrap();
    contents.into()
}

fn search(request: Value) -> Result<Vec<(String, f64)>, CapabilityFault> {
    let mut full = json!({ "namespace": "studio", "topK": 10 });
    full.as_object_mut().unwrap().append(&mut request.as_object().unwrap().clone());
    let request = serde_json::from_value(full).unwrap();
    let hits = kb().search(&caller::of("c"), request).now_or_never().unwrap()?.hits;
    Ok(hits.into_iter().map(|hit| (hit.record.id, hit.score)).collect())
}

fn ids(request: Value) -> Vec<String> {
    search(request).unwrap().into_iter().map(|(id, _)| id).collect()
}

#[test]
fn the_score_is_the_share_of_words_and_ties_go_by_id() {
    let expected = [("doc:a", 1.0), ("doc:b", 1.0), ("person:mira", 0.5)];
    let expected = expected.map(|(id, score)| (id.to_owned(), score));
    assert_eq!(search(json!({ "query": "LIGHTING review!" })).unwrap(), expected);
    assert_eq!(ids(json!({ "query": "lighting review", "topK": 1 })), ["doc:a"]);
    assert_eq!(ids(json!({ "query": "banana" })), [""; 0]);
    assert_eq!(ids(json!({ "query": "?!" })), [""; 0]);
}

#[test]
fn a_hit_shows_where_it_matched_if_asked() {
    let request = json!({
        "query": "lead", "namespace": "studio", "topK": 1, "includeSnippets": true,
    });
    let request = serde_json::from_value(request).unwrap();
    let found = kb().search(&caller::of("c"), request).now_or_never().unwrap().unwrap();
    assert_eq!(found.hits[0].snippet.as_deref(), Some("The lighting lead."));
    assert_eq!(found.ranking, Ranking::Words);
}

#[test]
fn filters_hold_before_ranking() {
    let with =
        |filters: Value| ids(json!({ "query": "lighting review", "topK": 1, "filters": filters }));
    assert_eq!(with(json!({ "type": "person" })), ["person:mira"]);
    assert_eq!(with(json!({ "tags": ["light", "old"] })), ["doc:b"]);
    assert_eq!(with(json!({ "tags": ["light", "gone"] })), [""; 0]);
    assert_eq!(with(json!({ "date_range": { "end": "2025-11-02T10:00:00+01:00" } })), ["doc:b"]);
    assert_eq!(with(json!({ "date_range": { "start": "2025-12-01T00:00:00Z" } })), ["doc:a"]);
    assert_eq!(ids(json!({ "query": "lighting", "namespace": "personal" })), ["doc:private"]);
}

#[test]
fn a_date_that_cannot_be_read_is_refused() {
    let request = json!({ "query": "x", "filters": { "date_range": { "start": "yesterday" } } });
    assert_eq!(search(request).unwrap_err().code, FaultCode::Refused);
}

fn get(request: GetRequest) -> (Vec<String>, Vec<(String, Vec<String>)>) {
    let fetched = kb().get(&caller::of("c"), request).now_or_never().unwrap().unwrap();
    let missing = fetched.missing.into_iter().map(|missing| (missing.id, missing.closest));
    (fetched.records.into_iter().map(|record| record.id).collect(), missing.collect())
}

#[test]
fn records_are_read_in_the_order_asked() {
    let ids = ["person:mira", "doc:private", "doc:a"].map(str::to_owned).to_vec();
    assert_eq!(get(GetRequest::new(ids.clone())), (ids, Vec::new()));
}

#[test]
fn an_id_that_no_record_has_is_named_with_the_closest() {
    let ids = vec!["person:miro".to_owned(), "doc:a".to_owned(), "!".to_owned()];
    let (read, missing) = get(GetRequest::new(ids));
    assert_eq!(read, ["doc:a"]);
    let closest = vec!["person:mira".to_owned()];
    assert_eq!(missing, [("person:miro".to_owned(), closest), ("!".to_owned(), Vec::new())]);
}

#[test]
fn a_record_of_another_namespace_is_missing_and_no_suggestion() {
    let ids = vec!["doc:private".to_owned(), "doc:privatf".to_owned()];
    let within = |namespaces| get(GetRequest { ids: ids.clone(), namespaces });
    let (read, missing) = within(vec![Namespace::Studio]);
    assert_eq!(read, [""; 0]);
    let closest = vec!["doc:a".to_owned(), "doc:b".to_owned()];
    let expected = ids.iter().map(|id| (id.clone(), closest.clone()));
    assert_eq!(missing, expected.collect::<Vec<_>>());
    let (read, missing) = within(vec![Namespace::Personal]);
    assert_eq!(read, ["doc:private"]);
    assert_eq!(missing, [("doc:privatf".to_owned(), vec!["doc:private".to_owned()])]);
}

#[test]
fn a_fault_that_was_asked_for_meets_every_call() {
    let fault = CapabilityFault::new(FaultCode::Timeout, "no answer");
    let kb = MemoryKb::from(KbContents { error: Some(fault.clone()), ..KbContents::default() });
    let got = kb.get(&caller::of("c"), GetRequest::new(Vec::new())).now_or_never().unwrap();
    assert_eq!(got, Err(fault));
}
