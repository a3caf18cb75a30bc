//! One way in which a value breaks its schema.

use std::cmp::Ordering;
use std::sync::Arc;

use jsonschema::ValidationError;
use serde_json::Value;

use crate::expected::Expected;

/// A fault: where it is and what was expected there.
///
/// What comes from the schema is shared with the validator that found the fault.
#[derive(Debug, Clone, PartialEq)]
pub struct Fault {
    /// JSON Pointer to the faulty value.
    pub pointer: String,
    /// JSON Pointer to the keyword it breaks.
    pub schema_pointer: Arc<str>,
    pub kind: FaultKind,
    /// What was expected and what was found, as a sentence without its place.
    pub message: String,
}

/// The kinds of fault that a caller may want to treat apart.
#[derive(Debug, Clone, PartialEq)]
pub enum FaultKind {
    Missing {
        property: Arc<str>,
    },
    Unexpected {
        properties: Vec<String>,
    },
    WrongType,
    NotAllowed {
        options: Arc<[Value]>,
    },
    /// Any other keyword; `schema_pointer` says which.
    Other,
}

impl Fault {
    pub(crate) fn of(error: &ValidationError<'_>) -> Self {
        let pointer = error.instance_path().as_str().to_owned();
        Expected::of(error.kind(), error.schema_path().as_str()).fault(pointer, error.instance())
    }
}

/// Puts faults into the order of their places; those of one keyword stay as they are.
pub(crate) fn sort(faults: &mut [Fault]) {
    let in_order = |a: &Fault, b: &Fault| {
        compare(&a.pointer, &b.pointer).then_with(|| compare(&a.schema_pointer, &b.schema_pointer))
    };
    faults.sort_by(in_order);
}

/// Compares byte by byte: pointers were written a moment ago, in parts, and wide reads of
/// them would wait until the parts have reached the cache.
fn compare(a: &str, b: &str) -> Ordering {
    a.bytes().cmp(b.bytes())
}
