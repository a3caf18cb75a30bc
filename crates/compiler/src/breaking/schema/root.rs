//! A whole schema, and the targets of its references.

use serde_json::Value;

use crate::document::join;

/// The keyword that refers to another schema.
pub(super) const REFERENCE: &str = "$ref";

/// Keywords that change the targets of references. They are not followed.
const DYNAMIC: &str = "$dynamicRef";
const ID: &str = "$id";

/// Keywords that do not restrict values.
const ANNOTATIONS: &[&str] = &[
    "title",
    "description",
    "examples",
    "default",
    "deprecated",
    "readOnly",
    "writeOnly",
    "$comment",
    "$defs",
    "$anchor",
    "$id",
    "$schema",
];

/// Maximum length of a chain of references.
const MOST_STEPS: usize = 100;

/// A schema document inside of `schema.json`.
#[derive(Debug, Clone, Copy)]
pub(in crate::breaking) struct Root<'a> {
    pub(super) schema: &'a Value,
    /// Its pointer in `schema.json`.
    pub(super) base: &'static str,
}

/// One schema of a document.
#[derive(Debug, Clone)]
pub(in crate::breaking) struct SchemaRef<'a> {
    /// Its pointer in `schema.json`.
    pub(in crate::breaking) pointer: String,
    pub(in crate::breaking) schema: &'a Value,
}

impl<'a> SchemaRef<'a> {
    pub(super) fn get(&self, keyword: &str) -> Option<&'a Value> {
        self.schema.get(keyword)
    }

    /// The schema below a keyword, which stands at `pointer/keyword`.
    pub(super) fn below(&self, keyword: &str) -> Option<Self> {
        let schema = self.get(keyword)?;
        Some(Self { pointer: join(&self.pointer, keyword), schema })
    }

    /// The schemas of a list such as `allOf`.
    pub(in crate::breaking) fn list(&self, keyword: &str) -> Vec<Self> {
        let list = self.below(keyword);
        let items = list.as_ref().and_then(|list| list.schema.as_array());
        let pointer = list.as_ref().map(|list| list.pointer.as_str()).unwrap_or_default();
        let numbered = items.into_iter().flatten().enumerate();
        numbered
            .map(|(index, schema)| Self { pointer: format!("{pointer}/{index}"), schema })
            .collect()
    }

    /// The identity of this schema in memory.
    pub(super) fn identity(&self) -> usize {
        std::ptr::from_ref(self.schema).addr()
    }
}

impl<'a> Root<'a> {
    /// The schema a reference leads to, if that is in this document.
    pub(in crate::breaking) fn resolve(self, reference: &str) -> Option<SchemaRef<'a>> {
        let fragment = decode(reference.strip_prefix('#')?);
        if fragment.is_empty() || fragment.starts_with('/') {
            let schema = self.schema.pointer(&fragment)?;
            return Some(SchemaRef { pointer: format!("{}{fragment}", self.base), schema });
        }
        anchored(&SchemaRef { pointer: self.base.to_owned(), schema: self.schema }, &fragment)
    }

    /// The schema behind a reference that stands alone.
    pub(super) fn follow(self, mut schema: &'a Value) -> &'a Value {
        for _ in 0..MOST_STEPS {
            let Some(fields) = schema.as_object() else { break };
            let mut keywords = fields.iter().filter(|(key, _)| says(key));
            let Some((key, Value::String(reference))) = keywords.next() else { break };
            if key != REFERENCE || keywords.next().is_some() {
                break;
            }
            let Some(target) = self.resolve(reference) else { break };
            schema = target.schema;
        }
        schema
    }

    /// The schema a part refers to.
    pub(super) fn target(self, part: &SchemaRef<'a>) -> Option<SchemaRef<'a>> {
        let reference = part.get(REFERENCE).and_then(Value::as_str);
        reference.and_then(|reference| self.resolve(reference))
    }
}

/// Whether a keyword restricts values.
pub(super) fn says(keyword: &str) -> bool {
    !ANNOTATIONS.contains(&keyword)
}

/// A keyword of a document that changes the targets of references.
pub(super) fn rescoping(root: &Value) -> Option<&'static str> {
    let says = |keyword| root.get(keyword).is_some_and(Value::is_string);
    if says(DYNAMIC) || says(ID) && refers_elsewhere(root) {
        return Some(if says(DYNAMIC) { DYNAMIC } else { ID });
    }
    children(root).find_map(rescoping_below)
}

fn rescoping_below(schema: &Value) -> Option<&'static str> {
    let says = |keyword: &&str| schema.get(keyword).is_some_and(Value::is_string);
    [DYNAMIC, ID].into_iter().find(says).or_else(|| children(schema).find_map(rescoping_below))
}

/// Whether a reference leads out of the document, or may lead back into it.
fn refers_elsewhere(schema: &Value) -> bool {
    let reference = schema.get(REFERENCE).and_then(Value::as_str);
    reference.is_some_and(|reference| !reference.starts_with('#'))
        || children(schema).any(refers_elsewhere)
}

fn children(value: &Value) -> Box<dyn Iterator<Item = &Value> + '_> {
    match value {
        Value::Object(fields) => Box::new(fields.values()),
        Value::Array(items) => Box::new(items.iter()),
        _ => Box::new(std::iter::empty()),
    }
}

/// The schema that carries an anchor, searched from the top.
fn anchored<'a>(part: &SchemaRef<'a>, name: &str) -> Option<SchemaRef<'a>> {
    let named = |keyword| part.get(keyword).and_then(Value::as_str) == Some(name);
    if named("$anchor") {
        return Some(part.clone());
    }
    match part.schema {
        Value::Object(fields) => fields.keys().find_map(|key| anchored(&part.below(key)?, name)),
        Value::Array(items) => items.iter().enumerate().find_map(|(index, schema)| {
            anchored(&SchemaRef { pointer: format!("{}/{index}", part.pointer), schema }, name)
        }),
        _ => None,
    }
}

/// Undoes the percent encoding of a URI fragment.
fn decode(fragment: &str) -> String {
    let mut bytes = Vec::with_capacity(fragment.len());
    let mut rest = fragment.as_bytes();
    while let Some((first, after)) = rest.split_first() {
        let hex = after.get(..2).filter(|_| *first == b'%');
        let code = hex.and_then(|hex| std::str::from_utf8(hex).ok());
        match code.and_then(|code| u8::from_str_radix(code, 16).ok()) {
            Some(byte) => {
                bytes.push(byte);
                rest = after.get(2..).unwrap_or_default();
            }
            None => {
                bytes.push(*first);
                rest = after;
            }
        }
    }
    String::from_utf8_lossy(&bytes).into_owned()
}
