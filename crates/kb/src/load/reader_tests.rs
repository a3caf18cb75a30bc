//! Properties of all loaders: no bytes make them panic, and loaded records are valid.

use std::fs;

use aileron_contract::kb::{Namespace, Record};
use proptest::prelude::*;
use serde_json::{Map, Value, json};
use tempfile::TempDir;

use super::*;
use crate::load::tests::{load_files, naughty_strings};
use crate::load::{read, survey};
use crate::record;

const NAMES: [&str; 4] = ["x.md", "x.json", "x.jsonl", "x.csv"];

/// For any bytes: no panic, and loaded records are valid.
fn check_bytes(bytes: &[u8]) {
    for name in NAMES {
        let (loaded, refused) = load_files(&[(name, bytes)]);
        for loaded in &loaded {
            assert_eq!(record::faults(&loaded.record), []);
            assert!(loaded.place.line.is_some());
        }
        assert!(refused.iter().all(|message| message.starts_with(name)));
    }
}

#[test]
fn progress_ends_at_what_the_survey_found() {
    let folder = TempDir::new().unwrap();
    let line = |n: usize| {
        json!({"id": format!("a:{n}"), "title": "T", "text": "x".repeat(500)}).to_string()
    };
    let lines: Vec<String> = (0..1000).map(line).collect();
    fs::write(folder.path().join("a.jsonl"), lines.join("\n")).unwrap();
    fs::write(folder.path().join("b.md"), "text").unwrap();
    fs::write(folder.path().join("c.csv"), b"\0 binary, refused after a look").unwrap();
    let paths = [folder.path().to_owned()];
    let mut reader = read(&paths);
    let progress = reader.progress();
    let steps: Vec<u64> = reader.by_ref().map(|_| progress.bytes()).collect();
    assert!(steps.is_sorted() && steps[0] < steps[999]);
    assert_eq!(progress.bytes(), survey(&paths).bytes);
    assert_eq!(survey(&paths).files, 3);
}

#[test]
fn a_reader_can_go_to_another_thread() {
    fn check<T: Send>() {}
    check::<RecordReader>();
}

#[test]
fn naughty_strings_survive_in_every_field() {
    let naughty = naughty_strings();
    let records: Vec<Record> =
        naughty.iter().enumerate().map(|(n, text)| naughty_record(n, text)).collect();
    let lines: Vec<String> =
        records.iter().map(|record| serde_json::to_string(record).unwrap()).collect();
    let array = serde_json::to_string_pretty(&records).unwrap();
    for (name, content) in [("x.jsonl", lines.join("\n")), ("x.json", array)] {
        let (loaded, refused) = load_files(&[(name, content.as_bytes())]);
        if !naughty.is_empty() {
            assert_eq!(refused, [""; 0]);
        }
        let loaded: Vec<Record> = loaded.into_iter().map(|loaded| loaded.record).collect();
        assert_eq!(loaded, records);
    }
    for text in &naughty {
        check_bytes(text.as_bytes());
        check_bytes(format!("---\ntitle: {text}\nid: {text}\n---\n{text}").as_bytes());
        check_bytes(format!("id,title,text\n{text},{text},{text}\n").as_bytes());
        check_bytes(
            json!({"id": text, "title": text, "text": text, "url": text}).to_string().as_bytes(),
        );
    }
}

fn naughty_record(number: usize, text: &str) -> Record {
    Record {
        id: format!(
            "naughty:{number}_{}",
            crate::load::slug(&text.chars().take(20).collect::<String>())
        ),
        kind: "naughty".to_owned(),
        title: format!("T {}", text.chars().take(400).collect::<String>()),
        text: text.to_owned(),
        namespace: Namespace::Public,
        tags: Vec::new(),
        source_type: "corpus".to_owned(),
        last_updated: "2026-01-10T00:00:00Z".to_owned(),
        url: None,
        metadata: Map::from_iter([(text.to_owned(), Value::from(text))]),
    }
}

fn json_value() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        any::<u64>().prop_map(Value::from),
        prop::num::f64::NORMAL.prop_map(Value::from),
        any::<String>().prop_map(Value::from),
    ];
    leaf.prop_recursive(4, 24, 5, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..5).prop_map(Value::from),
            prop::collection::btree_map(any::<String>(), inner, 0..5)
                .prop_map(|map| Value::Object(map.into_iter().collect())),
        ]
    })
}

prop_compose! {
    fn any_record()(
        kind in "[a-z][a-z0-9_]{0,20}",
        name in "[\\p{L}\\p{Nd}_.-]{1,40}",
        title in "[^\\s]\\PC{0,100}",
        text in any::<String>(),
        namespace in prop::sample::select(&Namespace::ALL[..]),
        tags in prop::collection::btree_set("[a-z0-9äß]{1,20}", 0..6),
        source_type in "[a-z]{1,10}",
        last_updated in "20[0-9]{2}-0[1-9]-[12][0-9]T[01][0-9]:[0-5][0-9]:[0-5][0-9](\\.[0-9]{1,9})?(Z|[+-]0[0-9]:30)",
        url in prop::option::of("https?://[a-z]{1,9}\\.example/[a-zA-Z0-9%._~/?#=&-]{0,30}"),
        metadata in prop::collection::btree_map(any::<String>(), json_value(), 0..4),
    ) -> Record {
        let (tags, metadata) = (tags.into_iter().collect(), metadata.into_iter().collect());
        Record { id: format!("{kind}:{name}"), kind, title, text, namespace, tags, source_type, last_updated, url, metadata }
    }
}

/// Bytes that resemble the formats, so that the parsers accept much of them.
fn near_formats() -> impl Strategy<Value = Vec<u8>> {
    let pieces: &[&[u8]] = &[
        b"---\n",
        b"\n",
        b"\r\n",
        b"{",
        b"}",
        b"[",
        b"]",
        b",",
        b":",
        b": ",
        b"\"",
        b"\\",
        b"\\u12",
        b"'",
        b"- ",
        b"id",
        b"title",
        b"text",
        b"tags",
        b"metadata",
        b"metadata.x",
        b"\"id\":\"a:1\"",
        b"\"title\":\"T\"",
        b"\"text\":\"\"",
        b"id,title,text\n",
        b"a:1,T,x\n",
        b"title: x\n",
        b"tags: [a, b]\n",
        b"&a",
        b"*a",
        b"|\n  ",
        b"# H\n",
        b"```\n",
        b";",
        b" ",
        b"\t",
        b"\xFF",
        b"\xC3",
        b"\0",
        b"\xEF\xBB\xBF",
        b"1e999",
        b"-",
        b"\xE6\xBC\xA2",
    ];
    let piece = prop::sample::select(pieces);
    prop::collection::vec(piece, 0..40).prop_map(|pieces| pieces.concat())
}

proptest! {
    #[test]
    fn no_bytes_make_a_loader_panic(bytes in prop::collection::vec(any::<u8>(), 0..400)) {
        check_bytes(&bytes);
    }

    #[test]
    fn nothing_near_a_format_makes_a_loader_panic(bytes in near_formats()) {
        check_bytes(&bytes);
    }

    #[test]
    fn front_matter_of_any_kind_is_read_or_refused(yaml in near_formats(), body in any::<String>()) {
        check_bytes(&[b"---\n", yaml.as_slice(), b"\n---\n", body.as_bytes()].concat());
    }

    #[test]
    fn a_written_record_is_read_again(record in any_record()) {
        prop_assume!(record::faults(&record).is_empty());
        let line = serde_json::to_string(&record).unwrap();
        let pretty = serde_json::to_string_pretty(&[&record]).unwrap();
        for (name, content) in [("x.jsonl", line), ("x.json", pretty)] {
            let (loaded, refused) = load_files(&[(name, content.as_bytes())]);
            prop_assert_eq!(refused, Vec::<String>::new());
            let loaded: Vec<Record> = loaded.into_iter().map(|loaded| loaded.record).collect();
            prop_assert_eq!(&loaded, std::slice::from_ref(&record));
            prop_assert_eq!(record::content_hash(&loaded[0]), record::content_hash(&record));
        }
    }
}
