//! Changes of `schema.json` that keep its layout: one line each.

use serde_json::Value;

use crate::document::Document;
use crate::source::Source;

/// Adds an entry to `capabilities`.
pub(super) fn declare(text: &str, capability: &str) -> Option<String> {
    let document = Document::parse(&Source::new("schema.json", text), &mut Vec::new())?;
    let Some(list) = document.get("/capabilities") else {
        return insert(&document, &format!("\"capabilities\": [{}]", Value::from(capability)));
    };
    let mut names: Vec<String> = list.as_array()?.iter().map(Value::to_string).collect();
    names.push(Value::from(capability).to_string());
    let mut changed = text.to_owned();
    changed.replace_range(document.span("/capabilities"), &format!("[{}]", names.join(", ")));
    Some(changed)
}

/// Sets `runtime`.
pub(super) fn set_runtime(text: &str, runtime: &str) -> Option<String> {
    let document = Document::parse(&Source::new("schema.json", text), &mut Vec::new())?;
    insert(&document, &format!("\"runtime\": {}", Value::from(runtime)))
}

/// Inserts a member before `parameters`, or else before the first member, on a line of its own if that
/// one has a line of its own.
fn insert(document: &Document, member: &str) -> Option<String> {
    let members = document.value.as_object()?;
    let before =
        if members.contains_key("parameters") { "parameters" } else { members.keys().next()? };
    let at = document.key_span(&format!("/{before}")).start;
    let text = &document.source.text;
    let line = text.get(..at)?.rsplit('\n').next()?;
    let separator = match line.trim().is_empty() {
        true => format!(",\n{line}"),
        false => ", ".to_owned(),
    };
    let mut changed = text.clone();
    changed.insert_str(at, &format!("{member}{separator}"));
    Some(changed)
}
