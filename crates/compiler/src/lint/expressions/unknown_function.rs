//! A function that CEL does not have.

use aileron_contract::condition::ConditionField;

use super::cel::{Reference, ReferenceKind};
use super::literal;
use super::subject::Subject;
use crate::diagnostic::Diagnostic;
use crate::rule::rule;
use crate::suggest;

rule! {
    /// A condition calls a function that CEL does not have.
    ///
    /// ## Why
    /// An unknown function fails when the condition is decided, and a condition that fails
    /// denies: the tool could never be called.
    ///
    /// ## Example
    /// ```json
    /// { "confirmation": { "when": "len(args.attendees) > 10" } }
    /// ```
    ///
    /// ## Fix
    /// Use a function of the CEL standard library; here, `size(args.attendees)`.
    UNKNOWN_FUNCTION, "AIL-X008", "unknown-function", Error
}

/// The functions and macros of the CEL standard library.
const FUNCTIONS: &[&str] = &[
    "all",
    "bool",
    "bytes",
    "contains",
    "double",
    "duration",
    "dyn",
    "endsWith",
    "exists",
    "existsOne",
    "exists_one",
    "filter",
    "getDate",
    "getDayOfMonth",
    "getDayOfWeek",
    "getDayOfYear",
    "getFullYear",
    "getHours",
    "getMilliseconds",
    "getMinutes",
    "getMonth",
    "getSeconds",
    "has",
    "int",
    "map",
    "matches",
    "size",
    "startsWith",
    "string",
    "timestamp",
    "type",
    "uint",
];

/// The names of other languages for the same function.
const ALIASES: &[(&str, &str)] = &[
    ("len", "size"),
    ("length", "size"),
    ("count", "size"),
    ("includes", "contains"),
    ("any", "exists"),
    ("some", "exists"),
    ("every", "all"),
    ("match", "matches"),
];

pub(crate) fn check(
    subject: &Subject<'_>,
    field: &ConditionField,
    reference: &Reference,
    found: &mut Vec<Diagnostic>,
) {
    let name = reference.name.as_str();
    if reference.kind != ReferenceKind::Function || FUNCTIONS.contains(&name) {
        return;
    }
    let message = format!("`{}` calls `{name}`, which is no function of CEL", field.name);
    let place = literal::span(subject.schema, field.pointer, reference.place.clone());
    let finding = subject.schema.at_value(&UNKNOWN_FUNCTION, field.pointer, message).at(place);
    let alias = ALIASES.iter().find(|(other, _)| *other == name);
    let help = alias
        .map(|(_, ours)| format!("did you mean `{ours}`?"))
        .or_else(|| suggest::did_you_mean(name, FUNCTIONS));
    found.push(match help {
        Some(help) => finding.help(help),
        None => finding,
    });
}
