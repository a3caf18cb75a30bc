//! An argument object against `parameters`: every fault with its place.

use aileron_schema::{CompiledSchema, FaultKind, Faults, SchemaFault};
use serde_json::Value;

use crate::document::{Document, join};
use crate::draft::Draft;
use crate::lint::expressions::shape::{PlaceSchemas, SchemaStep};
use crate::source::Span;
use crate::suggest;

/// One way in which a value does not fit.
#[derive(Debug)]
pub(crate) struct ArgumentFault {
    /// JSON Pointer in the file.
    pub(crate) pointer: String,
    /// JSON Pointer below the value that was checked.
    pub(crate) below: String,
    pub(crate) span: Span,
    pub(crate) message: String,
    pub(crate) help: Option<String>,
}

impl ArgumentFault {
    /// ` at `/top_k``, or empty for the value as a whole.
    pub(crate) fn place(&self) -> String {
        if self.below.is_empty() { String::new() } else { format!(" at `{}`", self.below) }
    }
}

/// How the arguments at a pointer of a document do not fit `parameters`.
pub(crate) fn misfits(draft: &Draft, document: &Document, base: &str) -> Vec<ArgumentFault> {
    let Some(value) = document.get(base) else { return Vec::new() };
    let faults = faults(draft, value);
    placed(document, base, &faults, |fault| names(draft, fault.pointer))
}

/// The faults of arguments as a call would have them: a property that is missing and has a default
/// is filled in first.
pub(crate) fn faults(draft: &Draft, arguments: &Value) -> Faults {
    let Some(validator) = &draft.parameters else { return Faults::default() };
    if validator.accepts(arguments) {
        return Faults::default();
    }
    match draft.field("/parameters").map(CompiledSchema::compile) {
        Some(Ok(form)) => form.fill(&mut arguments.clone()),
        _ => validator.faults(arguments),
    }
}

/// Places faults in a document; `names` are those that would have been right.
pub(crate) fn placed<'a>(
    document: &Document,
    base: &str,
    faults: &Faults,
    names: impl Fn(&SchemaFault<'_>) -> Vec<&'a str>,
) -> Vec<ArgumentFault> {
    faults.iter().flat_map(|fault| split(document, base, &fault, &names(&fault))).collect()
}

/// One fault may be about several properties; each is reported by itself.
fn split(
    document: &Document,
    base: &str,
    fault: &SchemaFault<'_>,
    names: &[&str],
) -> Vec<ArgumentFault> {
    let pointer = format!("{base}{}", fault.pointer);
    let below = fault.pointer.to_owned();
    let message = fault.message.to_owned();
    match fault.kind {
        FaultKind::Unexpected { properties } => {
            let one = |name: &str| {
                let pointer = join(&pointer, name);
                let span = document.key_span(&pointer);
                let message = format!("unknown property `{name}`");
                let help = suggest::did_you_mean(name, names);
                ArgumentFault { pointer, below: below.clone(), span, message, help }
            };
            properties.iter().map(one).collect()
        }
        FaultKind::Missing { .. } => {
            let span = document.key_span(&pointer);
            vec![ArgumentFault { pointer, below, span, message, help: None }]
        }
        _ => {
            let span = document.span(&pointer);
            vec![ArgumentFault { pointer, below, span, message, help: None }]
        }
    }
}

/// The properties that `parameters` allow at a place of the arguments.
fn names<'a>(draft: &'a Draft, pointer: &str) -> Vec<&'a str> {
    let Some(parameters) = draft.field("/parameters") else { return Vec::new() };
    let mut shape = PlaceSchemas::of(parameters);
    for step in pointer.split('/').skip(1) {
        let name = step.replace("~1", "/").replace("~0", "~");
        let next = match (shape.property(&name), step.parse()) {
            (SchemaStep::Known(next), _) => SchemaStep::Known(next),
            (_, Ok(index)) => shape.item(Some(index)),
            (step, Err(_)) => step,
        };
        let SchemaStep::Known(next) = next else { return Vec::new() };
        shape = next;
    }
    shape.names()
}
