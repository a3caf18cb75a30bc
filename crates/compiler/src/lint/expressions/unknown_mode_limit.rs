//! A mode limit without effect.

use serde_json::{Map, Value};

use super::mode_limit::{self, Objection};
use super::shape::{PlaceSchemas, SchemaStep};
use super::subject::Subject;
use crate::diagnostic::Diagnostic;
use crate::document::join;
use crate::rule::{Severity, rule};
use crate::suggest;

rule! {
    /// `modeLimits` names a parameter or a bound that does not apply.
    ///
    /// ## Why
    /// Limits make a parameter tighter in one mode: arguments are clamped to them, and the model
    /// sees it only in `meta.clamped`. A limit on a parameter that does not exist, a bound
    /// that its type does not have, or a value that is not among its `enum` clamps nothing; a
    /// bound outside of the schema's own would clamp to a value that the schema refuses. A
    /// bound that is not tighter than the schema's own has no effect, which is a warning.
    ///
    /// ## Example
    /// ```json
    /// {
    ///   "modeLimits": { "voice": { "topk": { "maximum": 3 } } },
    ///   "parameters": { "type": "object", "properties": { "top_k": { "type": "integer" } } }
    /// }
    /// ```
    ///
    /// ## Fix
    /// Name the parameter as `parameters` spell it, with a bound of its type: `minimum` and
    /// `maximum` for numbers, `maxLength` for texts, `maxItems` for arrays, `exclude` for texts
    /// and for the items of arrays.
    UNKNOWN_MODE_LIMIT, "AIL-X007", "unknown-mode-limit", Error
}

pub(crate) fn check(subject: &Subject<'_>, found: &mut Vec<Diagnostic>) {
    let Some(parameters) = &subject.parameters else { return };
    let modes = subject.schema.get("/modeLimits").and_then(Value::as_object);
    for (mode, limits) in modes.into_iter().flatten() {
        let pointer = join("/modeLimits", mode);
        for (name, bounds) in limits.as_object().into_iter().flatten() {
            let pointer = join(&pointer, name);
            match (parameters.property(name), bounds.as_object()) {
                (SchemaStep::Nothing, _) => {
                    found.push(unknown(subject, parameters, &pointer, name));
                }
                (SchemaStep::Known(shape), Some(bounds)) => {
                    check_bounds(subject, &shape, &pointer, bounds, found);
                }
                _ => {}
            }
        }
    }
}

fn unknown(
    subject: &Subject<'_>,
    parameters: &PlaceSchemas<'_>,
    pointer: &str,
    name: &str,
) -> Diagnostic {
    let message = format!("`modeLimits` limits `{name}`, which is no parameter");
    let finding = subject.schema.at_key(&UNKNOWN_MODE_LIMIT, pointer, message);
    let help = suggest::did_you_mean(name, &parameters.names());
    finding.help(help.unwrap_or_else(|| "write the name as `parameters` spell it".to_owned()))
}

fn check_bounds(
    subject: &Subject<'_>,
    shape: &PlaceSchemas<'_>,
    pointer: &str,
    bounds: &Map<String, Value>,
    found: &mut Vec<Diagnostic>,
) {
    for (bound, limit) in bounds {
        for objection in mode_limit::objections(shape, bound, limit) {
            found.push(diagnose(subject, &join(pointer, bound), objection));
        }
    }
}

fn diagnose(subject: &Subject<'_>, pointer: &str, objection: Objection) -> Diagnostic {
    let place = objection.item.map_or(pointer.to_owned(), |index| format!("{pointer}/{index}"));
    let mut finding = subject.schema.at_value(&UNKNOWN_MODE_LIMIT, &place, objection.message);
    if objection.harmless {
        finding.severity = Severity::Warning;
    }
    finding.help(objection.help)
}
