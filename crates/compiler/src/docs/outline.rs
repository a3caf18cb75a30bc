//! The parts of a Markdown text that rules need, with their places.

use super::fence::Fence;
use crate::source::Span;

/// The parts of a text.
#[derive(Debug, Default)]
pub(crate) struct Outline {
    /// The headings at the top level.
    pub(crate) headings: Vec<Heading>,
    /// The first paragraph below the title, if no other block comes before it.
    pub(crate) lead: Option<Span>,
    pub(crate) fences: Vec<Fence>,
    /// Every inline code.
    pub(crate) codes: Vec<InlineCode>,
    /// The words of headings and of bold or italic text.
    pub(crate) stressed: String,
    /// The inline codes that lead an entry of a Parameters section.
    pub(crate) names: Vec<Name>,
}

/// A heading.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Heading {
    pub(crate) level: u8,
    pub(crate) title: String,
    pub(crate) span: Span,
}

impl Heading {
    /// The normalised title.
    pub(crate) fn folded(&self) -> String {
        fold_title(&self.title)
    }
}

/// An inline code.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct InlineCode {
    pub(crate) text: String,
    pub(crate) span: Span,
}

/// The name at the start of a list item, a table row or a sub-heading.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Name {
    pub(crate) text: String,
    pub(crate) span: Span,
    /// The index of the name above the entry.
    pub(crate) parent: Option<usize>,
    /// Whether the entry is nested in one without a name.
    pub(crate) below_prose: bool,
}

/// The purpose of a section.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Section {
    Examples,
    Parameters,
    Other,
}

impl Section {
    pub(crate) fn of(title: &str) -> Self {
        match fold_title(title).as_str() {
            "examples" | "example" => Self::Examples,
            "parameters" | "arguments" => Self::Parameters,
            _ => Self::Other,
        }
    }
}

/// Normalises a title: ignores case, a remark in parentheses and a colon.
fn fold_title(title: &str) -> String {
    let title = title.trim().trim_end_matches(':').to_lowercase();
    let title = match title.strip_suffix(')').and_then(|rest| rest.rsplit_once('(')) {
        Some((before, _)) if !before.trim().is_empty() => before.to_owned(),
        _ => title,
    };
    title.trim().trim_end_matches(':').split_whitespace().collect::<Vec<_>>().join(" ")
}
