//! The preview of a confirmation: text with `{name}` for arguments and `{{`,
//! `}}` for braces.

use std::ops::Range;

/// Its pointer in `schema.json`.
pub(crate) const POINTER: &str = "/confirmation/preview";

/// A parsed preview.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct Preview<'a> {
    pub(crate) placeholders: Vec<Placeholder<'a>>,
    pub(crate) problems: Vec<Problem>,
}

/// The inside of a pair of braces.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Placeholder<'a> {
    pub(crate) name: &'a str,
    /// Bytes of the text, braces left out.
    pub(crate) place: Range<usize>,
}

/// An invalid brace.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Problem {
    pub(crate) kind: ProblemKind,
    pub(crate) place: Range<usize>,
}

/// The fault of a brace.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum ProblemKind {
    Unclosed,
    Unopened,
    Empty,
}

/// Takes a preview apart.
pub(crate) fn parse(text: &str) -> Preview<'_> {
    let mut preview = Preview::default();
    let mut at = 0;
    while let Some(offset) = text.get(at..).and_then(|rest| rest.find(['{', '}'])) {
        let brace = at + offset;
        let rest = text.get(brace..).unwrap_or_default();
        at = if rest.starts_with("{{") || rest.starts_with("}}") {
            brace + 2
        } else if rest.starts_with('}') {
            preview.problem(ProblemKind::Unopened, brace..brace + 1)
        } else {
            preview.open(rest, brace)
        };
    }
    preview
}

impl<'a> Preview<'a> {
    /// Parses the text after an opening brace, and returns the rest.
    fn open(&mut self, rest: &'a str, brace: usize) -> usize {
        let inner = rest.get(1..).unwrap_or_default();
        let Some(end) = inner.find(['{', '}']).filter(|end| inner[*end..].starts_with('}')) else {
            return self.problem(ProblemKind::Unclosed, brace..brace + 1);
        };
        let name = &inner[..end];
        let close = brace + 1 + end + 1;
        if name.trim().is_empty() {
            return self.problem(ProblemKind::Empty, brace..close);
        }
        self.placeholders.push(Placeholder { name, place: brace + 1..close - 1 });
        close
    }

    fn problem(&mut self, kind: ProblemKind, place: Range<usize>) -> usize {
        let end = place.end;
        self.problems.push(Problem { kind, place });
        end
    }
}

#[cfg(test)]
#[path = "preview_tests.rs"]
mod tests;
