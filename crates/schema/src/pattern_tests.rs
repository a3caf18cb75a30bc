//! Patterns beside Node's own: the recorded table, and Node itself where it is installed.

#![allow(clippy::print_stderr, reason = "a test says when it cannot run")]

use std::path::Path;
use std::process::Command;

use serde::Deserialize;
use serde_json::{Value, json};

use super::*;
use crate::Validator;

const TABLE: &str = include_str!("pattern/table.json");

/// Node's result for a pattern with the `u` flag.
#[derive(Debug, PartialEq, Deserialize)]
struct Row {
    pattern: String,
    valid: bool,
    texts: Vec<String>,
    matches: Vec<bool>,
}

fn table() -> Vec<Row> {
    serde_json::from_str(TABLE).unwrap()
}

#[test]
fn patterns_are_judged_as_in_javascript() {
    let mut wrong = Vec::new();
    for Row { pattern, valid, texts, matches } in table() {
        let compiled = Pattern::compile(&pattern);
        if compiled.is_ok() != valid {
            wrong.push(format!("{pattern:?} is valid: {valid}, found {compiled:?}"));
            continue;
        }
        assert_eq!(check_syntax(&pattern).is_ok(), valid, "{pattern:?}");
        let Ok(compiled) = compiled else { continue };
        for (text, expected) in texts.iter().zip(matches) {
            let found = compiled.matches(text);
            if found != Ok(expected) {
                wrong.push(format!("{pattern:?} matches {text:?}: {expected}, found {found:?}"));
            }
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}

#[test]
fn validators_judge_as_patterns_do() {
    for Row { pattern, valid, texts, matches } in table() {
        let planned = Validator::compile(&json!({ "pattern": pattern }));
        let whole = Validator::compile(&json!({ "not": { "not": { "pattern": pattern } } }));
        let names =
            Validator::compile(&json!({ "patternProperties": { &*pattern: { "type": "null" } } }));
        assert_eq!(planned.is_ok(), valid, "{pattern:?}");
        assert_eq!(whole.is_ok(), valid, "{pattern:?}");
        // A name is compiled where a pattern is counted, and may then be too large.
        let counted = pattern.contains("\\p{M}");
        assert_eq!(names.is_ok(), valid && !counted, "{pattern:?}: {names:?}");
        assert_eq!(compiles_as_name(&pattern).is_ok(), names.is_ok(), "{pattern:?}");
        let (Ok(planned), Ok(whole), Ok(names)) = (planned, whole, names) else { continue };
        let refers_back = ["\\1(a)", "(a)|b\\1", "^(?:(a)|b)\\1$"].contains(&pattern.as_str());
        for (text, expected) in texts.iter().zip(matches) {
            assert_eq!(planned.accepts(&json!(text)), expected, "{pattern:?} for {text:?}");
            assert_eq!(whole.accepts(&json!(text)), expected, "{pattern:?} for {text:?}");
            // In names, a reference to a group that took no part does not match.
            let named = names.accepts(&json!({ text: 1 }));
            assert!(refers_back || named != expected, "{pattern:?} for {text:?}");
        }
    }
}

#[test]
fn the_table_is_what_node_says() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/pattern");
    let node =
        Command::new("node").arg(folder.join("table.mjs")).arg(folder.join("table.json")).output();
    let Ok(output) = node else {
        eprintln!("skipped: `node` is not installed");
        return;
    };
    let said: Vec<Row> = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(said, table());
}

#[test]
fn a_hostile_text_ends_in_bounded_time() {
    let text = format!("{}!", "a".repeat(50_000));
    for pattern in ["^(a+)+$", "^(?=(a+)+$)b", "^(?:(a+)+)\\1$", "(?<=(a*)*)b$"] {
        let found = Pattern::compile(pattern).unwrap().matches(&text);
        assert!(found == Ok(false) || found == Err(MatchAborted), "{pattern}: {found:?}");
    }
}

#[test]
fn faults_name_the_pattern_as_it_was_written() {
    let schema = json!({ "properties": { "a": { "anyOf": [{ "pattern": "^\\d$" }, false] } },
        "patternProperties": { "^\\w$": { "pattern": "^\\d$" } } });
    let faults = Validator::compile(&schema).unwrap();
    let faults = faults.faults(&json!({ "b": "x" }));
    let fault = faults.first().unwrap();
    assert_eq!(
        (fault.pointer, fault.schema_pointer, fault.message, faults.len()),
        (
            "/b",
            "/patternProperties/^\\w$/pattern",
            "expected text that matches \"^\\\\d$\", found \"x\"",
            1
        )
    );
    let planned = Validator::compile(&json!({ "pattern": "^\\d$" })).unwrap();
    let faults = planned.faults(&Value::from("x"));
    assert_eq!(
        faults.first().map(|fault| fault.message),
        Some("expected text that matches \"^\\\\d$\", found \"x\"")
    );
}

#[test]
fn patterns_are_held_to_syntax_and_size() {
    assert_eq!(compiles("^(?!x)[a-z]+$"), Ok(()));
    assert_eq!(compiles("(a{1000}){1000}"), Err(PatternError::TooLarge));
    assert_eq!(compiles("(?!x)(a{1000}){1000}"), Err(PatternError::TooLarge));
    let deep = format!("{}a{}", "(".repeat(5_000), ")".repeat(5_000));
    assert!(matches!(compiles(&deep), Err(PatternError::Syntax(_))));
    let why = compiles("(?i)a").unwrap_err().to_string();
    assert!(why.starts_with("the pattern is not a regular expression: "), "{why}");
}
