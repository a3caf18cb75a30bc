//! Replaces the values that a tool's `redact` names. Logs, audit records and events use this
//! function.

use std::borrow::Cow;

use serde_json::{Value, json};

/// The text that replaces a hidden value.
pub const REDACTED: &str = "[redacted]";

/// The value with everything the JSON Pointers name replaced by [`REDACTED`].
///
/// A pointer through an array applies to all items, so `/contacts/email` hides the address of every
/// contact. A pointer to nothing hides nothing.
pub fn redacted<'a>(value: &'a Value, pointers: &[String]) -> Cow<'a, Value> {
    if pointers.is_empty() {
        return Cow::Borrowed(value);
    }
    let mut copy = value.clone();
    for pointer in pointers {
        let segments: Vec<_> = pointer.split('/').skip(1).map(unescape).collect();
        hide(&mut copy, &segments);
    }
    Cow::Owned(copy)
}

/// The value at a place of a document, with everything the JSON Pointers into the document name replaced.
pub fn redacted_at(place: &str, value: &Value, pointers: &[String]) -> Value {
    let names: Vec<_> = place.split('/').skip(1).map(unescape).collect();
    let around = |inner: Value, name: &String| json!({ name: inner });
    let document = names.iter().rev().fold(value.clone(), around);
    let redacted = redacted(&document, pointers);
    redacted.pointer(place).cloned().unwrap_or_else(|| Value::String(REDACTED.to_owned()))
}

/// A pointer, cut where one of the hidden pointers ends: names below a hidden value are hidden too.
pub fn shown_pointer<'a>(pointer: &'a str, hidden: &[String]) -> &'a str {
    let ends = hidden.iter().filter_map(|hidden| end_of_hidden(pointer, hidden));
    ends.min().map_or(pointer, |end| &pointer[..end])
}

/// The position in a pointer where it reaches a hidden value.
fn end_of_hidden(pointer: &str, hidden: &str) -> Option<usize> {
    let mut hidden = hidden.split('/').skip(1).peekable();
    let mut end = 0;
    for segment in pointer.split('/').skip(1) {
        let Some(next) = hidden.peek() else { return Some(end) };
        let is_item = !segment.is_empty() && segment.bytes().all(|byte| byte.is_ascii_digit());
        end += segment.len() + 1;
        match segment == *next {
            true => drop(hidden.next()),
            // The index of an array item, which the hidden pointer omits.
            false if is_item => {}
            false => return None,
        }
    }
    hidden.peek().is_none().then_some(end)
}

fn unescape(segment: &str) -> String {
    segment.replace("~1", "/").replace("~0", "~")
}

fn hide(value: &mut Value, segments: &[String]) {
    let Some((first, rest)) = segments.split_first() else {
        *value = Value::String(REDACTED.to_owned());
        return;
    };
    match value {
        Value::Object(map) => {
            if let Some(child) = map.get_mut(first) {
                hide(child, rest);
            }
        }
        Value::Array(items) => match first.parse::<usize>() {
            Ok(index) => items.get_mut(index).into_iter().for_each(|item| hide(item, rest)),
            Err(_) => items.iter_mut().for_each(|item| hide(item, segments)),
        },
        _ => {}
    }
}

#[cfg(test)]
#[path = "redact_tests.rs"]
mod tests;
