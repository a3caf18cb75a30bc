//! `kb get`, `stats`, `export` and `remove`.

use std::fs;
use std::path::{Path, PathBuf};

use serde_json::json;

use super::{FOLDER, demo, exported, found, small};
use crate::workspace::Workspace;

#[test]
fn a_record_is_shown_whole() {
    let run = demo().ok(&["kb", "get", "person:mira_holt"]);
    snapbox::assert_data_eq!(run.stdout, snapbox::file!["../snapshots/kb_get.txt"]);
    assert_eq!(run.stderr, "");
}

#[test]
fn a_misspelt_id_is_named_with_the_closest() {
    let workspace = demo();
    let args = ["kb", "get", "person:mira_hlot", "project:atlas"];
    let run = workspace.run(&args);
    assert_eq!(run.code, 1);
    assert!(run.stdout.starts_with("Atlas"), "{}", run.stdout);
    let said = "there is no record \"person:mira_hlot\"; the closest are: person:mira_holt";
    assert!(run.stderr.starts_with(said), "{}", run.stderr);
    let run = workspace.run(&[&args[..], &["--format", "json"]].concat());
    let fetched = run.json();
    assert_eq!((run.code, &fetched["records"][0]["id"]), (1, &json!("project:atlas")));
    assert_eq!(fetched["missing"][0]["closest"][0], "person:mira_holt");
}

#[test]
fn stats_count_records_by_namespace_and_type() {
    let workspace = demo();
    let run = workspace.ok(&["kb", "stats"]);
    snapbox::assert_data_eq!(run.stdout, snapbox::file!["../snapshots/kb_stats.txt"]);
    let stats = workspace.ok(&["kb", "stats", "--verify", "--format", "json"]).json();
    assert_eq!((&stats["records"], &stats["verified"]), (&json!(65), &json!(true)));
    assert_eq!(stats["model"], "static-256");
}

/// All files below a folder.
fn files(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    entries.flat_map(|path| if path.is_dir() { files(&path) } else { vec![path] }).collect()
}

#[test]
fn verify_finds_a_byte_that_changed() {
    let workspace = small();
    for file in files(&workspace.path(FOLDER).join("index")) {
        let good = fs::read(&file).unwrap();
        let mut bad = good.clone();
        let Some(byte) = bad.last_mut() else { continue };
        *byte ^= 1;
        fs::write(&file, bad).unwrap();
        let run = workspace.run(&["kb", "stats", "--verify"]);
        assert_eq!((run.code, run.stdout.as_str()), (1, ""), "{}", file.display());
        assert!(run.stderr.contains("--rebuild"), "{}", run.stderr);
        fs::write(&file, good).unwrap();
    }
    workspace.ok(&["kb", "stats", "--verify"]);
}

#[test]
fn what_is_exported_is_read_back_as_it_was() {
    let workspace = demo();
    workspace.ok(&["kb", "export", "--out", "all.jsonl"]);
    let exported = exported(&workspace);
    assert_eq!(workspace.read("all.jsonl"), exported);
    assert_eq!(exported.lines().count(), 65);
    let run = workspace.ok(&["kb", "ingest", "all.jsonl", "--kb", "other", "--format", "json"]);
    assert_eq!(run.json()["added"], 65);
    assert_eq!(workspace.ok(&["kb", "export", "--kb", "other"]).stdout, exported);
    let run = workspace.ok(&["kb", "ingest", "all.jsonl", "--format", "json"]);
    assert_eq!(run.json()["unchanged"], 65);
}

#[test]
fn an_export_takes_the_place_of_no_file() {
    let workspace = small();
    workspace.write("all.jsonl", "mine");
    let run = workspace.run(&["kb", "export", "--out", "all.jsonl"]);
    assert_eq!(run.code, 2);
    assert_eq!(run.stderr, "error: `all.jsonl` exists already; name another file\n");
    assert_eq!(workspace.read("all.jsonl"), "mine");
}

#[test]
fn what_is_removed_is_gone_and_what_is_not_there_is_named() {
    let workspace = demo();
    let args = ["kb", "remove", "person:mira_holt", "person:mirea_hal"];
    let dry = workspace.run(&[&args[..], &["--dry-run"]].concat());
    assert_eq!(dry.code, 1);
    assert!(dry.stderr.starts_with("1 record would be removed\n"), "{}", dry.stderr);
    assert_eq!(found(&workspace, &["person:mira_holt"])[0], "person:mira_holt");
    let run = workspace.run(&[&args[..], &["--format", "json"]].concat());
    assert_eq!((run.code, &run.json()["removed"]), (1, &json!(["person:mira_holt"])));
    assert!(run.stderr.contains("the closest are: person:mirea_hall"), "{}", run.stderr);
    assert!(
        !found(&workspace, &["Mira Holt", "-k", "64"]).contains(&"person:mira_holt".to_owned())
    );
    assert_eq!(workspace.ok(&["kb", "ingest", "knowledge", "--format", "json"]).json()["added"], 1);
}

#[test]
fn an_empty_knowledge_base_says_so() {
    let workspace = Workspace::new();
    workspace.write("notes/readme.pdf", "no record");
    let run = workspace.ok(&["kb", "ingest", "notes"]);
    assert!(run.stderr.starts_with("1 skipped: no records by their names"), "{}", run.stderr);
    let run = workspace.ok(&["kb", "export"]);
    assert_eq!(run.stdout, "");
    assert!(run.stderr.starts_with("the knowledge base has no records"), "{}", run.stderr);
    assert_eq!(workspace.ok(&["kb", "search", "x"]).stdout, "");
}
