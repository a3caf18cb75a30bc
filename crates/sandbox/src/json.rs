//! Reads JSON text of a sandbox, which is not trusted.

use serde_json::Value;

/// Why a text is refused.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum TextFault {
    TooLong,
    Unreadable(String),
}

const TOO_DEEP: &str = "nested more than 128 levels deep";

/// Reads what `JSON.stringify` wrote. Lone surrogates become U+FFFD, because a Rust string cannot
/// contain them.
pub(crate) fn read(text: &str, longest: usize) -> Result<Value, TextFault> {
    if text.len() > longest {
        return Err(TextFault::TooLong);
    }
    let read = match without_lone_surrogates(text) {
        Some(text) => serde_json::from_str(&text),
        None => serde_json::from_str(text),
    };
    read.map_err(|error| TextFault::Unreadable(reason(&error)))
}

fn reason(error: &serde_json::Error) -> String {
    let text = error.to_string();
    if text.starts_with("recursion limit") { TOO_DEEP.into() } else { text }
}

/// The text with every escaped surrogate replaced, if it has any. Complete pairs are never escaped.
fn without_lone_surrogates(text: &str) -> Option<String> {
    if !text.contains("\\ud") {
        return None;
    }
    let mut clean = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find('\\') {
        let (before, escape) = rest.split_at(at);
        clean.push_str(before);
        let length = if escape.starts_with("\\u") { 6 } else { 2 };
        let (escape, after) = escape.split_at_checked(length).unwrap_or((escape, ""));
        clean.push_str(if is_surrogate(escape) { "\\ufffd" } else { escape });
        rest = after;
    }
    clean.push_str(rest);
    Some(clean)
}

fn is_surrogate(escape: &str) -> bool {
    let digits = escape.strip_prefix("\\ud").unwrap_or_default();
    digits.starts_with(['8', '9', 'a', 'b', 'c', 'd', 'e', 'f'])
}

#[cfg(test)]
#[path = "json_tests.rs"]
mod tests;
