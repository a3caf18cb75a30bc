//! An ingest names each invalid record with its file, its line and the reason, and ingests the rest.

use serde_json::{Value, json};

use super::found;
use crate::workspace::Workspace;

/// Ingests a folder with one good record and this file; gives the refusals.
fn refused(file: &str, content: impl AsRef<[u8]>) -> Vec<(Value, String)> {
    let workspace = Workspace::new();
    workspace.write("notes/good.md", "# Good\n\nA record that is fine.\n");
    workspace.write(&format!("notes/{file}"), content);
    let run = workspace.run(&["kb", "ingest", "notes", "--format", "json"]);
    assert_eq!(run.code, 1, "{}", run.stderr);
    assert!(run.stderr.contains("; all else is in\n"), "{}", run.stderr);
    assert!(found(&workspace, &["fine"]).contains(&"doc:good".to_owned()));
    let report = run.json();
    let refusals = report["refusals"].as_array().unwrap().iter();
    let refusals: Vec<_> = refusals
        .map(|it| {
            assert_eq!(it["file"], format!("notes/{file}"));
            (it["line"].clone(), it["reason"].as_str().unwrap().to_owned())
        })
        .collect();
    assert_eq!(report["refused"], refusals.len());
    refusals
}

fn check(file: &str, content: impl AsRef<[u8]>, line: Value, reason: &str) {
    let refusals = refused(file, content);
    assert_eq!(refusals.len(), 1, "{refusals:?}");
    assert_eq!(refusals[0].0, line, "{refusals:?}");
    assert!(refusals[0].1.contains(reason), "{refusals:?}");
}

#[test]
fn broken_front_matter_is_named_with_its_line() {
    let text = "---\ntitle: Farm\ntags: [open\n---\ntext\n";
    let refusals = refused("farm.md", text);
    assert_eq!(refusals.len(), 1);
    assert!(refusals[0].0.as_u64().is_some_and(|line| (2..=4).contains(&line)), "{refusals:?}");
}

#[test]
fn a_binary_file_is_refused() {
    let bytes: Vec<u8> = (0..=255).cycle().take(4096).collect();
    assert_eq!(refused("picture.md", &bytes).len(), 1);
    assert!(!refused("picture.jsonl", &bytes).is_empty());
}

#[test]
fn an_id_that_comes_twice_is_refused_with_where_it_was_first() {
    let line = r#"{"id":"doc:x","title":"X","text":"one"}"#;
    let reason = "the first is at notes/x.jsonl:1";
    check("x.jsonl", format!("{line}\n\n{line}\n"), json!(3), reason);
}

#[test]
fn a_line_of_fifty_megabytes_is_refused_and_the_next_one_read() {
    let long = "x".repeat(50 << 20);
    let text =
        format!("{{\"id\":\"doc:a\",\"title\":\"A\",\"text\":\"{long}\"}}\n{{\"id\":\"doc:b\"}}\n");
    let refusals = refused("x.jsonl", text);
    assert_eq!(refusals.len(), 2);
    assert_eq!((&refusals[0].0, &refusals[1].0), (&json!(1), &json!(2)));
    assert!(refusals[0].1.contains("at most"), "{refusals:?}");
    assert!(refusals.iter().all(|(_, reason)| reason.len() < 500));
}

#[test]
fn rows_of_a_table_are_counted_by_lines() {
    let text = "id,title,text\ndoc:a,A,\"one\ntwo\"\ndoc:b,,three\n";
    check("x.csv", text, json!(4), "`title`");
}

#[test]
fn people_see_the_first_twenty_and_how_many_more_there_are() {
    let workspace = Workspace::new();
    workspace.write("many.jsonl", "no json\n".repeat(30));
    let run = workspace.run(&["kb", "ingest", "many.jsonl"]);
    let named = run.stderr.lines().filter(|line| line.starts_with("refused: many.jsonl:"));
    assert_eq!((run.code, named.count()), (1, 20));
    let rest = "30 refused, 10 of them not named (--verbose names all); all else is in\n";
    assert!(run.stderr.contains(rest), "{}", run.stderr);
    let run = workspace.run(&["kb", "ingest", "many.jsonl", "--verbose"]);
    let named = run.stderr.lines().filter(|line| line.starts_with("refused: many.jsonl:"));
    assert_eq!(named.count(), 30);
}

#[test]
fn what_a_file_says_cannot_steer_the_terminal() {
    let workspace = Workspace::new();
    workspace.write("x.jsonl", "{\"id\":\"\\u001b[31m\"}\n");
    let run = workspace.run(&["kb", "ingest", "x.jsonl"]);
    assert!(!run.stderr.contains('\u{1b}'), "{:?}", run.stderr);
}
