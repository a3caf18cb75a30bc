//! The part of a message about the found value.

use std::fmt::{self, Write};

use serde_json::{Number, Value};

use crate::place::push_number;

/// How many characters of a found value a message shows.
const SHOWN_CHARS: usize = 60;

/// The part of a value that a message shows: nothing, its type, its length, its size, or all of it.
#[derive(Debug, Clone, Copy)]
pub(crate) enum FoundValue {
    Unsaid,
    Type,
    Length,
    Size,
    Value,
}

impl FoundValue {
    /// Appends the message that begins with this text.
    pub(crate) fn push_message(self, text: &mut String, words: &str, value: &Value) {
        text.push_str(words);
        match self {
            Self::Unsaid => {}
            Self::Type => text.push_str(type_of(value)),
            Self::Length => push_number(text, length(value)),
            Self::Size => push_number(text, size(value)),
            Self::Value => push_shown(text, value),
        }
    }
}

/// Appends a value as JSON, cut where it gets long.
pub(crate) fn push_shown(text: &mut String, value: &Value) {
    match value {
        Value::String(found) if is_plain(found) => {
            text.push('"');
            text.push_str(found);
            text.push('"');
        }
        Value::Null => text.push_str("null"),
        Value::Bool(found) => text.push_str(if *found { "true" } else { "false" }),
        Value::Number(found) => push_found_number(text, found),
        _ => {
            let mut cut = BoundedWriter { text, left: SHOWN_CHARS };
            if write!(cut, "{value}").is_err() {
                text.push('…');
            }
        }
    }
}

/// A number is always short enough.
fn push_found_number(text: &mut String, number: &Number) {
    match number.as_u64().map(usize::try_from) {
        Some(Ok(number)) => push_number(text, number),
        // Writing to a string cannot fail.
        _ => drop(write!(text, "{number}")),
    }
}

/// Whether a text is short and needs no escapes in JSON.
fn is_plain(text: &str) -> bool {
    let reads_as_it_is = |byte: u8| byte >= b' ' && byte != b'"' && byte != b'\\';
    text.len() + 2 <= SHOWN_CHARS && text.bytes().all(reads_as_it_is)
}

/// Accepts a limited number of characters and fails at the next one, so that no more text is
/// formatted than shown.
struct BoundedWriter<'a> {
    text: &'a mut String,
    left: usize,
}

impl Write for BoundedWriter<'_> {
    fn write_str(&mut self, part: &str) -> fmt::Result {
        match part.char_indices().nth(self.left) {
            None => {
                self.left -= part.chars().count();
                self.text.push_str(part);
                Ok(())
            }
            Some((end, _)) => {
                self.left = 0;
                self.text.push_str(part.get(..end).unwrap_or_default());
                Err(fmt::Error)
            }
        }
    }
}

fn type_of(value: &Value) -> &'static str {
    match value {
        Value::Null => "null",
        Value::Bool(_) => "a boolean",
        Value::Number(_) => "a number",
        Value::String(_) => "a string",
        Value::Array(_) => "an array",
        Value::Object(_) => "an object",
    }
}

fn length(value: &Value) -> usize {
    value.as_str().map_or(0, |text| text.chars().count())
}

fn size(value: &Value) -> usize {
    match value {
        Value::Array(items) => items.len(),
        Value::Object(map) => map.len(),
        _ => 0,
    }
}

#[cfg(test)]
#[path = "found_tests.rs"]
mod tests;
