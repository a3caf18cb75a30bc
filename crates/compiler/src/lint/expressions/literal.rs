//! Places inside of a JSON string, whose text and literal differ by escapes.

use std::ops::Range;

use crate::document::Document;
use crate::source::Span;

/// The span in the file of a byte range of the text at a pointer.
pub(crate) fn span(document: &Document, pointer: &str, range: Range<usize>) -> Span {
    inside(&document.source.text, document.span(pointer), range)
}

/// The same for the literal at `whole`, quotes included.
pub(crate) fn inside(source: &str, whole: Span, range: Range<usize>) -> Span {
    let literal = source.get(whole.clone()).unwrap_or_default();
    let Some(inner) = literal.strip_prefix('"').and_then(|rest| rest.strip_suffix('"')) else {
        return whole;
    };
    let base = whole.start + 1;
    let start = raw_offset(inner, range.start);
    let end = raw_offset(inner, range.end.max(range.start)).max(start);
    base + start..base + end
}

/// The number of bytes of a literal for the first `wanted` bytes of its text.
fn raw_offset(inner: &str, wanted: usize) -> usize {
    let (mut raw, mut text) = (0, 0);
    while text < wanted {
        let Some((taken, given)) = inner.get(raw..).and_then(next_character) else { break };
        raw += taken;
        text += given;
    }
    raw
}

/// The bytes of the next character, in the literal and in the text.
fn next_character(rest: &str) -> Option<(usize, usize)> {
    let first = rest.chars().next()?;
    if first != '\\' {
        return Some((first.len_utf8(), first.len_utf8()));
    }
    if rest.as_bytes().get(1) != Some(&b'u') {
        return Some((2, 1));
    }
    let unit = hex(rest.get(2..6)?)?;
    if (0xD800..0xDC00).contains(&unit) {
        return Some((12, 4));
    }
    char::from_u32(unit).map(|c| (6, c.len_utf8()))
}

fn hex(digits: &str) -> Option<u32> {
    u32::from_str_radix(digits, 16).ok()
}

#[cfg(test)]
#[path = "literal_tests.rs"]
mod tests;
