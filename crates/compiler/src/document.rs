//! A JSON file with the position of every value.
//!
//! `serde_json` parses the values; `jsonc-parser` gives the positions.

use std::collections::HashMap;
use std::sync::Arc;

use jsonc_parser::ast;
use jsonc_parser::common::Ranged;
use jsonc_parser::{CollectOptions, ParseOptions, parse_to_ast};
use serde_json::Value;

use crate::diagnostic::Diagnostic;
use crate::lint::json;
use crate::rule::Rule;
use crate::source::{Source, Span};

/// A parsed JSON file.
#[derive(Debug)]
pub struct Document {
    pub source: Arc<Source>,
    pub value: Value,
    places: HashMap<String, NodePosition>,
}

#[derive(Debug, Clone)]
struct NodePosition {
    key: Option<Span>,
    value: Span,
}

impl Document {
    /// Parses a source; its faults are added to `found`.
    pub fn parse(source: &Arc<Source>, found: &mut Vec<Diagnostic>) -> Option<Self> {
        let value = match serde_json::from_str(&source.text) {
            Ok(value) => value,
            Err(error) => {
                found.push(json::syntax::diagnose(source, &error));
                return None;
            }
        };
        let mut walk = DocumentWalk { source, places: HashMap::new(), found };
        if let Some(root) = parse_to_ast(&source.text, &CollectOptions::default(), &strict())
            .ok()
            .and_then(|p| p.value)
        {
            walk.visit(String::new(), None, &root);
        }
        Some(Self { source: Arc::clone(source), value, places: walk.places })
    }

    /// The value at a pointer.
    pub fn get(&self, pointer: &str) -> Option<&Value> {
        self.value.pointer(pointer)
    }

    /// The span of the value at a pointer, or of its nearest ancestor if there is none.
    pub fn span(&self, pointer: &str) -> Span {
        self.place(pointer).map_or(0..0, |place| place.value.clone())
    }

    /// The span of the key at a pointer, or of the value if it has no key.
    pub fn key_span(&self, pointer: &str) -> Span {
        self.place(pointer).map_or(0..0, |place| {
            place.key.clone().unwrap_or_else(|| first_line(place, &self.source))
        })
    }

    /// A finding about the value at a pointer.
    pub fn at_value(
        &self,
        rule: &'static Rule,
        pointer: &str,
        message: impl Into<String>,
    ) -> Diagnostic {
        Diagnostic::new(rule, &self.source, message).at(self.span(pointer)).pointer(pointer)
    }

    /// A finding about the key of a pointer.
    pub fn at_key(
        &self,
        rule: &'static Rule,
        pointer: &str,
        message: impl Into<String>,
    ) -> Diagnostic {
        Diagnostic::new(rule, &self.source, message).at(self.key_span(pointer)).pointer(pointer)
    }

    fn place(&self, pointer: &str) -> Option<&NodePosition> {
        let mut pointer = pointer;
        loop {
            if let Some(place) = self.places.get(pointer) {
                return Some(place);
            }
            pointer = pointer.rsplit_once('/')?.0;
        }
    }
}

/// The first line of a value, so that a large value is not marked as a whole.
fn first_line(place: &NodePosition, source: &Source) -> Span {
    let text = source.text.get(place.value.clone()).unwrap_or_default();
    let length = text.find('\n').unwrap_or(text.len());
    place.value.start..place.value.start + length
}

/// Appends one step to a JSON Pointer, escaped.
pub fn join(pointer: &str, step: &str) -> String {
    format!("{pointer}/{}", step.replace('~', "~0").replace('/', "~1"))
}

fn strict() -> ParseOptions {
    ParseOptions {
        allow_comments: false,
        allow_loose_object_property_names: false,
        allow_trailing_commas: false,
        allow_missing_commas: false,
        allow_single_quoted_strings: false,
        allow_hexadecimal_numbers: false,
        allow_unary_plus_numbers: false,
        allow_bare_decimal_point_numbers: false,
        allow_non_finite_numbers: false,
        allow_extended_string_escapes: false,
    }
}

struct DocumentWalk<'a> {
    source: &'a Arc<Source>,
    places: HashMap<String, NodePosition>,
    found: &'a mut Vec<Diagnostic>,
}

impl DocumentWalk<'_> {
    fn visit(&mut self, pointer: String, key: Option<Span>, value: &ast::Value<'_>) {
        match value {
            ast::Value::Object(object) => self.visit_object(&pointer, object),
            ast::Value::Array(array) => {
                for (index, item) in array.elements.iter().enumerate() {
                    self.visit(format!("{pointer}/{index}"), None, item);
                }
            }
            _ => {}
        }
        self.places.insert(pointer, NodePosition { key, value: span(value) });
    }

    fn visit_object(&mut self, pointer: &str, object: &ast::Object<'_>) {
        for property in &object.properties {
            let name = property.name.as_str();
            let child = join(pointer, name);
            let key = span(&property.name);
            if let Some(first) = self.places.get(&child).and_then(|place| place.key.clone()) {
                let line = self.source.position(first.start).line;
                self.found.push(json::duplicate_key::diagnose(
                    self.source,
                    &child,
                    name,
                    line,
                    key.clone(),
                ));
            }
            self.visit(child, Some(key), &property.value);
        }
    }
}

fn span(node: &impl Ranged) -> Span {
    node.start()..node.end()
}

#[cfg(test)]
#[path = "document_tests.rs"]
mod tests;
