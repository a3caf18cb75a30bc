//! A schema that the validator refuses.

use aileron_schema::SchemaError;

use crate::diagnostic::Diagnostic;
use crate::document::Document;
use crate::parameters::site::subject;
use crate::rule::rule;

rule! {
    /// The validator refuses the schema for a reason that no other rule covers.
    ///
    /// ## Why
    /// Arguments are validated at run time against the schema that was compiled at build time. A
    /// schema that does not compile cannot check arguments.
    ///
    /// ## Example
    /// None is known: every such fault found so far has its own rule.
    ///
    /// ## Fix
    /// Correct the place that the message names. If the schema is right, report this as a
    /// fault of the compiler.
    NOT_A_SCHEMA, "AIL-A020", "not-a-schema", Error
}

pub(crate) fn diagnose(document: &Document, root: &str, error: &SchemaError) -> Diagnostic {
    let message = format!("{} cannot be compiled: {}", subject(root), error.message);
    document
        .at_value(&NOT_A_SCHEMA, &format!("{root}{}", error.pointer), message)
        .help("write it as JSON Schema 2020-12 says")
}
