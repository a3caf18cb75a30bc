//! The rules of a record, field by field, and its hash.

use aileron_contract::kb::Namespace;
use proptest::prelude::*;
use serde_json::json;

use super::*;

pub(crate) fn ada() -> Record {
    Record {
        id: "person:ada_lovelace".to_owned(),
        kind: "person".to_owned(),
        title: "Ada Lovelace".to_owned(),
        text: "Wrote the first program.".to_owned(),
        namespace: Namespace::Studio,
        tags: vec!["people".to_owned(), "history".to_owned()],
        source_type: "wiki".to_owned(),
        last_updated: "2026-01-10T09:30:00+02:00".to_owned(),
        url: Some("https://example.com/Ada?a=1#x".to_owned()),
        metadata: json!({ "born": 1815 }).as_object().cloned().unwrap(),
    }
}

fn check(change: impl Fn(&mut Record), fields: &[&str]) {
    let mut record = ada();
    change(&mut record);
    let found: Vec<&str> = faults(&record).iter().map(|fault| fault.field).collect();
    assert_eq!(found, fields, "{record:?}");
}

#[test]
fn a_good_record_has_no_faults() {
    check(|_| {}, &[]);
    check(|record| record.text.clear(), &[]);
    check(|record| record.url = None, &[]);
    check(|record| record.id = "person:Zoë-Łukasz.2_渡辺".to_owned(), &[]);
}

#[test]
fn every_fault_is_listed() {
    let change = |record: &mut Record| {
        record.id = "ada".to_owned();
        record.title = " ".to_owned();
        record.tags = vec![String::new()];
        record.last_updated = "yesterday".to_owned();
        record.url = Some("example.com".to_owned());
    };
    check(change, &["id", "title", "tags", "last_updated", "url"]);
}

#[test]
fn an_id_is_its_type_and_a_name() {
    let long = format!("person:{}", "a".repeat(194));
    for id in
        ["ada", "robot:ada", "person:", "person:a b", "person:a/b", "person:a:b", "", ":", &long]
    {
        check(|record| record.id = id.to_owned(), &["id"]);
    }
    check(|record| record.id = format!("person:{}", "ä".repeat(193)), &[]);
}

#[test]
fn a_type_is_a_lower_case_word() {
    for kind in ["Person", "1a", "", "pers on", "é"] {
        let change = |record: &mut Record| {
            record.kind = kind.to_owned();
            record.id = format!("{kind}:x");
        };
        check(change, &["type"]);
    }
}

#[test]
fn sizes_have_limits() {
    check(|record| record.title = "ü".repeat(500), &[]);
    check(|record| record.title = "ü".repeat(501), &["title"]);
    check(|record| record.text = "x".repeat(MAX_TEXT_BYTES), &[]);
    check(|record| record.text = "x".repeat(MAX_TEXT_BYTES + 1), &["text"]);
    check(|record| record.tags = (0..100).map(|n| n.to_string()).collect(), &[]);
    check(|record| record.tags = (0..101).map(|n| n.to_string()).collect(), &["tags"]);
    check(|record| record.tags = vec!["t".repeat(65)], &["tags"]);
    let large = |record: &mut Record| {
        record.metadata.insert("x".to_owned(), Value::from("y".repeat(MAX_METADATA_BYTES)));
    };
    check(large, &["metadata"]);
}

#[test]
fn tags_are_trimmed_and_stand_once() {
    for tags in [["a", "a"], ["a", " b"], ["a", ""]] {
        check(|record| record.tags = tags.map(str::to_owned).to_vec(), &["tags"]);
    }
}

#[test]
fn a_source_type_is_one_word() {
    for word in ["", "two words", "a\nb"] {
        check(|record| record.source_type = word.to_owned(), &["source_type"]);
    }
}

#[test]
fn times_have_an_offset() {
    for time in ["2026-01-10T09:30:00Z", "2026-01-10T09:30:00.123456-05:00"] {
        check(|record| record.last_updated = time.to_owned(), &[]);
    }
    let wrong = [
        "",
        "2026-01-10",
        "2026-01-10T09:30:00",
        "2026-01-10 09:30:00Z",
        "2026-02-30T09:30:00Z",
        "2026-01-10T09:30:00.Z",
        "2026-01-10T09:30:00Z[UTC]",
        "2026-01-10T09:30:00+2:00",
        "20260110T093000Z",
        "２０26-01-10T09:30:00Z",
    ];
    for time in wrong {
        check(|record| record.last_updated = time.to_owned(), &["last_updated"]);
    }
}

#[test]
fn links_are_whole_and_lead_to_the_web() {
    for url in ["http://localhost:8080", "HTTPS://Example.COM/ä?q=%20#f", "https://[::1]/x"] {
        check(|record| record.url = Some(url.to_owned()), &[]);
    }
    let wrong = [
        "",
        "/a/b",
        "example.com",
        "ftp://example.com",
        "javascript:alert(1)",
        "https:///path",
        "https://",
        "https:example.com",
        " https://example.com",
        "https://exa\nmple.com",
        "https://example.com/a b",
        "https://[::1",
    ];
    for url in wrong {
        check(|record| record.url = Some(url.to_owned()), &["url"]);
    }
}

#[test]
fn messages_repeat_little_of_a_long_value() {
    let mut record = ada();
    record.id = "x".repeat(100_000);
    let message = faults(&record).first().unwrap().to_string();
    assert!(message.len() < 200, "{message}");
    assert!(
        message.starts_with("`id`: expected <type>:<name> such as person:some_name, found \"xxx")
    );
}

#[test]
fn the_hash_is_that_of_the_content_alone() {
    let mut one = ada();
    one.metadata = serde_json::from_str(r#"{"a": 1, "b": {"c": 2, "d": 3}}"#).unwrap();
    let mut other = ada();
    other.metadata = serde_json::from_str(r#"{"b": {"d": 3, "c": 2}, "a": 1}"#).unwrap();
    assert_eq!(content_hash(&one), content_hash(&other));
    assert_eq!(
        content_hash(&ada()).as_str(),
        "a8d4219551f36152f6b71313233d750507539da05476e6f2c62a668f36ef218e"
    );
}

#[test]
fn every_field_is_in_the_hash() {
    let changes: [fn(&mut Record); 10] = [
        |record| record.id.push('x'),
        |record| record.kind.push('x'),
        |record| record.title.push('x'),
        |record| record.text.push('x'),
        |record| record.namespace = Namespace::Public,
        |record| record.tags.reverse(),
        |record| record.source_type.push('x'),
        |record| record.last_updated.push('x'),
        |record| record.url = None,
        |record| record.metadata.clear(),
    ];
    for (number, change) in changes.into_iter().enumerate() {
        let mut record = ada();
        change(&mut record);
        assert_ne!(content_hash(&record), content_hash(&ada()), "change {number}");
    }
}

proptest! {
    #[test]
    fn no_text_makes_the_rules_panic(text in any::<String>(), field in 0..6) {
        let mut record = ada();
        match field {
            0 => record.id = text,
            1 => record.kind = text,
            2 => record.title = text,
            3 => record.last_updated = text,
            4 => record.url = Some(text),
            _ => record.tags = vec![text],
        }
        let _ = faults(&record);
    }
}
