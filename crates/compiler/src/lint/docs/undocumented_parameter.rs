//! A parameter that the documentation never names.

use std::collections::HashSet;

use crate::diagnostic::Diagnostic;
use crate::docs::Documentation;
use crate::docs::outline::Section;
use crate::draft::Draft;
use crate::lint::expressions::shape::PlaceSchemas;
use crate::rule::rule;

rule! {
    /// The documentation never names one of the parameters.
    ///
    /// ## Why
    /// A model that reads the guide learns nothing about the parameter but its type and
    /// description. Named means: in backticks, bold or italic text or a heading, anywhere
    /// outside of fenced code.
    ///
    /// ## Example
    /// A schema with `include_snippets`, and a guide whose Parameters section is older than
    /// that parameter.
    ///
    /// ## Fix
    /// Say what the parameter is for: `` - `include_snippets`: set it to false to save space ``.
    UNDOCUMENTED_PARAMETER, "AIL-D011", "undocumented-parameter", Warning
}

pub(crate) fn check(draft: &Draft, documentation: &Documentation, found: &mut Vec<Diagnostic>) {
    let Some(parameters) = draft.field("/parameters") else { return };
    let named = named(documentation);
    for parameter in PlaceSchemas::of(parameters).names() {
        if !named.contains(parameter) {
            found.push(diagnose(documentation, parameter));
        }
    }
}

/// Every inline code, whole and word by word, and the words of headings and stressed text.
fn named(documentation: &Documentation) -> HashSet<&str> {
    let codes = documentation.outline.codes.iter().map(|code| code.text.as_str());
    let boundary = |c: char| !(c.is_alphanumeric() || matches!(c, '_' | '-' | '$'));
    let stressed = documentation.outline.stressed.split(boundary);
    codes.flat_map(|code| code.split(boundary).chain([code.trim()])).chain(stressed).collect()
}

fn diagnose(documentation: &Documentation, parameter: &str) -> Diagnostic {
    let message = format!("parameter `{parameter}` is named nowhere in the documentation");
    let finding = Diagnostic::new(&UNDOCUMENTED_PARAMETER, &documentation.source, message)
        .help(format!("say what it is for, with its name in backticks: `` `{parameter}` ``"));
    let mut headings = documentation.outline.headings.iter();
    match headings.find(|heading| Section::of(&heading.title) == Section::Parameters) {
        Some(heading) => finding.at(heading.span.clone()),
        None => finding,
    }
}
