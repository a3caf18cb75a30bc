//! Two cases of one name.

use std::collections::HashMap;
use std::collections::hash_map::Entry;

use serde_json::Value;

use super::case::Case;
use crate::diagnostic::Diagnostic;
use crate::rule::rule;

rule! {
    /// Two cases have the same name.
    ///
    /// ## Why
    /// A failed case is reported by its name. With two cases of one name, the report is
    /// ambiguous.
    ///
    /// ## Example
    /// ```json
    /// [
    ///   { "name": "finds a person", "args": { "query": "Mira" }, "expect": { "ok": true } },
    ///   { "name": "finds a person", "args": { "query": "Jon" }, "expect": { "ok": true } }
    /// ]
    /// ```
    ///
    /// ## Fix
    /// Name each case after the behaviour that only it shows.
    DUPLICATE_CASE, "AIL-C004", "duplicate-case", Error
}

pub(crate) fn check(cases: &[Case<'_>], found: &mut Vec<Diagnostic>) {
    let mut seen = HashMap::new();
    for case in cases {
        let Some(name) = case.value.get("name").and_then(Value::as_str) else { continue };
        let place = format!("{}/name", case.pointer);
        match seen.entry(name.trim()) {
            Entry::Vacant(entry) => drop(entry.insert(place)),
            Entry::Occupied(first) => found.push(diagnose(case, name, &place, first.get())),
        }
    }
}

fn diagnose(case: &Case<'_>, name: &str, place: &str, first: &str) -> Diagnostic {
    let document = case.document;
    let line = document.source.position(document.span(first).start).line;
    let message = format!("case {name:?} stands twice, first on line {line}");
    document
        .at_value(&DUPLICATE_CASE, place, message)
        .help("name each case after what only it shows")
}
