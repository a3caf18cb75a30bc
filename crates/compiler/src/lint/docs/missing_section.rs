//! A two-file documentation without one of its sections.

use crate::diagnostic::Diagnostic;
use crate::docs::Documentation;
use crate::docs::outline::Heading;
use crate::rule::rule;
use crate::suggest;

/// The sections of `doc.md`, in their usual order.
const SECTIONS: [&str; 7] = [
    "Summary",
    "Preconditions",
    "Postconditions",
    "Invariants",
    "Failure Modes",
    "Examples",
    "Common Mistakes",
];

/// The level of their headings.
const LEVEL: u8 = 2;

rule! {
    /// `doc.md` lacks one of its seven sections.
    ///
    /// ## Why
    /// The two-file form is a contract: Summary, Preconditions, Postconditions, Invariants,
    /// Failure Modes, Examples and Common Mistakes, each a `##` heading. A missing section
    /// leaves a question unanswered. Case, a colon and a remark in parentheses
    /// are ignored: `## Common Mistakes (Do Not)` counts.
    ///
    /// ## Example
    /// ```markdown
    /// ## Precondtions
    /// - The session is active.
    /// ```
    ///
    /// ## Fix
    /// Write the section, or correct its heading.
    MISSING_SECTION, "AIL-D007", "missing-section", Error
}

pub(crate) fn check(documentation: &Documentation, found: &mut Vec<Diagnostic>) {
    let headings = &documentation.outline.headings;
    let is = |heading: &Heading, section: &str| heading.folded() == section.to_lowercase();
    let (present, missing): (Vec<&str>, Vec<&str>) = SECTIONS
        .iter()
        .partition(|section| headings.iter().any(|h| h.level == LEVEL && is(h, section)));
    let spare = |heading: &&Heading| {
        !present.iter().any(|section| heading.level == LEVEL && is(heading, section))
    };
    let spare: Vec<_> = headings.iter().filter(spare).collect();
    for section in missing {
        found.push(diagnose(documentation, section, &spare));
    }
}

fn diagnose(documentation: &Documentation, section: &str, spare: &[&Heading]) -> Diagnostic {
    let source = &documentation.source;
    let titles: Vec<_> = spare.iter().map(|heading| heading.folded()).collect();
    let closest = suggest::closest(section, titles.iter().map(String::as_str));
    let meant = closest.and_then(|title| spare.iter().find(|h| h.folded() == title));
    let finding =
        Diagnostic::new(&MISSING_SECTION, source, format!("section `## {section}` is missing"));
    match meant {
        Some(heading) => {
            let line = source.position(heading.span.start).line;
            let written = source.text.get(heading.span.clone()).unwrap_or_default();
            let written = written.lines().next().unwrap_or_default();
            let help = format!("did you mean line {line}, `{written}`?");
            finding.at(heading.span.clone()).help(help)
        }
        None => finding.help(format!("write it, with `## {section}` as its heading")),
    }
}
