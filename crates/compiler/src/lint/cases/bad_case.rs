//! A case that is not written as cases are.

use crate::diagnostic::Diagnostic;
use crate::document::Document;
use crate::format;
use crate::lint::docs::arguments;
use crate::rule::rule;

rule! {
    /// `cases.json` does not fit its format.
    ///
    /// ## Why
    /// `aileron test` runs the cases. A field it does not know is a condition that would
    /// never be tested, so nothing but the documented fields is accepted: `name`, `args`,
    /// `mode`, `given` and `expect`. `aileron schema --cases` prints the format for editors.
    ///
    /// ## Example
    /// ```json
    /// [{ "name": "finds a person", "args": { "query": "Mira" }, "expected": { "ok": true } }]
    /// ```
    ///
    /// ## Fix
    /// Correct the field at the caret; here, it is called `expect`.
    BAD_CASE, "AIL-C001", "bad-case", Error
}

pub(crate) fn check(document: &Document, found: &mut Vec<Diagnostic>) {
    let Some(validator) = &format::CASES.validator else { return };
    let faults = validator.faults(&document.value);
    let names =
        |fault: &aileron_schema::SchemaFault<'_>| format::CASES.names_at(fault.schema_pointer);
    for misfit in arguments::placed(document, "", &faults, names) {
        let message =
            format!("`cases.json` does not fit its format{}: {}", misfit.place(), misfit.message);
        let finding = Diagnostic::new(&BAD_CASE, &document.source, message)
            .at(misfit.span)
            .pointer(misfit.pointer);
        found.push(match misfit.help {
            Some(help) => finding.help(help),
            None => finding,
        });
    }
}
