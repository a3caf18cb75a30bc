//! A fenced block of code, and the position of its text in the file.

use crate::source::Span;

/// A fenced block.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Fence {
    /// The first word after the fence, in lower case.
    pub(crate) language: String,
    /// Whether it is under an Examples heading.
    pub(crate) example: bool,
    /// The whole block, fences included.
    pub(crate) span: Span,
    pub(crate) text: String,
    /// Offsets in the text, and in the file, where its pieces begin.
    pieces: Vec<(usize, usize)>,
}

impl Fence {
    pub(crate) fn new(info: &str, example: bool, span: Span) -> Self {
        let language = info.split_whitespace().next().unwrap_or_default().to_lowercase();
        Self { language, example, span, text: String::new(), pieces: Vec::new() }
    }

    /// Adds a piece of the text that begins at `start` in the file.
    pub(crate) fn push(&mut self, text: &str, start: usize) {
        self.pieces.push((self.text.len(), start));
        self.text.push_str(text);
    }

    /// The position in the file of a part of the text.
    pub(crate) fn locate(&self, part: &Span) -> Span {
        let start = self.offset(part.start);
        start..self.offset(part.end).max(start)
    }

    fn offset(&self, at: usize) -> usize {
        let after = self.pieces.partition_point(|(start, _)| *start <= at);
        let piece = after.checked_sub(1).and_then(|index| self.pieces.get(index));
        piece.map_or(self.span.start, |(start, place)| place + (at - start)).min(self.span.end)
    }
}
