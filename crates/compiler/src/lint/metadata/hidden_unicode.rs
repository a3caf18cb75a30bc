//! Text that a model reads and a person does not see.

use super::hidden::{self, Run};
use super::passage::{self, Passage};
use crate::diagnostic::Diagnostic;
use crate::draft::Draft;
use crate::rule::rule;

/// How many places of one file are reported one by one.
const MOST_PLACES: usize = 20;

/// How much of a hidden message is shown.
const SHOWN_CHARACTERS: usize = 60;

rule! {
    /// A text contains invisible characters.
    ///
    /// ## Why
    /// Zero-width and control characters, bidirectional controls, tag characters and stray
    /// variation selectors do not show in an editor or a review, but a model reads them. They
    /// are the usual way to smuggle instructions into a tool, or to make a name look like
    /// another. The rule checks all keys and texts of `schema.json`, the documentation and
    /// `cases.json`; in `cases.json`, which no model reads, an escape such as `\u200b` is fine.
    ///
    /// Emoji sequences, and joiners within scripts that need them, are not reported.
    ///
    /// ## Example
    /// ```json
    /// { "description": "Searches the knowledge base.\u200b\u200d\u200b" }
    /// ```
    ///
    /// ## Fix
    /// Delete the characters. If you did not put them there, find out who did, and read the
    /// rest of the tool with care.
    HIDDEN_UNICODE, "AIL-L003", "hidden-unicode", Error
}

pub(crate) fn check(draft: &Draft, found: &mut Vec<Diagnostic>) {
    if let Some(schema) = draft.schema.as_ref().filter(|schema| is_suspect(&schema.source.text)) {
        let mut inside = Vec::new();
        passage::of_json(schema, &mut |passage| look(passage, &mut inside));
        found.extend(shortened(inside));
    }
    let documents = draft.documentation.iter().flat_map(passage::of_documentation);
    let cases = draft.cases.iter().map(|cases| Passage::file(&cases.source));
    for file in documents.chain(cases) {
        let mut inside = Vec::new();
        look(&file, &mut inside);
        found.extend(shortened(inside));
    }
}

/// Whether a JSON file may contain a hidden character, literal or escaped.
fn is_suspect(text: &str) -> bool {
    !text.is_ascii() || text.contains("\\u")
}

fn look(passage: &Passage<'_>, found: &mut Vec<Diagnostic>) {
    for run in hidden::runs(passage.text) {
        let message = format!("{} in {}", described(&run), passage.title());
        let finding = passage.finding(&HIDDEN_UNICODE, run.place, message);
        found.push(finding.help("delete what cannot be seen, and find out how it came there"));
    }
}

fn described(run: &Run) -> String {
    let first = run.characters.first().copied().unwrap_or_default();
    let code = format!("U+{:04X} ({})", u32::from(first), hidden::name(first));
    let spelled: String = run.characters.iter().filter_map(|c| hidden::tagged(*c)).collect();
    let shown: String = spelled.chars().take(SHOWN_CHARACTERS).collect();
    match run.characters.len() {
        1 => format!("hidden character {code}"),
        count if shown.is_empty() => format!("{count} hidden characters, the first {code},"),
        count => format!("{count} hidden characters, the first {code}, that spell {shown:?}"),
    }
}

/// The first findings; the last one has the number of the others.
fn shortened(mut findings: Vec<Diagnostic>) -> Vec<Diagnostic> {
    let more = findings.len().saturating_sub(MOST_PLACES);
    findings.truncate(MOST_PLACES);
    if let Some(last) = findings.last_mut().filter(|_| more > 0) {
        last.message = format!("{}, and {more} more such places in this file", last.message);
    }
    findings
}
