//! Formats values for messages.

use serde_json::Value;

/// How many characters of a value a message shows.
const SHOWN_CHARS: usize = 60;

/// A value as JSON, cut where it is long.
pub(crate) fn shown(value: &Value) -> String {
    shorten(&value.to_string())
}

/// A text, cut where it is long.
pub(crate) fn shorten(text: &str) -> String {
    match text.char_indices().nth(SHOWN_CHARS) {
        Some((end, _)) => format!("{}…", text.get(..end).unwrap_or_default()),
        None => text.to_owned(),
    }
}

/// The found value: small values in full, others by their type.
pub(crate) fn found(value: &Value) -> String {
    match value {
        Value::Array(items) if items.is_empty() => "an empty array".to_owned(),
        Value::Array(_) => "an array".to_owned(),
        Value::Object(_) => "an object".to_owned(),
        Value::String(_) => format!("the string {}", shown(value)),
        _ => value.to_string(),
    }
}
