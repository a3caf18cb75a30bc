//! Walks a schema keyword by keyword: checks each one, and collects data for the checks of the
//! whole schema.

use serde_json::{Map, Value};

use super::keyword::{self, Container, Keyword, KeywordType};
use super::site::Site;
use super::survey::{Pattern, Reference, Sample, Survey};
use crate::diagnostic::Diagnostic;
use crate::document::{Document, join};
use crate::lint::parameters::{
    bad_default, bad_keyword_value, bad_pattern, enum_value_mismatch, impossible_bounds,
    keyword_does_not_apply, never_valid, openapi_keyword, other_dialect, outdated_keyword,
    undefined_required, unknown_format, unknown_keyword, unknown_type,
};

/// The checks of several keywords of one schema.
const SCHEMA_CHECKS: &[fn(&Site<'_>, &mut Vec<Diagnostic>)] = &[
    impossible_bounds::check,
    undefined_required::check,
    enum_value_mismatch::check,
    never_valid::check,
    unknown_format::check,
];

/// A walk in progress.
pub(crate) struct SchemaWalk<'a, 'f> {
    document: &'a Document,
    pointer: String,
    /// The length of the pointer to the outermost schema about the same value.
    run: usize,
    resource: usize,
    pub(crate) survey: Survey<'a>,
    found: &'f mut Vec<Diagnostic>,
}

impl<'a, 'f> SchemaWalk<'a, 'f> {
    pub(crate) fn new(document: &'a Document, root: &str, found: &'f mut Vec<Diagnostic>) -> Self {
        let survey = Survey::new(root);
        Self { document, pointer: String::new(), run: 0, resource: 0, survey, found }
    }

    /// Walks the schema at a pointer.
    pub(crate) fn visit(&mut self, pointer: &str) {
        let Some(value) = self.document.get(pointer) else { return };
        self.pointer.clear();
        self.pointer.push_str(pointer);
        self.run = pointer.len();
        self.resource = self.survey.owner(pointer);
        self.schema(value);
    }

    fn at_root(&self) -> bool {
        self.survey.resources.first().is_some_and(|root| root.pointer == self.pointer)
    }

    fn schema(&mut self, value: &'a Value) {
        match value {
            Value::Object(schema) => self.object(schema),
            Value::Bool(_) => {}
            other => {
                let fault = bad_keyword_value::not_a_schema(self.document, &self.pointer, other);
                self.found.push(fault);
            }
        }
    }

    fn object(&mut self, schema: &'a Map<String, Value>) {
        let outer = self.resource;
        if let Some(id) = schema.get("$id").and_then(Value::as_str) {
            self.resource = self.survey.identify(&self.pointer, id, outer);
        }
        for (name, value) in schema {
            match keyword::find(name) {
                Some(keyword) => self.keyword(schema, keyword, value),
                None => self.check_unknown(schema, name, value),
            }
        }
        let site = Site::new(self.document, &self.pointer, schema);
        for check in SCHEMA_CHECKS {
            check(&site, self.found);
        }
        self.resource = outer;
    }

    fn keyword(
        &mut self,
        schema: &'a Map<String, Value>,
        keyword: &'static Keyword,
        value: &'a Value,
    ) {
        let site = Site::new(self.document, &self.pointer, schema);
        keyword_does_not_apply::check(&site, keyword, self.found);
        if outdated_keyword::check_form(&site, keyword, value, self.found) {
            return self.descend(outdated_keyword::shape(keyword.name, value), keyword.name, value);
        }
        bad_keyword_value::check(&site, keyword, value, self.found);
        match keyword.shape {
            KeywordType::Type => unknown_type::check(&site, value, self.found),
            KeywordType::Text if keyword.name == "$schema" && !self.at_root() => {
                other_dialect::check_part(&site, self.found);
            }
            _ => self.note(schema, keyword, value),
        }
        self.descend(Some(keyword.shape), keyword.name, value);
    }

    /// A keyword that the dialect does not know.
    fn check_unknown(&mut self, schema: &'a Map<String, Value>, name: &str, value: &'a Value) {
        let site = Site::new(self.document, &self.pointer, schema);
        if outdated_keyword::check(&site, name, value, self.found) {
            return self.descend(outdated_keyword::shape(name, value), name, value);
        }
        if !openapi_keyword::check(&site, name, value, self.found) {
            unknown_keyword::check(&site, name, value, self.found);
        }
    }

    /// Collects data for the checks of the whole schema.
    fn note(
        &mut self,
        schema: &'a Map<String, Value>,
        keyword: &'static Keyword,
        value: &'a Value,
    ) {
        match (keyword.shape, value) {
            (KeywordType::Reference, Value::String(text)) => {
                self.survey.references.push(Reference {
                    holder: self.pointer.clone(),
                    keyword: keyword.name,
                    text,
                    resource: self.resource,
                    run: self.run,
                });
            }
            (KeywordType::Anchor, Value::String(name)) => {
                let pointer = self.pointer.clone();
                self.survey.anchors.entry((self.resource, name)).or_insert(pointer);
            }
            (KeywordType::Pattern, Value::String(text)) => {
                let pointer = format!("{}/{}", self.pointer, keyword.name);
                self.pattern(pointer, text);
            }
            (KeywordType::PatternMap, Value::Object(map)) => {
                for text in map.keys() {
                    let map = format!("{}/{}", self.pointer, keyword.name);
                    self.pattern(join(&map, text), text);
                }
            }
            (KeywordType::Any, _) if keyword.name == "default" => {
                self.sample(schema, value, "/default");
            }
            (KeywordType::List, Value::Array(items)) => {
                for (index, item) in items.iter().enumerate() {
                    self.sample(schema, item, &format!("/examples/{index}"));
                }
            }
            _ => {}
        }
    }

    fn pattern(&mut self, pointer: String, text: &'a str) {
        if bad_pattern::check(self.document, &pointer, text, self.found) {
            self.survey.patterns.push(Pattern { pointer, text });
        }
    }

    fn sample(&mut self, schema: &Map<String, Value>, value: &Value, place: &str) {
        if !bad_default::certainly_fits(schema, value) {
            let value = format!("{}{place}", self.pointer);
            self.survey.samples.push(Sample { schema: self.pointer.clone(), value });
        }
    }

    fn descend(&mut self, shape: Option<KeywordType>, name: &str, value: &'a Value) {
        let Some((shape, container)) = shape.and_then(|shape| Some((shape, shape.container()?)))
        else {
            return;
        };
        self.step(name, |walk| match (container, value) {
            (Container::One, _) => walk.child(shape, value),
            (Container::List, Value::Array(items)) => {
                for (index, item) in items.iter().enumerate() {
                    walk.step(&index.to_string(), |walk| walk.child(shape, item));
                }
            }
            (Container::Map, Value::Object(map)) => {
                for (key, item) in map {
                    walk.step(key, |walk| walk.child(shape, item));
                }
            }
            _ => {}
        });
    }

    fn step(&mut self, step: &str, visit: impl FnOnce(&mut Self)) {
        let length = self.pointer.len();
        push_step(&mut self.pointer, step);
        visit(self);
        self.pointer.truncate(length);
    }

    fn child(&mut self, shape: KeywordType, value: &'a Value) {
        let run = self.run;
        if !shape.is_in_place() {
            self.run = self.pointer.len();
        }
        self.schema(value);
        self.run = run;
    }
}

fn push_step(pointer: &mut String, step: &str) {
    pointer.push('/');
    if step.contains(['~', '/']) {
        pointer.push_str(&step.replace('~', "~0").replace('/', "~1"));
    } else {
        pointer.push_str(step);
    }
}
