//! Stack for recursive parsers: estimates the maximum that a text needs, and provides a thread with
//! it.
//!
//! The parser and its visitors recurse once per nested token. The estimate counts every token as if
//! all of them were nested, so it holds for every text; the memory is only reserved, and used up to
//! the actual nesting.

use std::panic::{self, AssertUnwindSafe};
use std::thread;

use super::nesting;

/// Bytes of stack for one opening bracket; the measured maximum is 1,850.
const OPENING: usize = 4096;
/// For one character of an operator; the measured maximum is 360.
const OPERATOR: usize = 512;
/// For one word; the measured maximum is 530.
const WORD: usize = 768;
/// For everything that does not depend on the text.
const BASE: usize = 256 << 10;

/// Up to this size the caller's stack (at least 2 MiB) is enough.
const INLINE: usize = 1 << 20;
/// Maximum reserved stack; 1 MiB of dense code needs less.
const MOST: usize = 1 << 30;

/// The stack that a text needs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum StackNeed {
    /// The maximum bytes of stack.
    Bytes(usize),
    /// More than the maximum; the place where it is exceeded, if known.
    TooDeep(Option<usize>),
}

/// The stack for parsing a text of JavaScript or TypeScript.
pub(crate) fn need(text: &str) -> StackNeed {
    if let Some(at) = nesting::too_deep(text) {
        return StackNeed::TooDeep(Some(at));
    }
    let bytes = estimate(text);
    if bytes > MOST - BASE { StackNeed::TooDeep(None) } else { StackNeed::Bytes(bytes + BASE) }
}

/// Counts everything that may be a token, including those in strings and comments, because an
/// apparent string may not be one.
fn estimate(text: &str) -> usize {
    let mut in_word = false;
    let mut bytes = 0;
    for byte in text.bytes() {
        let word = byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'$') || !byte.is_ascii();
        bytes += match byte {
            b'(' | b'[' | b'{' | b'<' => OPENING,
            b')' | b']' | b'}' | b';' | b',' | b'"' | b'\'' => 0,
            _ if word && !in_word => WORD,
            _ if byte.is_ascii_punctuation() && !word => OPERATOR,
            _ => 0,
        };
        in_word = word;
    }
    bytes
}

/// Runs work that may need this many bytes of stack. `None`: the thread for it could not be
/// started, or it panicked; a fault of a parser does not end the build.
pub(crate) fn run<T: Send>(bytes: usize, work: impl FnOnce() -> T + Send) -> Option<T> {
    if bytes <= INLINE {
        return panic::catch_unwind(AssertUnwindSafe(work)).ok();
    }
    run_apart(bytes, work)
}

/// Runs work on a separate thread with this many bytes of stack.
pub(crate) fn run_apart<T: Send>(bytes: usize, work: impl FnOnce() -> T + Send) -> Option<T> {
    thread::scope(|scope| {
        thread::Builder::new().stack_size(bytes).spawn_scoped(scope, work).ok()?.join().ok()
    })
}

#[cfg(test)]
#[path = "stack_tests.rs"]
mod tests;
