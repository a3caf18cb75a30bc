//! The official test suite: schemas that its authors and the meta-schema accept are accepted here.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::LazyLock;

use serde_json::json;

use super::*;
use crate::source::Source;

static META_SCHEMA: LazyLock<Option<Validator>> = LazyLock::new(|| {
    Validator::compile(&json!({"$ref": "https://json-schema.org/draft/2020-12/schema"})).ok()
});

pub(super) fn meta_schema_accepts(schema: &Value) -> bool {
    META_SCHEMA.as_ref().is_some_and(|meta| meta.accepts(schema))
}

/// The findings about the form of keyword values that the meta-schema reports too: without values
/// that only a reference makes a schema, and without those where the check is stricter.
pub(super) fn refused_values(schema: &Value) -> Vec<String> {
    let text = json!({"parameters": schema}).to_string();
    let mut found = Vec::new();
    let Some(document) = Document::parse(&Source::new("schema.json", text.as_str()), &mut found)
    else {
        return Vec::new();
    };
    let (_, targets) = survey(&document, "/parameters", &mut found);
    let on_the_way = |at: &String| reference::is_on_the_way(&document, "/parameters", at);
    if text.contains("additionalItems") || !targets.iter().flatten().all(on_the_way) {
        return Vec::new();
    }
    let refused = found.iter().filter(|f| ["AIL-A002", "AIL-A009"].contains(&f.rule.code));
    refused.filter(|f| !is_stricter(f)).map(|f| f.message.clone()).collect()
}

/// The meta-schema lets an `enum` be empty or repeat itself, and an `$id` be no URI.
fn is_stricter(finding: &Diagnostic) -> bool {
    let pointer = finding.pointer.as_deref().unwrap_or_default();
    pointer.ends_with("/$id") || pointer.split('/').rev().take(2).any(|step| step == "enum")
}

fn suite() -> Option<PathBuf> {
    let suite =
        Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/corpora/json-schema-2020-12");
    suite.is_dir().then_some(suite)
}

/// Every schema of the required tests, with what it is about.
fn schemas() -> Vec<(String, Value)> {
    let files = suite().and_then(|suite| fs::read_dir(suite).ok()).into_iter().flatten().flatten();
    let texts = files.filter_map(|file| fs::read_to_string(file.path()).ok());
    let groups = texts.filter_map(|text| serde_json::from_str::<Vec<Value>>(&text).ok()).flatten();
    groups.map(|group| (group["description"].to_string(), group["schema"].clone())).collect()
}

#[test]
#[allow(clippy::print_stderr)]
fn the_suite_is_not_refused() {
    let schemas = schemas();
    if schemas.is_empty() {
        eprintln!("skipped: no ../shared/corpora/json-schema-2020-12");
        return;
    }
    assert!(schemas.len() > 300, "{}", schemas.len());
    for (description, schema) in schemas {
        assert!(meta_schema_accepts(&schema), "{description}");
        assert_eq!(refused_values(&schema), [""; 0], "{description}");
        check_references(&description, &schema);
    }
}

/// Where all references are local, all of them lead somewhere and the schema compiles.
fn check_references(description: &str, schema: &Value) {
    let (found, compiled) = tests::findings(&json!({"returns": schema}), "/returns");
    let codes: Vec<_> = found.iter().map(|finding| finding.rule.code).collect();
    if codes.iter().any(|code| ["AIL-A005", "AIL-A013", "AIL-A014"].contains(code)) {
        return;
    }
    assert!(compiled, "{description}: {found:?}");
    for code in ["AIL-A004", "AIL-A006", "AIL-A007", "AIL-A020"] {
        assert!(!codes.contains(&code), "{description}: {found:?}");
    }
}
