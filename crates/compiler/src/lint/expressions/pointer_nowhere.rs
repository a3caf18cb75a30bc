//! A pointer without a target.

use serde_json::Value;

use super::shape::{PlaceSchemas, SchemaStep};
use super::subject::Subject;
use crate::diagnostic::Diagnostic;
use crate::document::{Document, join};
use crate::rule::{Severity, rule};
use crate::suggest;

rule! {
    /// A `redact` pointer leads to nothing in the arguments or the data.
    ///
    /// ## Why
    /// `redact` keeps values out of logs, audit records and events. A pointer with a misspelt
    /// step redacts nothing, which becomes visible only when the value is in a log. A pointer has
    /// to exist in `parameters` or in `returns`. Without `returns` the data may contain anything,
    /// so a pointer that does not exist in `parameters` is only a warning then.
    ///
    /// ## Example
    /// ```json
    /// {
    ///   "redact": ["/emial"],
    ///   "parameters": { "type": "object", "properties": { "email": { "type": "string" } } },
    ///   "returns": { "type": "object", "properties": {} }
    /// }
    /// ```
    ///
    /// ## Fix
    /// Correct the pointer, or declare the value in `returns`.
    POINTER_NOWHERE, "AIL-X006", "pointer-nowhere", Error
}

pub(crate) fn check(subject: &Subject<'_>, found: &mut Vec<Diagnostic>) {
    let schema = subject.schema;
    let (Some(parameters), Some(listed)) =
        (&subject.parameters, schema.get("/redact").and_then(Value::as_array))
    else {
        return;
    };
    let returns = schema.get("/returns").map(PlaceSchemas::of);
    for (index, pointer) in listed.iter().enumerate() {
        let Some(pointer) = pointer.as_str().filter(|pointer| pointer.starts_with('/')) else {
            continue;
        };
        let mut shapes = vec![parameters];
        shapes.extend(&returns);
        let Some(instead) = nowhere(&shapes, pointer) else { continue };
        let finding = diagnose(schema, &format!("/redact/{index}"), pointer, instead);
        found.push(if returns.is_some() { finding } else { softened(finding) });
    }
}

/// The most similar pointer, if this one has no target.
fn nowhere(shapes: &[&PlaceSchemas<'_>], pointer: &str) -> Option<Option<String>> {
    let mut instead = None;
    for shape in shapes {
        let better = follow((*shape).clone(), pointer)?;
        instead = instead.or(better);
    }
    Some(instead)
}

fn follow(mut shape: PlaceSchemas<'_>, pointer: &str) -> Option<Option<String>> {
    let mut done = String::new();
    for step in pointer.split('/').skip(1) {
        let name = step.replace("~1", "/").replace("~0", "~");
        let next = match (shape.property(&name), name.parse()) {
            (SchemaStep::Nothing, Ok(index)) => shape.item(Some(index)),
            (step, _) => step,
        };
        match next {
            SchemaStep::Known(next) => shape = next,
            SchemaStep::Anything => return None,
            SchemaStep::Nothing => {
                let closest = suggest::closest(&name, shape.names());
                return Some(closest.map(|best| join(&done, best)));
            }
        }
        done = join(&done, &name);
    }
    None
}

fn diagnose(schema: &Document, place: &str, pointer: &str, instead: Option<String>) -> Diagnostic {
    let message =
        format!("`redact` names `{pointer}`, which leads to nothing in `parameters` or `returns`");
    let help = instead.map_or_else(
        || "correct the pointer, or declare the value in `returns`".to_owned(),
        |better| format!("did you mean `{better}`?"),
    );
    schema.at_value(&POINTER_NOWHERE, place, message).help(help)
}

/// Without `returns`, the pointer may mean something in the data.
fn softened(mut finding: Diagnostic) -> Diagnostic {
    finding.severity = Severity::Warning;
    finding.message = finding.message.replace(" or `returns`", ", and `returns` is not declared");
    finding
}
