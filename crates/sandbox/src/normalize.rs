//! Unicode normalisation for the sandbox in linear time. The engine's implementation uses insertion
//! sort for combining marks, so that 80 KB of them block a thread for seconds.

use std::cmp::Ordering;

use unicode_normalization::UnicodeNormalization;

/// The text in one of the four forms; none if that is longer than `longest` bytes. The form is one
/// that `String.prototype.normalize` accepts.
pub(crate) fn normalized(text: &str, form: &str, longest: usize) -> Option<String> {
    match form {
        "NFD" => collected(text.nfd(), longest),
        "NFKC" => collected(text.nfkc(), longest),
        "NFKD" => collected(text.nfkd(), longest),
        _ => collected(text.nfc(), longest),
    }
}

/// How two texts compare by code points in form NFC, as the engine's `localeCompare` does.
pub(crate) fn compared(one: &str, other: &str) -> i32 {
    match one.nfc().cmp(other.nfc()) {
        Ordering::Less => -1,
        Ordering::Equal => 0,
        Ordering::Greater => 1,
    }
}

fn collected(chars: impl Iterator<Item = char>, longest: usize) -> Option<String> {
    let mut text = String::new();
    for char in chars {
        text.push(char);
        if text.len() > longest {
            return None;
        }
    }
    Some(text)
}

#[cfg(test)]
#[path = "normalize_tests.rs"]
mod tests;
