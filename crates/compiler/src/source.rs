//! A file the compiler has read, and places inside of it.

use std::ops::Range;
use std::sync::Arc;

/// A byte range in a source.
pub type Span = Range<usize>;

/// A text with its displayed path.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Source {
    /// Path to show, with forward slashes: `tools/kb-search/schema.json`.
    pub path: String,
    /// The text, without byte order mark and with `\n` line ends.
    pub text: String,
}

impl Source {
    /// A source to share between the diagnostics that point into it.
    pub fn new(path: impl Into<String>, text: impl Into<String>) -> Arc<Self> {
        Arc::new(Self { path: path.into(), text: text.into() })
    }

    /// Line and column of a byte offset, both from 1, columns in characters.
    pub fn position(&self, offset: usize) -> Position {
        let before = self.text.get(..self.floor(offset)).unwrap_or_default();
        let line = before.bytes().filter(|b| *b == b'\n').count() + 1;
        let start = before.rfind('\n').map_or(0, |at| at + 1);
        let column = before.get(start..).unwrap_or_default().chars().count() + 1;
        Position { line, column }
    }

    /// The span of a whole line, counted from 1.
    pub fn line_span(&self, line: usize) -> Span {
        let mut start = 0;
        for (number, text) in self.text.split('\n').enumerate() {
            if number + 1 == line {
                return start..start + text.len();
            }
            start += text.len() + 1;
        }
        self.text.len()..self.text.len()
    }

    /// The span of one character at line and column, both from 1.
    pub fn point_span(&self, line: usize, column: usize) -> Span {
        let whole = self.line_span(line);
        let text = self.text.get(whole.clone()).unwrap_or_default();
        let mut chars = text.char_indices().skip(column.saturating_sub(1));
        match chars.next() {
            Some((at, c)) => whole.start + at..whole.start + at + c.len_utf8(),
            None => whole.end..whole.end,
        }
    }

    /// The nearest character boundary at or before an offset.
    fn floor(&self, offset: usize) -> usize {
        let offset = offset.min(self.text.len());
        (0..=offset).rev().find(|at| self.text.is_char_boundary(*at)).unwrap_or(0)
    }
}

/// A line and a column, both from 1.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Position {
    pub line: usize,
    pub column: usize,
}
