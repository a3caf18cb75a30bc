//! One JSON object as the fields of a record, read strictly: a repeated key is refused.

use aileron_contract::Arguments;
use serde_json::Value;

use super::{Entry, RecordDraft, RecordFlaw, input};

/// The fields in these bytes, which begin at the given line.
pub(super) fn draft(bytes: &[u8], line: u64) -> Entry {
    let text = input::text(bytes, line)?;
    match value(text, line)? {
        Value::Object(fields) => Ok(RecordDraft { line, fields }),
        other => {
            let found = kind(&other);
            Err(RecordFlaw::at(line, format!("expected a record as a JSON object, found {found}")))
        }
    }
}

/// Strict reading is the same as for arguments of calls, without their limit of size.
fn value(text: &str, line: u64) -> Result<Value, RecordFlaw> {
    match serde_json::from_str::<Arguments>(text) {
        Ok(Arguments::Value(value)) => Ok(value),
        Ok(Arguments::Unreadable(why)) => Err(RecordFlaw::at(line, why)),
        Err(error) => Err(flaw(&error, line)),
    }
}

/// A parser's message without the position it counts from the start of the part it was given.
fn flaw(error: &serde_json::Error, line: u64) -> RecordFlaw {
    let message = error.to_string();
    let position = format!(" at line {} column {}", error.line(), error.column());
    let what = message.strip_suffix(position.as_str()).unwrap_or(&message);
    let line = line + (error.line() as u64).saturating_sub(1);
    let column = error.column();
    RecordFlaw::at(
        line,
        format!("expected a record in JSON, found a fault at column {column}: {what}"),
    )
}

/// An object in the cell of a table or elsewhere in a text.
pub(super) fn inline(text: &str) -> Option<Value> {
    value(text, 1).ok()
}

/// The kind of a value, for messages.
pub(super) fn kind(value: &Value) -> &'static str {
    match value {
        Value::Null => "null",
        Value::Bool(_) => "true or false",
        Value::Number(_) => "a number",
        Value::String(_) => "text",
        Value::Array(_) => "a list",
        Value::Object(_) => "an object",
    }
}
