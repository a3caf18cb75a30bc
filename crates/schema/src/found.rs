//! What a message says about the value that was found.

use std::fmt::{self, Write};

use serde_json::Value;

use crate::place::push_number;

/// How many characters of a found value a message shows.
const SHOWN_CHARS: usize = 60;

/// What is said about a value: nothing, its type, its length, its size, or itself.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Found {
    Unsaid,
    Type,
    Length,
    Size,
    Value,
}

impl Found {
    /// The message that these words begin.
    pub(crate) fn message(self, words: &str, value: &Value) -> String {
        let mut text = String::with_capacity(words.len() + self.room(value));
        text.push_str(words);
        match self {
            Self::Unsaid => {}
            Self::Type => text.push_str(type_of(value)),
            Self::Length => push_number(&mut text, length(value)),
            Self::Size => push_number(&mut text, size(value)),
            Self::Value => push_shown(&mut text, value),
        }
        text
    }

    /// How many bytes to expect.
    fn room(self, value: &Value) -> usize {
        match (self, value) {
            (Self::Unsaid, _) => 0,
            (Self::Value, Value::String(text)) => text.len().min(SHOWN_CHARS) + 2,
            (Self::Value, _) => 24,
            _ => 10,
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
        _ => {
            let mut cut = Cut { text, left: SHOWN_CHARS };
            if write!(cut, "{value}").is_err() {
                text.push('…');
            }
        }
    }
}

/// Whether a text is short and reads in JSON as it is.
fn is_plain(text: &str) -> bool {
    let reads_as_it_is = |byte: u8| byte >= b' ' && byte != b'"' && byte != b'\\';
    text.len() + 2 <= SHOWN_CHARS && text.bytes().all(reads_as_it_is)
}

/// Takes so many characters, and fails at the first that is too many: what is
/// never shown is never written.
struct Cut<'a> {
    text: &'a mut String,
    left: usize,
}

impl Write for Cut<'_> {
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
