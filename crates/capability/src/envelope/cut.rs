//! Truncates a result to a length, keeps its structure, and marks in it that it was truncated.
//!
//! Long texts are shortened first, all to the same length, so that one long text does not take
//! the place of the names and numbers around it. Then lists lose their ends. Members of objects
//! are left out last.

use std::io::{self, Write};

use serde_json::{Map, Value, json};

/// The member of a truncated result that marks the truncation.
pub const CUT: &str = "_truncated";

/// The end of a truncated text.
const ELLIPSIS: char = '…';

/// Texts are not truncated below this length while lists can be shortened.
const LEAST_TEXT: usize = 80;

/// The limits for a truncated value.
#[derive(Debug, Clone, Copy)]
struct Limits {
    /// The maximum length of a text, in characters of JSON.
    text: usize,
    /// The maximum number of items of a list.
    items: usize,
    /// The maximum number of members of an object.
    members: usize,
}

/// Truncates a value to this many characters of JSON, without the mark. Returns whether it was
/// necessary.
pub(crate) fn cut(value: &mut Value, max_chars: usize) -> bool {
    if !longer_than(value, max_chars) {
        return false;
    }
    let total = length(value);
    let limits = limits(value, max_chars);
    let note = note(total, max_chars, &limits);
    let short = shortened(value, &limits);
    *value = announced(short, json!(note));
    true
}

fn note(total: usize, max_chars: usize, limits: &Limits) -> String {
    let mut note = format!("The result had {total} characters and was cut to about {max_chars}: ");
    note.push_str(&match limits {
        Limits { items: usize::MAX, text, .. } => {
            format!("texts of more than {text} characters end in {ELLIPSIS}")
        }
        Limits { items, .. } => {
            format!("lists keep their first {items} items, texts are shortened")
        }
    });
    note.push_str(". Ask for less, or for the rest.");
    note
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

/// The widest limits with which a value is short enough. The limits are tightened one after
/// another.
fn limits(value: &Value, max_chars: usize) -> Limits {
    const NONE: usize = usize::MAX;
    let fits = |limits: &Limits| size(value, limits, max_chars) <= max_chars;
    let text = |text| Limits { text, items: NONE, members: NONE };
    let items = |items| Limits { text: LEAST_TEXT, items, members: NONE };
    let members = |members| Limits { text: LEAST_TEXT, items: 1, members };
    let last = |text| Limits { text, items: 1, members: 1 };
    let least = LEAST_TEXT.min(max_chars);
    widest(least, max_chars, |limit| fits(&text(limit)))
        .map(text)
        .or_else(|| widest(1, max_chars, |limit| fits(&items(limit))).map(items))
        .or_else(|| widest(1, max_chars, |limit| fits(&members(limit))).map(members))
        .unwrap_or_else(|| last(widest(0, least, |limit| fits(&last(limit))).unwrap_or(0)))
}

/// The greatest number in a range for which `holds` is true, if it is true for all below; `None` if
/// it is false for `least`.
fn widest(least: usize, most: usize, holds: impl Fn(usize) -> bool) -> Option<usize> {
    if !holds(least) {
        return None;
    }
    let (mut low, mut high) = (least, most);
    while low < high {
        let middle = low + (high - low).div_ceil(2);
        if holds(middle) { low = middle } else { high = middle - 1 }
    }
    Some(low)
}

/// How many characters of JSON a value has within limits; counting stops above `most`.
fn size(value: &Value, limits: &Limits, most: usize) -> usize {
    match value {
        Value::String(text) => 2 + text_size(text, limits.text),
        Value::Array(items) => {
            sum(items.iter().take(limits.items), most, |item| 1 + size(item, limits, most))
        }
        Value::Object(members) => {
            sum(members.iter().take(limits.members), most, |(key, member)| {
                4 + text_size(key, most) + size(member, limits, most)
            })
        }
        scalar => length(scalar),
    }
}

/// The length of brackets and items; each item counts one more for its comma or closing bracket.
fn sum<T>(items: impl Iterator<Item = T>, most: usize, size: impl Fn(T) -> usize) -> usize {
    let mut total = 1;
    for item in items {
        total += size(item);
        if total > most {
            break;
        }
    }
    total.max(2)
}

/// The length of a text in JSON, at most the limit and the ellipsis.
fn text_size(text: &str, limit: usize) -> usize {
    let mut total = 0;
    for c in text.chars() {
        if total > limit {
            return limit.saturating_add(1);
        }
        total += escaped(c);
    }
    total.min(limit.saturating_add(1))
}

/// The length of a character in JSON.
fn escaped(c: char) -> usize {
    match c {
        '"' | '\\' | '\n' | '\r' | '\t' | '\u{8}' | '\u{c}' => 2,
        '\0'..='\u{1f}' => 6,
        _ => 1,
    }
}

fn shortened(value: &Value, limits: &Limits) -> Value {
    match value {
        Value::String(text) => shortened_text(text, limits.text),
        Value::Array(items) => {
            items.iter().take(limits.items).map(|item| shortened(item, limits)).collect()
        }
        Value::Object(members) => {
            let members = members.iter().take(limits.members);
            let kept: Map<String, Value> =
                members.map(|(key, member)| (key.clone(), shortened(member, limits))).collect();
            Value::Object(kept)
        }
        scalar => scalar.clone(),
    }
}

fn shortened_text(text: &str, limit: usize) -> Value {
    let mut total = 0;
    let end = text.char_indices().find(|(_, c)| {
        total += escaped(*c);
        total > limit
    });
    let Some((end, _)) = end else { return json!(text) };
    let mut short = text.get(..end).unwrap_or_default().to_owned();
    short.push(ELLIPSIS);
    Value::String(short)
}

/// Counts the characters of written JSON, and stops when there are too many.
struct CharCounter {
    chars: usize,
    most: usize,
}

impl Write for CharCounter {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.chars += bytes.iter().filter(|byte| **byte & 0xC0 != 0x80).count();
        if self.chars > self.most { Err(io::ErrorKind::WriteZero.into()) } else { Ok(bytes.len()) }
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

fn longer_than(value: &Value, most: usize) -> bool {
    serde_json::to_writer(CharCounter { chars: 0, most }, value).is_err()
}

fn length(value: &Value) -> usize {
    let mut count = CharCounter { chars: 0, most: usize::MAX };
    // Counting without a limit cannot fail.
    let _ = serde_json::to_writer(&mut count, value);
    count.chars
}

#[cfg(test)]
#[path = "cut_tests.rs"]
mod tests;
