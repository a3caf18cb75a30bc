//! The schema being checked, and its place.

use serde_json::{Map, Value};

use crate::diagnostic::Diagnostic;
use crate::document::{Document, join};
use crate::rule::Rule;

/// One schema object inside of a document.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Site<'a> {
    pub(crate) document: &'a Document,
    /// From the document's root.
    pub(crate) pointer: &'a str,
    pub(crate) schema: &'a Map<String, Value>,
}

impl<'a> Site<'a> {
    pub(crate) fn new(
        document: &'a Document,
        pointer: &'a str,
        schema: &'a Map<String, Value>,
    ) -> Self {
        Self { document, pointer, schema }
    }

    /// A keyword's value.
    pub(crate) fn get(&self, keyword: &str) -> Option<&'a Value> {
        self.schema.get(keyword)
    }

    /// A keyword's value, where it is an object.
    pub(crate) fn object(&self, keyword: &str) -> Option<&'a Map<String, Value>> {
        self.get(keyword)?.as_object()
    }

    /// The pointer of a keyword.
    pub(crate) fn to(&self, keyword: &str) -> String {
        join(self.pointer, keyword)
    }

    /// A finding about a keyword as such.
    pub(crate) fn at_key(
        &self,
        rule: &'static Rule,
        keyword: &str,
        message: impl Into<String>,
    ) -> Diagnostic {
        self.document.at_key(rule, &self.to(keyword), message)
    }

    /// A finding about a keyword's value.
    pub(crate) fn at_value(
        &self,
        rule: &'static Rule,
        keyword: &str,
        message: impl Into<String>,
    ) -> Diagnostic {
        self.document.at_value(rule, &self.to(keyword), message)
    }

    /// A finding about one entry of a keyword's list or object.
    pub(crate) fn at_entry(
        &self,
        rule: &'static Rule,
        keyword: &str,
        entry: &str,
        message: impl Into<String>,
    ) -> Diagnostic {
        self.document.at_value(rule, &join(&self.to(keyword), entry), message)
    }

    /// The name of this place for people: `filters.tags[]`.
    pub(crate) fn subject(&self) -> String {
        subject(self.pointer)
    }
}

/// The name of the schema at a pointer for people: `filters.tags[]`, quoted.
pub(crate) fn subject(pointer: &str) -> String {
    let mut steps = pointer.split('/').skip(1);
    let root = steps.next().unwrap_or_default();
    let mut path = if root == "parameters" { String::new() } else { root.to_owned() };
    while let Some(step) = steps.next() {
        match step {
            "properties" | "$defs" | "definitions" | "patternProperties" | "dependentSchemas" => {
                let name = steps.next().unwrap_or_default().replace("~1", "/").replace("~0", "~");
                if !path.is_empty() {
                    path.push('.');
                }
                path.push_str(&name);
            }
            "items" | "prefixItems" | "contains" | "unevaluatedItems" => path.push_str("[]"),
            _ => {}
        }
    }
    if path.is_empty() { format!("`{root}`") } else { format!("`{path}`") }
}
