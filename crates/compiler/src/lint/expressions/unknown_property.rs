//! A property that a variable of an expression does not have.

use aileron_contract::condition::{ConditionField, ContentCheck, Variable};

use super::cel::{Access, Reference, ReferenceKind};
use super::literal;
use super::subject::Subject;
use crate::diagnostic::Diagnostic;
use crate::rule::{Severity, rule};
use crate::suggest;

rule! {
    /// A condition asks for a property that its variable does not have.
    ///
    /// ## Why
    /// `user` has `id`, `authenticated` and `scopes`, and the claims that `[auth.jwt] claims`
    /// names in `aileron.toml`. `conversation` has `id`, `turn` and `registryVersion`. `mode`
    /// is a text and has no properties. A missing property makes the condition fail, and a
    /// condition that fails denies: the tool would refuse every call.
    ///
    /// A property of `user` that resembles no known one may be a claim. It is a warning unless the
    /// settings name the claim or the condition tests for it with `has(...)`.
    ///
    /// ## Example
    /// ```json
    /// { "availability": { "condition": "user.isAuthenticated" } }
    /// ```
    ///
    /// ## Fix
    /// Use a property that the variable has; here, `user.authenticated`. For a claim of the
    /// person's token, list it in `[auth.jwt] claims` and test for it first:
    /// `has(user.plan) && user.plan == "pro"`.
    UNKNOWN_PROPERTY, "AIL-X009", "unknown-property", Error
}

/// Names that other systems use, and ours.
const ALIASES: &[(&str, &str, &str)] = &[
    ("user", "anonymous", "authenticated"),
    ("user", "isAnonymous", "authenticated"),
    ("user", "isAuthenticated", "authenticated"),
    ("user", "isLoggedIn", "authenticated"),
    ("user", "isSignedIn", "authenticated"),
    ("user", "loggedIn", "authenticated"),
    ("user", "signedIn", "authenticated"),
    ("user", "userId", "id"),
    ("user", "sub", "id"),
    ("user", "permissions", "scopes"),
    ("conversation", "conversationId", "id"),
    ("conversation", "sessionId", "id"),
    ("conversation", "turns", "turn"),
    ("conversation", "turnCount", "turn"),
    ("conversation", "toolsVersion", "registryVersion"),
    ("conversation", "version", "registryVersion"),
];

/// Checks every property that an expression uses.
pub(crate) fn check(
    subject: &Subject<'_>,
    field: &ConditionField,
    references: &[Reference],
    found: &mut Vec<Diagnostic>,
) {
    for reference in references {
        let ReferenceKind::Property { of, .. } = reference.kind else { continue };
        let Some(variable) = field.variable(of) else { continue };
        if let Some(fault) = fault(subject, variable, &reference.name, references) {
            found.push(diagnose(subject, field, variable, reference, fault));
        }
    }
}

struct Fault {
    severity: Severity,
    help: String,
}

fn fault(
    subject: &Subject<'_>,
    variable: &Variable,
    name: &str,
    references: &[Reference],
) -> Option<Fault> {
    let known: Vec<_> =
        variable.content.properties().iter().map(|property| property.name).collect();
    if known.contains(&name) {
        return None;
    }
    let error = |help| Some(Fault { severity: Severity::Error, help });
    match variable.content {
        ContentCheck::Arguments => None,
        ContentCheck::Text(values) => {
            error(format!("compare it with one of \"{}\"", values.join("\", \"")))
        }
        ContentCheck::Closed(_) => error(
            resembling(variable, name, &known)
                .unwrap_or_else(|| format!("known here: {}", known.join(", "))),
        ),
        ContentCheck::Open(_) if subject.claims.iter().any(|claim| claim == name) => None,
        ContentCheck::Open(_) => match resembling(variable, name, &known) {
            Some(help) => error(help),
            None if is_tested(variable, name, references) => None,
            None => {
                Some(Fault { severity: Severity::Warning, help: claim(variable, name, &known) })
            }
        },
    }
}

fn resembling(variable: &Variable, name: &str, known: &[&str]) -> Option<String> {
    let alias = ALIASES.iter().find(|(of, other, _)| *of == variable.name && *other == name);
    alias
        .map(|(_, _, ours)| format!("did you mean `{ours}`?"))
        .or_else(|| suggest::did_you_mean(name, known))
}

/// Whether the condition tests anywhere that the property is present.
fn is_tested(variable: &Variable, name: &str, references: &[Reference]) -> bool {
    references.iter().any(|reference| {
        reference.name == name
            && reference.kind == ReferenceKind::Property { of: variable.name, access: Access::Test }
    })
}

fn claim(variable: &Variable, name: &str, known: &[&str]) -> String {
    let variable = variable.name;
    format!(
        "known here: {}; for a claim of the person's token, add \"{name}\" to `[auth.jwt] claims` in aileron.toml, or test with `has({variable}.{name})` first",
        known.join(", ")
    )
}

fn diagnose(
    subject: &Subject<'_>,
    field: &ConditionField,
    variable: &Variable,
    reference: &Reference,
    fault: Fault,
) -> Diagnostic {
    let (owner, name) = (variable.name, &reference.name);
    let message = match fault.severity {
        Severity::Error => {
            format!("`{}` asks for `{owner}.{name}`, which `{owner}` does not have", field.name)
        }
        _ => format!(
            "`{}` asks for `{owner}.{name}`, which only a claim of the person's token can provide; without it every call is refused",
            field.name
        ),
    };
    let place = literal::span(subject.schema, field.pointer, reference.place.clone());
    let mut finding = subject.schema.at_value(&UNKNOWN_PROPERTY, field.pointer, message).at(place);
    finding.severity = fault.severity;
    finding.help(fault.help)
}
