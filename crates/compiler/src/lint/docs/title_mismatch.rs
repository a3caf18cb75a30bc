//! A guide with another title than the tool's id.

use aileron_contract::ToolId;

use crate::diagnostic::Diagnostic;
use crate::docs::Documentation;
use crate::draft::Draft;
use crate::rule::rule;

rule! {
    /// The first heading of `guide.md` is not the tool's id.
    ///
    /// ## Why
    /// Guides are joined into one text for the model. The title tells it which of its tools a
    /// guide is about, so it has to be the very name that the model calls.
    ///
    /// ## Example
    /// ```markdown
    /// # Search the knowledge base
    /// ```
    ///
    /// ## Fix
    /// Begin the guide of `kb_search` with `# kb_search`.
    TITLE_MISMATCH, "AIL-D004", "title-mismatch", Error
}

pub(crate) fn check(draft: &Draft, documentation: &Documentation, found: &mut Vec<Diagnostic>) {
    let expected = draft.expected_id.as_ref().map(ToolId::as_str);
    let Some(id) = expected.or_else(|| draft.text("/toolId")) else { return };
    let source = &documentation.source;
    let finding = match documentation.outline.headings.first() {
        Some(title) if title.level == 1 && title.title.trim() == id => return,
        Some(title) => {
            let marks = "#".repeat(usize::from(title.level));
            let message =
                format!("expected the title `# {id}`, found `{marks} {}`", title.title.trim());
            Diagnostic::new(&TITLE_MISMATCH, source, message).at(title.span.clone())
        }
        None => {
            let message = format!("expected the title `# {id}`, found no heading");
            Diagnostic::new(&TITLE_MISMATCH, source, message)
        }
    };
    found.push(finding.help(format!("write `# {id}` as the first line")));
}
