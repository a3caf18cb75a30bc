//! The errors and spans of the JavaScript parser as types of this crate.

use oxc_parser::ParserReturn;

use crate::lint::handler::handler_syntax::SyntaxComplaint;
use crate::source::Span;

/// Maximum number of reported syntax errors of one file.
pub(crate) const MOST_ERRORS: usize = 20;

/// The parser's errors about a text.
pub(crate) fn complaints(parsed: &ParserReturn<'_>) -> Vec<SyntaxComplaint> {
    let complaints = parsed.diagnostics.iter().take(MOST_ERRORS);
    complaints
        .map(|complaint| {
            let labels = &complaint.labels;
            let label = labels.iter().find(|label| label.primary()).or_else(|| labels.first());
            SyntaxComplaint {
                reason: complaint.message.to_string(),
                help: complaint.help.as_ref().map(ToString::to_string),
                place: label.map_or(0..0, |label| range(label.span())),
            }
        })
        .collect()
}

/// A span of the parser as one of ours.
pub(crate) fn range(span: oxc_span::Span) -> Span {
    span.start as usize..span.end as usize
}
