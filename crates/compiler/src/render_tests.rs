//! One set of findings in every form.

use std::path::PathBuf;
use std::process::Command;
use std::sync::Arc;

use aileron_contract::Provider;
use aileron_schema::{Faults, Validator};
use serde_json::Value;

use super::*;
use crate::diagnostic::Diagnostic;
use crate::lint::files::no_tools;
use crate::lint::json::duplicate_key;
use crate::source::Source;

fn findings() -> Vec<Diagnostic> {
    let source = Source::new("tools/a b/schema.json", "{\n  \"ä\": 1,\n  \"ä\": 2\n}\n");
    let folder = Source::new("tools", "");
    let long =
        Source::new("tools/x/handler.js", format!("{}BAD{}", "a".repeat(500), "b".repeat(500)));
    vec![
        duplicate_key::diagnose(&source, "/ä", "ä", 2, 15..19).target(Provider::GeminiNative),
        no_tools::diagnose(&folder),
        at_middle(&long),
    ]
}

fn at_middle(source: &Arc<Source>) -> Diagnostic {
    Diagnostic::new(&duplicate_key::DUPLICATE_KEY, source, "100% wrong:\nreally").at(500..503)
}

#[test]
fn text_shows_line_caret_and_help() {
    let shown: Vec<_> = findings().iter().map(|finding| text(finding, Style::Plain)).collect();
    insta::assert_snapshot!(shown.join("\n\n"));
}

#[test]
fn a_span_inside_of_a_character_is_no_panic() {
    let source = Source::new("a", "ä");
    for span in [0..1, 1..2, 1..1, 2..9, 7..9] {
        let finding = Diagnostic::new(&duplicate_key::DUPLICATE_KEY, &source, "m").at(span);
        assert!(text(&finding, Style::Plain).contains("m"));
    }
}

#[test]
fn colour_is_only_used_when_asked_for() {
    let finding = &findings()[0];
    assert!(!text(finding, Style::Plain).contains('\u{1b}'));
    assert!(text(finding, Style::Colour).contains('\u{1b}'));
}

#[test]
fn json_has_every_field() {
    insta::assert_json_snapshot!(json(&findings()));
}

#[test]
fn github_lines_are_escaped() {
    let lines: Vec<_> = findings().iter().map(github).collect();
    insta::assert_snapshot!(lines.join("\n"));
}

#[test]
fn sarif_fits_its_published_schema() {
    let schema = Validator::compile(&published_sarif_schema()).unwrap();
    for findings in [Vec::new(), findings()] {
        let log = sarif(&findings);
        assert_eq!(schema.faults(&log), Faults::default());
        assert_eq!(log["runs"][0]["results"].as_array().unwrap().len(), findings.len());
    }
    insta::assert_json_snapshot!(sarif(&findings())["runs"][0]["results"]);
}

#[test]
fn the_sarif_check_can_fail() {
    let schema = Validator::compile(&published_sarif_schema()).unwrap();
    let mut log = sarif(&findings());
    log["runs"][0]["results"][0]["level"] = "fatal".into();
    assert!(!schema.faults(&log).is_empty());
}

/// The schema as the `serde-sarif` crate carries it, found through cargo.
fn published_sarif_schema() -> Value {
    let output = Command::new(env!("CARGO"))
        .args(["metadata", "--format-version", "1", "--locked", "--manifest-path"])
        .arg(concat!(env!("CARGO_MANIFEST_DIR"), "/Cargo.toml"))
        .output()
        .unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let metadata: Value = serde_json::from_slice(&output.stdout).unwrap();
    let packages = metadata["packages"].as_array().unwrap();
    let package = packages.iter().find(|package| package["name"] == "serde-sarif").unwrap();
    let manifest = PathBuf::from(package["manifest_path"].as_str().unwrap());
    let text = std::fs::read_to_string(manifest.parent().unwrap().join("src/schema.json")).unwrap();
    // The published pattern of a language has a bracket that nothing opens, which the `u` flag forbids.
    let text = text.replace("[a-zA-Z]{2}]?$", "[a-zA-Z]{2}?$");
    let mut schema: Value = serde_json::from_str(&text).unwrap();
    schema.as_object_mut().unwrap().remove("$schema");
    schema
}
