//! A variable that an expression does not have.

use aileron_contract::condition::{self, ConditionField};

use super::cel::{Reference, ReferenceKind};
use super::literal;
use super::shape::PlaceSchemas;
use super::subject::Subject;
use crate::diagnostic::Diagnostic;
use crate::rule::rule;
use crate::suggest;

rule! {
    /// A condition asks for a variable that it is not given.
    ///
    /// ## Why
    /// `availability.condition` is decided before there is a call: it knows `mode`, `user` and
    /// `conversation`. `confirmation.when` is decided for one call: it knows `args`, `mode` and
    /// `user`. Anything else fails at run time, and a condition that fails denies.
    ///
    /// ## Example
    /// ```json
    /// { "availability": { "condition": "args.count < 5" } }
    /// ```
    ///
    /// ## Fix
    /// Use one of the variables that the field has; parameters are `args.<name>`.
    UNKNOWN_VARIABLE, "AIL-X002", "unknown-variable", Error
}

/// The names of CEL's types are values too.
const TYPES: &[&str] = &[
    "bool",
    "bytes",
    "double",
    "dyn",
    "int",
    "list",
    "map",
    "null_type",
    "string",
    "type",
    "uint",
];

pub(crate) fn check(
    subject: &Subject<'_>,
    field: &ConditionField,
    reference: &Reference,
    found: &mut Vec<Diagnostic>,
) {
    let name = reference.name.as_str();
    let known = field.variable(name).is_some() || TYPES.contains(&name);
    if reference.kind != ReferenceKind::Variable || known {
        return;
    }
    let has = names(field).join("`, `");
    let message = format!("`{}` has no variable `{name}`: expected one of `{has}`", field.name);
    let place = literal::span(subject.schema, field.pointer, reference.place.clone());
    let finding = subject.schema.at_value(&UNKNOWN_VARIABLE, field.pointer, message).at(place);
    found.push(match help(subject, field, name) {
        Some(help) => finding.help(help),
        None => finding,
    });
}

fn help(subject: &Subject<'_>, field: &ConditionField, name: &str) -> Option<String> {
    let parameters = subject.parameters.as_ref().map(PlaceSchemas::names).unwrap_or_default();
    if field.variable(condition::ARGS.name).is_some() && parameters.contains(&name) {
        return Some(format!("write `args.{name}` for the parameter"));
    }
    if name == condition::ARGS.name {
        return Some("decide by arguments in `confirmation.when`, or in the handler".to_owned());
    }
    suggest::did_you_mean(name, &names(field))
}

fn names(field: &ConditionField) -> Vec<&'static str> {
    field.variables.iter().map(|variable| variable.name).collect()
}
