//! Room for parsers that recurse: how much stack a text may need at most, and a
//! thread that has it.
//!
//! The parser and its visitors recurse once per nested token. The estimate counts
//! every token as if all of them were nested, so it holds whatever the text says;
//! the memory is only reserved, and touched as far as the nesting really goes.

use std::panic::{self, AssertUnwindSafe};
use std::thread;

use super::nesting;

/// Bytes of stack for one opening bracket; the most that was measured is 1,850.
const OPENING: usize = 4096;
/// For one character of an operator; the most that was measured is 360.
const OPERATOR: usize = 512;
/// For one word; the most that was measured is 530.
const WORD: usize = 768;
/// For everything that does not depend on the text.
const BASE: usize = 256 << 10;

/// Up to here the caller's own stack, 2 MiB at least, is enough.
const INLINE: usize = 1 << 20;
/// The most that is reserved; 1 MiB of dense code stays below.
const MOST: usize = 1 << 30;

/// What a text needs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum StackNeed {
    /// So many bytes of stack, at most.
    Bytes(usize),
    /// More than can be given; the place where it became too much, if there is one.
    TooDeep(Option<usize>),
}

/// What parsing a text of JavaScript or TypeScript may need.
pub(crate) fn need(text: &str) -> StackNeed {
    if let Some(at) = nesting::too_deep(text) {
        return StackNeed::TooDeep(Some(at));
    }
    let bytes = estimate(text);
    if bytes > MOST - BASE { StackNeed::TooDeep(None) } else { StackNeed::Bytes(bytes + BASE) }
}

/// Counts everything that may be a token, those in strings and comments included:
/// what looks like a string need not be one.
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

/// Runs work that may need so many bytes of stack. `None`: the thread for it could
/// not be started, or it panicked; a fault of a parser does not end the build.
pub(crate) fn run<T: Send>(bytes: usize, work: impl FnOnce() -> T + Send) -> Option<T> {
    if bytes <= INLINE {
        return panic::catch_unwind(AssertUnwindSafe(work)).ok();
    }
    run_apart(bytes, work)
}

/// Runs work on a thread of its own with so many bytes of stack.
pub(crate) fn run_apart<T: Send>(bytes: usize, work: impl FnOnce() -> T + Send) -> Option<T> {
    thread::scope(|scope| {
        thread::Builder::new().stack_size(bytes).spawn_scoped(scope, work).ok()?.join().ok()
    })
}

#[cfg(test)]
#[path = "stack_tests.rs"]
mod tests;
