//! The words of a text, with their places.

use std::borrow::Cow;
use std::ops::Range;

use super::hidden;

/// A word as it is written.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Word<'a> {
    pub(super) text: &'a str,
    pub(super) place: Range<usize>,
}

impl<'a> Word<'a> {
    /// The word in lower case, without invisible characters and surrounding quotes.
    pub(super) fn folded(&self) -> Cow<'a, str> {
        if self.text.bytes().all(|b| b.is_ascii_lowercase() || b.is_ascii_digit()) {
            return Cow::Borrowed(self.text);
        }
        let visible = self.text.chars().filter(|c| !hidden::is_hidden(*c));
        let folded: String = visible.map(plain).flat_map(char::to_lowercase).collect();
        Cow::Owned(folded.trim_matches('\'').to_owned())
    }
}

/// Full-width forms as ASCII, and one apostrophe.
fn plain(c: char) -> char {
    match c {
        '’' => '\'',
        '\u{ff01}'..='\u{ff5e}' => char::from_u32(u32::from(c) - 0xfee0).unwrap_or(c),
        c => c,
    }
}

/// The words of a text, in order.
#[derive(Debug, Clone)]
pub(super) struct TextWords<'a> {
    text: &'a str,
    at: usize,
}

impl<'a> TextWords<'a> {
    pub(super) fn of(text: &'a str) -> Self {
        Self { text, at: 0 }
    }

    /// Goes on at an offset.
    pub(super) fn skip_to(&mut self, at: usize) {
        self.at = at;
    }

    /// The offset of the first character from `at` on for which `wanted` does not hold.
    fn pass(&self, mut at: usize, wanted: impl Fn(char) -> bool) -> usize {
        let bytes = self.text.as_bytes();
        while let Some(byte) = bytes.get(at) {
            if byte.is_ascii() {
                if !wanted(char::from(*byte)) {
                    break;
                }
                at += 1;
            } else {
                let Some(c) = self.text.get(at..).and_then(|rest| rest.chars().next()) else {
                    break;
                };
                if !wanted(c) {
                    break;
                }
                at += c.len_utf8();
            }
        }
        at
    }
}

impl<'a> Iterator for TextWords<'a> {
    type Item = Word<'a>;

    fn next(&mut self) -> Option<Word<'a>> {
        let start = self.pass(self.at, |c| !is_word(c));
        let end = self.pass(start, |c| is_word(c) || (!c.is_ascii() && hidden::is_hidden(c)));
        self.at = end;
        let text = self.text.get(start..end).filter(|text| !text.is_empty())?;
        Some(Word { text, place: start..end })
    }
}

fn is_word(c: char) -> bool {
    c.is_ascii_alphanumeric() || c == '\'' || c == '’' || (!c.is_ascii() && c.is_alphanumeric())
}
