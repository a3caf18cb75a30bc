//! Documentation without an example call.

use super::example;
use crate::diagnostic::Diagnostic;
use crate::docs::outline::Section;
use crate::docs::{DocsForm, Documentation};
use crate::draft::Draft;
use crate::lint::expressions::shape::PlaceSchemas;
use crate::rule::rule;

rule! {
    /// The tool has parameters, but its documentation shows no call.
    ///
    /// ## Why
    /// One good example does more for a model's first call than a page of prose, and it is
    /// checked against the schema at every build.
    ///
    /// ## Example
    /// A guide without a `## Examples` section, or with nothing but prose in it.
    ///
    /// ## Fix
    /// Add a fenced `json` block with an argument object under `## Examples`.
    NO_EXAMPLES, "AIL-D012", "no-examples", Warning
}

pub(crate) fn check(draft: &Draft, documentation: &Documentation, found: &mut Vec<Diagnostic>) {
    let parameters =
        draft.field("/parameters").map(|schema| PlaceSchemas::of(schema).names().len());
    if parameters.unwrap_or_default() == 0 || example::fences(documentation).next().is_some() {
        return;
    }
    let mut headings = documentation.outline.headings.iter();
    let heading = headings.find(|heading| Section::of(&heading.title) == Section::Examples);
    if heading.is_none() && documentation.form == DocsForm::TwoFiles {
        // The missing section is reported by itself.
        return;
    }
    let message = "expected an example call, found no `json` block under an Examples heading";
    let finding = Diagnostic::new(&NO_EXAMPLES, &documentation.source, message)
        .help("add a fenced `json` block with an argument object under `## Examples`");
    found.push(match heading {
        Some(heading) => finding.at(heading.span.clone()),
        None => finding,
    });
}
