//! The parsed documentation of a tool, and the names of its files.

use std::collections::BTreeSet;
use std::sync::Arc;

use super::outline::Outline;
use crate::source::Source;

/// The file of the one-file form.
pub(crate) const GUIDE: &str = "guide.md";
/// The full text of the two-file form.
pub(crate) const DOC: &str = "doc.md";
/// The summary of the two-file form.
pub(crate) const DOC_SUMMARY: &str = "doc_summary.md";

/// The text about a tool that a model reads.
#[derive(Debug)]
pub struct Documentation {
    pub form: DocsForm,
    /// The file with the full text.
    pub source: Arc<Source>,
    /// The file with the summary; `guide.md` holds both.
    pub summary_source: Option<Arc<Source>>,
    /// One line, white space folded.
    pub summary: String,
    /// The full text, without blank lines around it.
    pub text: String,
    pub(crate) outline: Outline,
}

/// The two forms of documentation.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum DocsForm {
    /// `guide.md`.
    Guide,
    /// `doc_summary.md` and `doc.md`.
    TwoFiles,
}

impl DocsForm {
    /// The form of a directory; `guide.md` wins if both exist.
    pub(super) fn of(files: &BTreeSet<String>) -> Option<Self> {
        let has = |name: &str| files.contains(name);
        match (has(GUIDE), has(DOC) || has(DOC_SUMMARY)) {
            (true, _) => Some(Self::Guide),
            (false, true) => Some(Self::TwoFiles),
            (false, false) => None,
        }
    }
}
