//! Every format through the public reader, over real files.

use std::fs;

use aileron_contract::kb::Namespace;
use serde_json::json;
use tempfile::TempDir;

use super::*;

/// Strings that break programs, from the corpus beside the repository.
pub(crate) fn naughty_strings() -> Vec<String> {
    let file = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../../../shared/corpora/naughty-strings/blns.json");
    match fs::read_to_string(&file) {
        Ok(text) => serde_json::from_str(&text).unwrap(),
        Err(_) => {
            println!("skipped: {} is not there", file.display());
            Vec::new()
        }
    }
}

/// Loads files with these names and contents.
pub(super) fn load_files(files: &[(&str, &[u8])]) -> (Vec<LoadedRecord>, Vec<String>) {
    let folder = TempDir::new().unwrap();
    for (name, content) in files {
        let path = folder.path().join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, content).unwrap();
    }
    let (mut loaded, mut refused) = (Vec::new(), Vec::new());
    let root = format!("{}/", folder.path().display());
    for item in read(&[folder.path().to_owned()]) {
        match item {
            LoadItem::Record(record) => loaded.push(record),
            LoadItem::Refused(refusal) => refused.push(refusal.to_string().replace(&root, "")),
            LoadItem::Skipped(_) => {}
        }
    }
    (loaded, refused)
}

fn load(name: &str, content: &str) -> (Vec<LoadedRecord>, Vec<String>) {
    load_files(&[(name, content.as_bytes())])
}

/// The one record of a file.
fn one(name: &str, content: &str) -> Record {
    let (mut loaded, refused) = load(name, content);
    assert_eq!(refused, [""; 0]);
    assert_eq!(loaded.len(), 1);
    loaded.remove(0).record
}

/// Loading a file gives exactly one refusal.
fn refused(name: &str, content: impl AsRef<[u8]>) -> String {
    let (loaded, mut refused) = load_files(&[(name, content.as_ref())]);
    assert_eq!(loaded, []);
    assert_eq!(refused.len(), 1, "{refused:?}");
    refused.remove(0)
}

fn ids(loaded: &[LoadedRecord]) -> Vec<(&str, Option<u64>)> {
    loaded.iter().map(|loaded| (loaded.record.id.as_str(), loaded.place.line)).collect()
}

const PAGE: &str = "---
id: person:ada
type: person
title: \"Ada: the first\"
namespace: public
tags: [math, 1843, math]
source_type: wiki
last_updated: 2026-01-10
url: https://example.com/Ada
room: 12
metadata:
  born: 1815
  code: 007
---

Wrote programs.

More.
";

#[test]
fn markdown_has_its_fields_in_front_matter() {
    let expected = Record {
        id: "person:ada".to_owned(),
        kind: "person".to_owned(),
        title: "Ada: the first".to_owned(),
        text: "Wrote programs.\n\nMore.".to_owned(),
        namespace: Namespace::Public,
        tags: vec!["math".to_owned(), "1843".to_owned()],
        source_type: "wiki".to_owned(),
        last_updated: "2026-01-10T00:00:00Z".to_owned(),
        url: Some("https://example.com/Ada".to_owned()),
        metadata: json!({ "born": 1815, "code": "007", "room": 12 }).as_object().cloned().unwrap(),
    };
    assert_eq!(one("x.md", PAGE), expected);
    assert_eq!(one("x.markdown", &PAGE.replace('\n', "\r\n")), expected);
    assert_eq!(one("X.MD", &format!("\u{feff}{PAGE}")), expected);
}

#[test]
fn markdown_without_front_matter_has_defaults() {
    let record = one("How to Ship.md", "\n# Shipping *it*\n\nAll hands.\n");
    assert_eq!(record.id, "doc:how_to_ship");
    assert_eq!((record.kind.as_str(), record.title.as_str()), ("doc", "Shipping it"));
    assert_eq!((record.text.as_str(), record.source_type.as_str()), ("All hands.", "markdown"));
    assert_eq!(record.namespace, Namespace::Studio);
    assert!(record.last_updated.ends_with('Z'));
}

#[test]
fn a_title_comes_from_the_heading_or_the_file_name() {
    let record = one("a.md", "Intro\n\n# Top\n\nText");
    assert_eq!((record.title.as_str(), record.text.as_str()), ("Top", "Intro\n\n# Top\n\nText"));
    let record = one("my_old-notes.md", "```\n# code\n```\n## Low");
    assert_eq!((record.title.as_str(), record.id.as_str()), ("my old notes", "doc:my_old-notes"));
    let record = one("a.md", "---\ntitle: Given\n---\n# Top\n");
    assert_eq!((record.title.as_str(), record.text.as_str()), ("Given", "# Top"));
    let record = one("a.md", "---\ntype: person\ntitle: Only\n---\n");
    assert_eq!((record.id.as_str(), record.text.as_str()), ("person:a", ""));
}

#[test]
fn the_time_of_a_file_is_used_where_none_is_written() {
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("a.md");
    fs::write(&path, "text").unwrap();
    let time = std::time::UNIX_EPOCH + std::time::Duration::from_millis(1_700_000_000_500);
    fs::File::options().write(true).open(&path).unwrap().set_modified(time).unwrap();
    let Some(LoadItem::Record(loaded)) = read(&[path]).next() else { panic!("no record") };
    assert_eq!(loaded.record.last_updated, "2023-11-14T22:13:20Z");
}

#[test]
fn json_lines_are_records_line_by_line() {
    let text = "\u{feff}{\"id\":\"a:1\",\"title\":\"One\",\"text\":\"x\"}\r\n\n{\"id\":\"a:2\"}\n{\"id\":\"a:3\",\"title\":\"T\",\"text\":\"\"}";
    let (loaded, refused) = load("x.jsonl", text);
    assert_eq!(ids(&loaded), [("a:1", Some(1)), ("a:3", Some(4))]);
    assert_eq!(loaded[0].record.kind, "a");
    let missing = "expected this field, found none";
    assert_eq!(refused, [format!("x.jsonl:3: `title`: {missing}; `text`: {missing}")]);
}

#[test]
fn a_json_file_is_a_record_or_a_list_of_them() {
    assert_eq!(one("x.json", "\n{\"id\":\"a:1\",\"title\":\"]\",\n\"text\":\"x\"}\n").title, "]");
    let text = "[\n{\"id\":\"a:1\",\"title\":\"a,]\\\"\",\"text\":\"[{\"},\n {\"id\":7},\n\n{\"id\":\"a:2\",\n\"title\":\"T\",\"text\":\"\", \"metadata\": {\"x\": [1, [2]]}}\n]\n";
    let (loaded, refused) = load("x.json", text);
    assert_eq!(ids(&loaded), [("a:1", Some(2)), ("a:2", Some(5))]);
    assert_eq!(refused.len(), 1);
    assert!(
        refused[0].starts_with("x.json:3: `id`: expected text, found a number; `title`:"),
        "{refused:?}"
    );
    assert_eq!(load("x.json", "[]"), (Vec::new(), Vec::new()));
}

#[test]
fn broken_json_is_refused_with_its_line() {
    let cases = [
        (
            "x.json",
            "[{\"id\":\"a:1\"",
            "x.json:1: expected `]` after the last record, found the end of the file",
        ),
        ("x.json", "[] x", "x.json:1: expected the end of the file after the array, found more"),
        ("x.json", "[\n,]", "x.json:2: expected a record, found nothing before a comma or bracket"),
        ("x.json", "\"a\"", "x.json:1: expected a record as a JSON object, found text"),
        (
            "x.json",
            "{\n\"a\": 1,\n\"a\": 2}",
            "x.json:3: expected a record in JSON, found a fault at column 3: the key \"a\" twice",
        ),
        ("x.jsonl", "[1]", "x.jsonl:1: expected a record as a JSON object, found a list"),
        (
            "x.jsonl",
            "\n{\"a\": 1",
            "x.jsonl:2: expected a record in JSON, found a fault at column 7: EOF while parsing an object",
        ),
        ("x.jsonl", " \n\n", "x.jsonl: expected a record, found only blank lines"),
        ("x.json", " \n\n", "x.json: expected a record, found only white space"),
    ];
    for (name, content, message) in cases {
        let found = refused_first(name, content);
        assert_eq!(found, message);
    }
}

fn refused_first(name: &str, content: &str) -> String {
    let (loaded, refused) = load(name, content);
    assert_eq!(loaded, []);
    refused.into_iter().next().unwrap()
}

#[test]
fn csv_rows_are_records_under_the_header() {
    let text = "id,title,text,tags,metadata.room,metadata,floor,url\r\n\r\na:1,\"One, \"\"1\"\"\",\"two\nlines\",a; b;;a,12,\"{\"\"x\"\":1}\",3,\r\na:2,Two,,,,,,http://x.y\r\n";
    let (loaded, refused) = load("x.csv", text);
    assert_eq!(refused, [""; 0]);
    assert_eq!(ids(&loaded), [("a:1", Some(3)), ("a:2", Some(5))]);
    let first = &loaded[0].record;
    assert_eq!((first.title.as_str(), first.text.as_str()), ("One, \"1\"", "two\nlines"));
    assert_eq!(first.tags, ["a", "b"]);
    assert_eq!(Value::Object(first.metadata.clone()), json!({"room": "12", "x": 1, "floor": "3"}));
    assert_eq!(loaded[1].record.url.as_deref(), Some("http://x.y"));
    assert_eq!(loaded[1].record.source_type, "csv");
}

#[test]
fn broken_csv_is_refused_with_its_line() {
    let (loaded, refused) =
        load("x.csv", "id,title,text\na:1,A\na:2,B,x\na:3,C,x,y\na:4,D,\"x\na:5,E,x\n");
    assert_eq!(ids(&loaded), [("a:2", Some(3))]);
    assert_eq!(
        refused,
        [
            "x.csv:2: expected 3 columns, found 2",
            "x.csv:4: expected 3 columns, found 4",
            "x.csv:5: expected a closing quote in the row that begins here, found the end of the file",
        ]
    );
    let cases = [
        (
            "id,titel,text\na:1,A,x\n",
            "x.csv:1: found an unknown field \"titel\": did you mean `title`? if not, put it under `metadata`",
        ),
        (
            "id,text\na:1,A\n",
            "x.csv:1: expected columns named after fields, title among them, found \"id, text\"",
        ),
        ("id,title,text,id\n", "x.csv:1: expected every column once, found \"id\" twice"),
        ("\nid,,text\n", "x.csv:2: expected a field name in every column, found none in column 2"),
        ("\n\n", "x.csv: expected a row of field names, found only blank lines"),
        (
            "id,title,text,metadata\na:1,A,x,[]",
            "x.csv:2: `metadata`: expected a JSON object, found something else",
        ),
    ];
    for (content, message) in cases {
        assert_eq!(refused_first("x.csv", content), message);
    }
    assert_eq!(ids(&load("x.csv", "id,title,text\na:1,A,\"x\"").0), [("a:1", Some(2))]);
}

#[test]
fn all_faults_of_a_record_are_said() {
    let line = json!({"id": "b a:1", "title": 7, "namespace": "secret", "tags": "a", "text": "x",
        "last_updated": "now", "url": "x", "lastUpdated": "x", "body": "kept"});
    let message = refused("x.jsonl", line.to_string());
    for part in [
        "`id`:",
        "`title`: expected text, found a number",
        "`namespace`: expected a namespace",
        "`tags`: expected a list such as [a, b], found text",
        "`url`:",
        "\"lastUpdated\": did you mean `last_updated`?",
    ] {
        assert!(message.contains(part), "{part} in {message}");
    }
}

#[test]
fn near_misses_are_refused_and_other_fields_are_metadata() {
    for key in ["titel", "Title", "tag", "sourceType", "last-updated", "meta_data", "ID", "txt"] {
        assert!(draft::near_miss(key).is_some(), "{key}");
    }
    for key in
        ["id", "metadata", "uid", "author", "body", "name", "source", "date", "updated", "room"]
    {
        assert_eq!(draft::near_miss(key), None, "{key}");
    }
    let both = json!({"id": "a:1", "title": "A", "text": "", "room": 1, "metadata": {"room": 2}});
    assert!(refused("x.jsonl", both.to_string()).contains("found it beside `metadata` too"));
}

#[test]
fn files_that_are_no_text_are_refused() {
    for name in ["x.md", "x.json", "x.jsonl", "x.csv"] {
        assert_eq!(refused(name, b""), format!("{name}: expected a record, found an empty file"));
        assert_eq!(
            refused(name, b"\xEF\xBB\xBF"),
            format!("{name}: expected a record, found an empty file")
        );
        assert_eq!(refused(name, b"ab\0c"), format!("{name}: expected text, found a binary file"));
        let wide = refused(name, b"\xFF\xFEa\0");
        assert_eq!(wide, format!("{name}: expected UTF-8, found UTF-16: save the file as UTF-8"));
    }
    let message = "expected UTF-8, found other bytes: save the file as UTF-8";
    assert_eq!(refused("x.md", b"a\nb\nc\xFF"), format!("x.md:3: {message}"));
    assert_eq!(refused("x.jsonl", b"\n\xC3("), format!("x.jsonl:2: {message}"));
    assert_eq!(
        refused("x.csv", b"id,title,text\na:1,\xC3,\xA4"),
        "x.csv:2: expected UTF-8 in every cell, found other bytes"
    );
    let late = [b"x".repeat(100_000), b"\ny\0".to_vec()].concat();
    assert_eq!(refused("x.md", late), "x.md:2: expected text, found a NUL byte");
}

#[test]
fn entries_past_the_limit_are_refused_and_the_next_are_read() {
    let huge = "x".repeat(MAX_ENTRY_BYTES + 1);
    let line =
        |id: &str, text: &str| format!("{{\"id\":\"{id}\",\"title\":\"T\",\"text\":\"{text}\"}}");
    let (bad, good) = (line("a:1", &huge), line("a:2", "x"));
    let cases = [
        ("x.jsonl", format!("{bad}\n{good}\n"), 2),
        ("x.json", format!("[{bad},\n{good}]\n"), 2),
        ("x.csv", format!("id,title,text\na:1,T,\"{huge}\n\"\na:2,T,x\n"), 4),
    ];
    for (name, content, line) in cases {
        let (loaded, refused) = load(name, &content);
        assert_eq!(ids(&loaded), [("a:2", Some(line))]);
        assert_eq!(refused.len(), 1);
        assert!(
            refused[0].contains("of at most 33554432 bytes, found a longer one"),
            "{refused:?}"
        );
    }
    assert!(refused("x.md", huge).contains("of at most"));
    let middle = line("a:1", &"x".repeat(5 << 20));
    assert!(
        refused("x.jsonl", middle)
            .contains("`text`: expected at most 4194304 bytes, found 5242880")
    );
}

#[test]
fn an_id_is_taken_once_and_the_first_place_is_named() {
    let line = "{\"id\":\"doc:a\",\"title\":\"T\",\"text\":\"\"}";
    let (loaded, refused) =
        load_files(&[("a.md", b"text"), ("b.jsonl", format!("\n{line}\n").as_bytes())]);
    assert_eq!(ids(&loaded), [("doc:a", Some(1))]);
    assert_eq!(refused.len(), 1);
    assert!(refused[0].starts_with("b.jsonl:2: `id`: expected every id once, found \"doc:a\" a second time; the first is at a.md:1"), "{refused:?}");
}

#[test]
fn files_of_one_name_in_two_folders_are_told_apart() {
    let files: [(&str, &[u8]); 4] =
        [("a/b/x.md", b"1"), ("a/c.md", b"2"), ("b/c.md", b"3"), ("b/x.md", b"4")];
    let (loaded, refused) = load_files(&files);
    assert_eq!(ids(&loaded), [("doc:x", Some(1)), ("doc:c", Some(1))]);
    assert!(
        refused[0].starts_with("b/c.md:1: `id`:") && refused[0].contains("first is at a/c.md:1:")
    );
    assert!(
        refused[1].starts_with("b/x.md:1: `id`:") && refused[1].contains("first is at a/b/x.md:1:")
    );
}

#[test]
fn a_file_name_without_letters_gives_no_id() {
    assert!(refused("___.md", "text").contains("`id`: expected a name of letters"));
}
