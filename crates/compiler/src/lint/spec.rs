//! The fields of `schema.json`: `AIL-S`.

use aileron_contract::{ToolId, ToolSpec};

use crate::diagnostic::Diagnostic;
use crate::document::Document;
use crate::rule::Rule;

pub(crate) const RULES: &[&Rule] = &[];

/// Checks every field and gives the typed contract when all of them are right.
pub(crate) fn check(
    schema: &Document,
    expected: Option<&ToolId>,
    found: &mut Vec<Diagnostic>,
) -> Option<ToolSpec> {
    let _ = (expected, found);
    serde_json::from_value(schema.value.clone()).ok()
}
