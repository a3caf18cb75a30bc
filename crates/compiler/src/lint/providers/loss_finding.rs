//! Places a loss of a declaration in `schema.json`.

use crate::declare::Loss;
use crate::diagnostic::Diagnostic;
use crate::document::Document;
use crate::rule::Rule;

/// A finding at the keyword of a loss, or at its schema when the keyword is missing there.
pub(super) fn diagnose_at(schema: &Document, rule: &'static Rule, loss: &Loss) -> Diagnostic {
    let place = loss.place();
    let place = if schema.get(&place).is_some() { place } else { loss.schema_place() };
    schema.at_key(rule, &place, loss.message.clone())
}
