//! Documentation: `AIL-D`.

use std::collections::BTreeSet;
use std::sync::Arc;

use crate::diagnostic::Diagnostic;
use crate::docs::{DocsForm, Documentation};
use crate::draft::Draft;
use crate::rule::Rule;
use crate::source::{Source, Span};

pub(crate) mod arguments;
mod example;
mod example_not_json;
mod incomplete_two_file_form;
mod invalid_example;
mod missing_documentation;
mod missing_section;
mod missing_summary;
mod mixed_forms;
mod no_examples;
#[cfg(test)]
pub(crate) mod sample;
mod summary_too_long;
mod title_mismatch;
mod undocumented_parameter;
mod unknown_parameter;

pub(crate) const RULES: &[&Rule] = &[
    &missing_documentation::MISSING_DOCUMENTATION,
    &mixed_forms::MIXED_FORMS,
    &incomplete_two_file_form::INCOMPLETE_TWO_FILE_FORM,
    &title_mismatch::TITLE_MISMATCH,
    &missing_summary::MISSING_SUMMARY,
    &summary_too_long::SUMMARY_TOO_LONG,
    &missing_section::MISSING_SECTION,
    &example_not_json::EXAMPLE_NOT_JSON,
    &invalid_example::INVALID_EXAMPLE,
    &unknown_parameter::UNKNOWN_PARAMETER,
    &undocumented_parameter::UNDOCUMENTED_PARAMETER,
    &no_examples::NO_EXAMPLES,
];

/// Checks which documentation files a directory has.
pub(crate) fn check_files(
    folder: &Arc<Source>,
    files: &BTreeSet<String>,
    found: &mut Vec<Diagnostic>,
) {
    missing_documentation::check(folder, files, found);
    mixed_forms::check(folder, files, found);
    incomplete_two_file_form::check(folder, files, found);
}

/// Checks the summary, given its place and its text as one line.
pub(crate) fn check_summary(
    source: &Arc<Source>,
    place: Option<Span>,
    summary: &str,
    found: &mut Vec<Diagnostic>,
) {
    match place {
        Some(place) => summary_too_long::check(source, place, summary, found),
        None => found.push(missing_summary::diagnose(source)),
    }
}

pub(crate) fn check(draft: &Draft, found: &mut Vec<Diagnostic>) {
    let Some(documentation) = &draft.documentation else { return };
    match documentation.form {
        DocsForm::Guide => title_mismatch::check(draft, documentation, found),
        DocsForm::TwoFiles => missing_section::check(documentation, found),
    }
    check_examples(draft, documentation, found);
    unknown_parameter::check(draft, documentation, found);
    undocumented_parameter::check(draft, documentation, found);
    no_examples::check(draft, documentation, found);
}

fn check_examples(draft: &Draft, documentation: &Documentation, found: &mut Vec<Diagnostic>) {
    for fence in example::fences(documentation) {
        if let Some(arguments) = example::read(&documentation.source, fence, found) {
            invalid_example::check(draft, documentation, fence, &arguments, found);
        }
    }
}

#[cfg(test)]
#[path = "docs_tests.rs"]
mod tests;
