//! References that never arrive.

use crate::diagnostic::Diagnostic;
use crate::document::Document;
use crate::parameters::cycle::{self, CycleFault};
use crate::parameters::site::subject;
use crate::parameters::survey::{Reference, Survey};
use crate::rule::rule;

rule! {
    /// A `$ref` leads back to itself without descending into a property or an item.
    ///
    /// ## Why
    /// To check a value against such a schema, a validator has to check the same value against
    /// the same schema first, and so on without end. Recursion is fine where each round
    /// goes one step into the value, as in a tree whose `children` are trees.
    ///
    /// Chains of more than 64 references about one value, and references that multiply to
    /// more than 100,000 checks of one value, are refused for the same reason: they exhaust
    /// the stack or the clock.
    ///
    /// ## Example
    /// ```json
    /// { "$ref": "#/$defs/a", "$defs": { "a": { "anyOf": [{ "$ref": "#/$defs/a" }] } } }
    /// ```
    ///
    /// ## Fix
    /// Let one of the references point to a schema with other keywords, or put the recursion under
    /// `properties` or `items`.
    ENDLESS_REF, "AIL-A006", "endless-ref", Error
}

/// Reports the references that should not be followed; `targets` has the target of each.
pub(crate) fn check(
    document: &Document,
    survey: &Survey<'_>,
    targets: &[Option<String>],
    found: &mut Vec<Diagnostic>,
) {
    for (index, trouble) in cycle::find(survey, targets) {
        let Some(reference) = survey.references.get(index) else { continue };
        let Reference { holder, keyword, .. } = reference;
        let (what, help) = describe(trouble);
        let message = format!("`{keyword}` of {} {what}", subject(holder));
        let place = format!("{holder}/{keyword}");
        found.push(document.at_value(&ENDLESS_REF, &place, message).help(help));
    }
}

fn describe(trouble: CycleFault) -> (String, &'static str) {
    match trouble {
        CycleFault::Endless => (
            "leads back to itself without going into a property or an item".to_owned(),
            "let it point to a schema that says something itself, or put the recursion under `properties` or `items`",
        ),
        CycleFault::TooLong => (
            format!("begins a chain of more than {} references about one value", cycle::MAX_CHAIN),
            "point to the last schema of the chain",
        ),
        CycleFault::TooMany => (
            format!("multiplies to more than {} checks of one value", cycle::MAX_CHECKS),
            "refer to each schema once",
        ),
    }
}
