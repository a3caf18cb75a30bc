//! The fenced examples of a documentation, read as JSON.

use std::sync::Arc;

use super::example_not_json;
use crate::diagnostic::Diagnostic;
use crate::docs::Documentation;
use crate::docs::fence::Fence;
use crate::document::Document;
use crate::lint::json::duplicate_key::DUPLICATE_KEY;
use crate::source::Source;

/// Every `json` block under an Examples heading.
pub(crate) fn fences(documentation: &Documentation) -> impl Iterator<Item = &Fence> {
    documentation.outline.fences.iter().filter(|fence| fence.example && fence.language == "json")
}

/// Reads a block; places in the document are places in the block's text.
pub(crate) fn read(
    source: &Arc<Source>,
    fence: &Fence,
    found: &mut Vec<Diagnostic>,
) -> Option<Document> {
    let mut inside = Vec::new();
    let block = Source::new(source.path.as_str(), fence.text.as_str());
    let document = Document::parse(&block, &mut inside);
    found.extend(inside.into_iter().map(|finding| lifted(source, fence, finding)));
    document
}

/// A finding about the block's text, as one about the file.
fn lifted(source: &Arc<Source>, fence: &Fence, mut finding: Diagnostic) -> Diagnostic {
    let place = finding.span.as_ref().map_or(fence.span.clone(), |span| fence.locate(span));
    if finding.rule != &DUPLICATE_KEY {
        return example_not_json::diagnose(source, place, &finding.message);
    }
    // The line of the first key was counted in the block.
    let message = finding.message.split(", first on line").next().unwrap_or_default();
    finding.message = format!("{message} in an example");
    finding.source = Arc::clone(source);
    finding.at(place)
}
