//! One case of `cases.json`, as the rules of this family read it.

use serde_json::Value;

use crate::document::Document;

/// The file's name.
pub(super) const FILE: &str = "cases.json";

/// One case. Its value may lack any field.
pub(crate) struct Case<'a> {
    pub(crate) document: &'a Document,
    /// JSON Pointer to the case.
    pub(crate) pointer: String,
    pub(crate) value: &'a Value,
}

impl<'a> Case<'a> {
    /// The case's name, or its pointer if it has none.
    pub(crate) fn title(&self) -> String {
        let name = self.value.get("name").and_then(Value::as_str);
        name.map_or_else(|| self.pointer.clone(), |name| format!("{name:?}"))
    }

    /// How the call is expected to end.
    pub(crate) fn expectation(&self) -> Expectation<'a> {
        let expect = self.value.get("expect");
        match expect.and_then(|expect| expect.get("ok")).and_then(Value::as_bool) {
            Some(true) => Expectation::Success,
            Some(false) => {
                let kind = expect.and_then(|expect| expect.pointer("/error/type"));
                kind.and_then(Value::as_str).map_or(Expectation::Unclear, Expectation::Error)
            }
            None => Expectation::Unclear,
        }
    }
}

/// How a call is expected to end.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Expectation<'a> {
    Success,
    Error(&'a str),
    /// Not a valid expectation, which `bad-case` reports.
    Unclear,
}
