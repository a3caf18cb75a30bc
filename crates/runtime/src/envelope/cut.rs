//! Cuts a result to a length, keeps its shape, and says in it that it was cut.

use std::io::{self, Write};

use serde_json::{Map, Value, json};

/// The member of a cut result that announces the cut.
pub const CUT: &str = "_truncated";

/// What stands at the end of a text that was cut.
const ELLIPSIS: char = '…';

/// Brings a value down to about so many characters of JSON. Says whether it had to.
pub(crate) fn cut(value: &mut Value, max_chars: usize) -> bool {
    if !longer_than(value, max_chars) {
        return false;
    }
    let total = length(value);
    let note = format!(
        "The result had {total} characters and was cut to about {max_chars}. \
         Ask for less, or for the rest."
    );
    let mut left = max_chars;
    let short = shortened(value, &mut left);
    *value = announced(short, json!(note));
    true
}

fn announced(short: Value, note: Value) -> Value {
    match short {
        Value::Object(mut members) => {
            members.insert(CUT.to_owned(), note);
            Value::Object(members)
        }
        other => json!({ "result": other, CUT: note }),
    }
}

/// As much of a value as fits, from its beginning. Keys and scalars of what was begun stay whole.
fn shortened(value: &Value, left: &mut usize) -> Value {
    match value {
        Value::String(text) => shortened_text(text, left),
        Value::Array(items) => {
            let mut kept = Vec::new();
            for item in items {
                if *left == 0 {
                    break;
                }
                take(left, 1);
                kept.push(shortened(item, left));
            }
            Value::Array(kept)
        }
        Value::Object(members) => {
            let mut kept = Map::new();
            for (key, member) in members {
                if *left == 0 {
                    break;
                }
                take(left, key.chars().count() + 4);
                kept.insert(key.clone(), shortened(member, left));
            }
            Value::Object(kept)
        }
        scalar => {
            take(left, 5);
            scalar.clone()
        }
    }
}

fn shortened_text(text: &str, left: &mut usize) -> Value {
    let end = text.char_indices().nth(*left).map(|(end, _)| end);
    let Some(end) = end else {
        take(left, text.chars().count() + 2);
        return json!(text);
    };
    *left = 0;
    let mut short = text.get(..end).unwrap_or_default().to_owned();
    short.push(ELLIPSIS);
    Value::String(short)
}

fn take(left: &mut usize, chars: usize) {
    *left = left.saturating_sub(chars);
}

/// Counts the characters of JSON that are written, and stops when there are too many.
struct Count {
    chars: usize,
    most: usize,
}

impl Write for Count {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.chars += bytes.iter().filter(|byte| **byte & 0xC0 != 0x80).count();
        if self.chars > self.most { Err(io::ErrorKind::WriteZero.into()) } else { Ok(bytes.len()) }
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

fn longer_than(value: &Value, most: usize) -> bool {
    serde_json::to_writer(Count { chars: 0, most }, value).is_err()
}

fn length(value: &Value) -> usize {
    let mut count = Count { chars: 0, most: usize::MAX };
    // Counting without a limit cannot fail.
    let _ = serde_json::to_writer(&mut count, value);
    count.chars
}

#[cfg(test)]
#[path = "cut_tests.rs"]
mod tests;
