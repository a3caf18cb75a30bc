//! Hides what a tool declared as not to be seen: one function for logs, audit
//! records and events. Which pointers apply is the tool's `redact`.

use std::borrow::Cow;

use serde_json::Value;

/// What stands where something was hidden.
pub const REDACTED: &str = "[redacted]";

/// The value with everything the JSON Pointers name replaced by [`REDACTED`].
///
/// An array on the way stands for all of its items, so `/contacts/email` hides
/// the address of every contact. A pointer to nothing hides nothing.
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

/// A pointer into a value, up to what one of the others hides: the names below are part of that.
pub fn shown_pointer<'a>(pointer: &'a str, hidden: &[String]) -> &'a str {
    let ends = hidden.iter().filter_map(|hidden| end_of_hidden(pointer, hidden));
    ends.min().map_or(pointer, |end| &pointer[..end])
}

/// Where a pointer has come to what the other one hides.
fn end_of_hidden(pointer: &str, hidden: &str) -> Option<usize> {
    let mut hidden = hidden.split('/').skip(1).peekable();
    let mut end = 0;
    for segment in pointer.split('/').skip(1) {
        let Some(next) = hidden.peek() else { return Some(end) };
        let is_item = !segment.is_empty() && segment.bytes().all(|byte| byte.is_ascii_digit());
        end += segment.len() + 1;
        match segment == *next {
            true => drop(hidden.next()),
            // An item of an array on the way, which the other pointer passes over.
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
