//! An unknown parameter in an expression.

use aileron_contract::condition::{self, ConditionField};

use super::cel::{Reference, ReferenceKind};
use super::literal;
use super::shape::SchemaStep;
use super::subject::Subject;
use crate::diagnostic::Diagnostic;
use crate::rule::rule;
use crate::suggest;

rule! {
    /// A condition asks for a parameter that does not exist.
    ///
    /// ## Why
    /// `args` contains the validated arguments and nothing else. A condition over any other
    /// name fails on every call, and a condition that fails denies.
    ///
    /// ## Example
    /// ```json
    /// {
    ///   "confirmation": { "when": "size(args.atendees) > 10" },
    ///   "parameters": { "type": "object", "properties": { "attendees": { "type": "array" } } }
    /// }
    /// ```
    ///
    /// ## Fix
    /// Write the name as `parameters` spell it.
    UNKNOWN_PARAMETER_IN_EXPRESSION, "AIL-X003", "unknown-parameter-in-expression", Error
}

pub(crate) fn check(
    subject: &Subject<'_>,
    field: &ConditionField,
    reference: &Reference,
    found: &mut Vec<Diagnostic>,
) {
    let name = reference.name.as_str();
    let Some(parameters) = &subject.parameters else { return };
    let is_argument =
        matches!(reference.kind, ReferenceKind::Property { of, .. } if of == condition::ARGS.name);
    let asked = is_argument && field.variable(condition::ARGS.name).is_some();
    if !asked || !matches!(parameters.property(name), SchemaStep::Nothing) {
        return;
    }
    let message = format!("`{}` asks for `args.{name}`, which is no parameter", field.name);
    let place = literal::span(subject.schema, field.pointer, reference.place.clone());
    let finding =
        subject.schema.at_value(&UNKNOWN_PARAMETER_IN_EXPRESSION, field.pointer, message).at(place);
    found.push(match suggest::did_you_mean(name, &parameters.names()) {
        Some(help) => finding.help(help),
        None => finding.help("write the name as `parameters` spell it"),
    });
}
