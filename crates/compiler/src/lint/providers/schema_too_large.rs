//! A schema that exceeds the size limit of a target.

use super::loss_finding::diagnose_at;
use crate::declare::Loss;
use crate::diagnostic::Diagnostic;
use crate::document::Document;
use crate::rule::rule;

rule! {
    /// The schema is too large or too deep for a target once its `$ref`s are written out.
    ///
    /// ## Why
    /// A target that takes no `$ref` gets every definition again wherever it is used.
    /// Definitions that use each other twice double with each step: twenty small ones become
    /// a million. The compiler stops at 512 KiB and at 64 schemas inside of each other; no
    /// provider takes that much, and no model reads it.
    ///
    /// OpenAI's strict form (`--strict`) has its own limits: 5000 properties, 10 objects inside of
    /// each other, 1000 values of `enum` in all, 120,000 characters in names, `enum` and `const`,
    /// and 15,000 characters in an `enum` of more than 250 values. Older models take less: 100
    /// properties, 5 levels, 500 values.
    ///
    /// ## Example
    /// ```json
    /// { "A": { "properties": { "x": { "$ref": "#/$defs/B" }, "y": { "$ref": "#/$defs/B" } } },
    ///   "B": { "properties": { "x": { "$ref": "#/$defs/C" }, "y": { "$ref": "#/$defs/C" } } } }
    /// ```
    /// and so on.
    ///
    /// ## Fix
    /// Ask for less: flatten the definitions, take an id instead of the whole object, or
    /// split the tool; or leave the target out of the build.
    SCHEMA_TOO_LARGE, "AIL-P007", "schema-too-large", Error
}

pub(crate) fn diagnose(schema: &Document, loss: &Loss) -> Diagnostic {
    diagnose_at(schema, &SCHEMA_TOO_LARGE, loss)
        .help("flatten the definitions, take an id instead of the whole object, or split the tool")
}
