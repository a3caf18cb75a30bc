//! The documentation of a tool, in either of its two forms.
//!
//! Reads the files and finds their parts; `lint::docs` checks the contents of the parts.

use std::collections::BTreeSet;
use std::sync::Arc;

use crate::diagnostic::Diagnostic;
use crate::lint::docs as rules;
use crate::reader::{self, limit};
use crate::source::{Source, Span};
use crate::tree::SourceTree;

mod documentation;
pub(crate) mod fence;
pub(crate) mod outline;
mod scan;

pub(crate) use documentation::{DOC, DOC_SUMMARY, GUIDE};
pub use documentation::{DocsForm, Documentation};

/// Reads the documentation of a tool directory; its faults are added to `found`.
pub(crate) fn read(
    tree: &dyn SourceTree,
    directory: &str,
    files: &BTreeSet<String>,
    folder: &Arc<Source>,
    found: &mut Vec<Diagnostic>,
) -> Option<Documentation> {
    rules::check_files(folder, files, found);
    let mut open = |name: &str| {
        let path = files.contains(name).then(|| format!("{directory}/{name}"))?;
        reader::read(tree, &path, limit::TEXT, found).source()
    };
    match DocsForm::of(files)? {
        DocsForm::Guide => Some(guide(open(GUIDE)?, found)),
        DocsForm::TwoFiles => {
            let (doc, summary) = (open(DOC), open(DOC_SUMMARY));
            two_files(doc, summary, found)
        }
    }
}

fn guide(source: Arc<Source>, found: &mut Vec<Diagnostic>) -> Documentation {
    let outline = scan::parse(&source.text);
    let summary = summary(&source, outline.lead.clone(), found);
    let summary_source = Some(Arc::clone(&source));
    let text = normalised(&source.text);
    Documentation { form: DocsForm::Guide, source, summary_source, summary, text, outline }
}

fn two_files(
    doc: Option<Arc<Source>>,
    summary_source: Option<Arc<Source>>,
    found: &mut Vec<Diagnostic>,
) -> Option<Documentation> {
    let summary = summary_source.as_ref().map(|source| summary(source, content(source), found));
    let source = doc?;
    let outline = scan::parse(&source.text);
    let text = normalised(&source.text);
    let summary = summary.unwrap_or_default();
    Some(Documentation { form: DocsForm::TwoFiles, source, summary_source, summary, text, outline })
}

/// The summary at a place, as one line.
fn summary(source: &Arc<Source>, place: Option<Span>, found: &mut Vec<Diagnostic>) -> String {
    let text = place.clone().and_then(|span| source.text.get(span)).unwrap_or_default();
    let summary = folded(text);
    rules::check_summary(source, place, &summary, found);
    summary
}

/// The span of a file's text without surrounding white space.
fn content(source: &Source) -> Option<Span> {
    let text = source.text.trim();
    let start = source.text.len() - source.text.trim_start().len();
    (!text.is_empty()).then(|| start..start + text.len())
}

fn normalised(text: &str) -> String {
    match text.trim() {
        "" => String::new(),
        trimmed => format!("{trimmed}\n"),
    }
}

/// Every run of white space as one space.
fn folded(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
#[path = "docs_tests.rs"]
mod tests;
