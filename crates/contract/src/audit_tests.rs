//! Records, their words and their chain.

use serde_json::json;

use super::*;
use crate::canonical;

fn entry(call: &str) -> AuditEntry {
    AuditEntry {
        time: 1_700_000_000_000,
        conversation: ConversationId::new("c1").unwrap(),
        user: Some(UserId::new("ada").unwrap()),
        mode: Mode::Voice,
        turn: 3,
        call_id: CallId::new(call).unwrap(),
        tool_id: "kb_search".to_owned(),
        tool_version: Some("1.0.0".to_owned()),
        category: Some(Category::Retrieval),
        registry_version: "1.0.abcdef01".to_owned(),
        outcome: Outcome::Completed,
        error: None,
        retryable: None,
        duration: 12,
        attempts: 1,
        args: json!({"z": 1.5, "a": "\u{1}é\"\\\n", "n": [1e30, 9_007_199_254_740_993_u64]}),
        result: Some(json!({"b": {}, "a": []})),
        result_bytes: Some(11),
        trail: Vec::new(),
    }
}

fn chain(length: usize) -> Vec<(String, Link)> {
    let mut link = Link::genesis();
    let mut records = Vec::new();
    for index in 0..length {
        let (body, next) = link.append(&entry(&format!("call-{index}")));
        link = next.clone();
        records.push((body, next));
    }
    records
}

#[test]
fn the_hashed_text_is_canonical() {
    let plain = AuditEntry {
        user: None,
        result: None,
        error: Some(ErrorType::Auth),
        retryable: Some(true),
        args: json!({"b": 1.0, "a": 2}),
        trail: vec![TrailStep {
            measure: Some(Measure { limit: 10, of: "calls".into(), used: 10 }),
            policy: "budgets".into(),
            result: StepResult::Refused,
        }],
        ..entry("x")
    };
    for entry in [entry("a\"b"), plain] {
        let (body, _) = Link::genesis().append(&entry);
        let value: Value = serde_json::from_str(&body).unwrap();
        assert_eq!(body, canonical::to_string(&value));
    }
}

#[test]
fn a_record_reads_back_as_it_was_written() {
    let (body, link) = Link::genesis().append(&entry("a"));
    let record = AuditRecord::from_parts(&body, link.hash.as_str()).unwrap();
    let expected =
        AuditRecord { seq: 1, entry: entry("a"), previous: Link::genesis().hash, hash: link.hash };
    assert_eq!(record, expected);
    let text = serde_json::to_string(&record).unwrap();
    assert_eq!(serde_json::from_str::<AuditRecord>(&text).unwrap(), expected);
}

#[test]
fn a_chain_follows_from_its_genesis() {
    let mut link = Link::genesis();
    for (body, next) in chain(5) {
        link = link.follow(&body, next.hash.as_str()).unwrap();
        assert_eq!(link, next);
    }
}

#[test]
fn a_changed_record_is_named() {
    let records = chain(3);
    let (body, link) = &records[1];
    let changed = body.replace("kb_search", "kb_forget");
    let broken = records[0].1.follow(&changed, link.hash.as_str()).unwrap_err();
    assert_eq!(broken.seq, 2);
    assert!(broken.to_string().starts_with("audit record 2 is broken: its content hashes to "));
}

#[test]
fn a_missing_record_is_named() {
    let records = chain(3);
    let (body, link) = &records[2];
    let broken = records[0].1.follow(body, link.hash.as_str()).unwrap_err();
    let expected = "audit record 2 is broken: expected it here, found record 3";
    assert_eq!(broken.to_string(), expected);
}

#[test]
fn a_record_of_another_chain_does_not_follow() {
    let records = chain(2);
    let other = Link::new(1, "0000");
    let broken = other.follow(&records[1].0, records[1].1.hash.as_str()).unwrap_err();
    assert_eq!(broken.why, "it does not follow the record before it");
    let garbled = Link::genesis().follow("{", "x").unwrap_err();
    assert!(garbled.why.starts_with("its text cannot be read"));
}

#[test]
fn outcomes_are_words() {
    let words = ["completed", "refused:loops", "cancelled", "timed_out", "denied"];
    for word in words.into_iter().chain(["superseded", "panicked", "process_died"]) {
        assert_eq!(word.parse::<Outcome>().unwrap().to_string(), word);
    }
    assert_eq!(Outcome::refused_by("loops").word(), "refused");
    assert_eq!(Outcome::refused_by("loops"), "refused:loops".parse().unwrap());
    for wrong in ["", "refused", "refused:", "done"] {
        assert!(wrong.parse::<Outcome>().is_err(), "{wrong}");
    }
}

/// Records that were written before there was a category.
#[test]
fn a_record_without_a_category_reads_and_verifies() {
    let body = format!(
        r#"{{"args":{{}},"attempts":1,"callId":"call-1","conversation":"c","duration":3,"mode":"text","outcome":"completed","previous":"{}","registryVersion":"1.0.abcdef01","seq":1,"time":100,"toolId":"kb_search","toolVersion":"1.0.0","turn":1}}"#,
        Link::genesis().hash.as_str()
    );
    let hash = ContentHash::of_bytes(body.as_bytes());
    assert_eq!(Link::genesis().follow(&body, hash.as_str()).map(|link| link.seq), Ok(1));
    let record = AuditRecord::from_parts(&body, hash.as_str()).unwrap();
    assert_eq!(record.entry.category, None);
    assert_eq!(Link::genesis().append(&record.entry).0, body);
}
