//! Finds the properties and items that a JSON Schema allows below a place. Unknown if the schema
//! leaves them open.

use std::collections::HashSet;

use serde_json::{Map, Value};

/// Keywords whose subschemas speak about the same value.
const IN_PLACE: &[&str] = &["allOf", "anyOf", "oneOf", "if", "then", "else"];

/// Every subschema that speaks about one place.
#[derive(Debug, Clone)]
pub(crate) struct PlaceSchemas<'a> {
    root: &'a Value,
    parts: Vec<&'a Map<String, Value>>,
    /// Whether some part is unknown.
    partial: bool,
}

/// The result of one step.
#[derive(Debug)]
pub(crate) enum SchemaStep<'a> {
    Known(PlaceSchemas<'a>),
    /// The schema allows any value there.
    Anything,
    /// The schema allows no value there.
    Nothing,
}

impl<'a> PlaceSchemas<'a> {
    /// The place that a whole schema describes.
    pub(crate) fn of(root: &'a Value) -> Self {
        Self::at(root, [root])
    }

    fn at(root: &'a Value, schemas: impl IntoIterator<Item = &'a Value>) -> Self {
        let mut shape = Self { root, parts: Vec::new(), partial: false };
        let mut waiting: Vec<_> = schemas.into_iter().collect();
        let mut seen = HashSet::new();
        while let Some(schema) = waiting.pop() {
            if let Value::Object(part) = schema
                && seen.insert(std::ptr::from_ref(schema))
            {
                shape.parts.push(part);
                shape.follow(part, &mut waiting);
            }
        }
        shape
    }

    fn follow(&mut self, part: &'a Map<String, Value>, waiting: &mut Vec<&'a Value>) {
        for keyword in IN_PLACE {
            match part.get(*keyword) {
                Some(Value::Array(schemas)) => waiting.extend(schemas),
                Some(schema) => waiting.push(schema),
                None => {}
            }
        }
        if let Some(Value::Object(schemas)) = part.get("dependentSchemas") {
            waiting.extend(schemas.values());
        }
        if let Some(reference) = part.get("$ref").and_then(Value::as_str) {
            match reference.strip_prefix('#').and_then(|pointer| self.root.pointer(pointer)) {
                Some(target) => waiting.push(target),
                None => self.partial = true,
            }
        }
        self.partial |= part.contains_key("$dynamicRef");
    }

    /// The property of that name.
    pub(crate) fn property(&self, name: &str) -> SchemaStep<'a> {
        let mut known = Vec::new();
        let (mut open, mut closed) = (self.partial, false);
        for part in &self.parts {
            let listed = part.get("properties").and_then(Value::as_object);
            let other = part.get("additionalProperties");
            match (listed.and_then(|properties| properties.get(name)), other) {
                (Some(schema), _) => known.push(schema),
                (None, Some(schema @ Value::Object(_))) => known.push(schema),
                (None, Some(Value::Bool(true))) => open = true,
                (None, _) => open |= part.contains_key("patternProperties"),
            }
            closed |= listed.is_some() || other == Some(&Value::Bool(false));
        }
        let silent = !closed && self.may_be("object");
        self.step(known, open || silent)
    }

    /// The item at an index, or any item.
    pub(crate) fn item(&self, index: Option<usize>) -> SchemaStep<'a> {
        let mut known = Vec::new();
        let mut closed = false;
        for part in &self.parts {
            let prefix = part.get("prefixItems").and_then(Value::as_array);
            let prefix = prefix.map(Vec::as_slice).unwrap_or_default();
            let rest = part.get("items");
            closed |= rest == Some(&Value::Bool(false));
            match index {
                Some(index) if index < prefix.len() => known.push(&prefix[index]),
                Some(_) => known.extend(rest.filter(|schema| **schema != Value::Bool(false))),
                None => known.extend(prefix.iter().chain(rest)),
            }
        }
        self.step(known, self.partial || (!closed && self.may_be("array")))
    }

    fn step(&self, known: Vec<&'a Value>, open: bool) -> SchemaStep<'a> {
        match (known.is_empty(), open) {
            (false, _) => SchemaStep::Known(Self::at(self.root, known)),
            (true, true) => SchemaStep::Anything,
            (true, false) => SchemaStep::Nothing,
        }
    }

    /// The names of the properties, sorted.
    pub(crate) fn names(&self) -> Vec<&'a str> {
        let listed = self.parts.iter().filter_map(|part| part.get("properties")?.as_object());
        let mut names: Vec<_> = listed.flatten().map(|(name, _)| name.as_str()).collect();
        names.sort_unstable();
        names.dedup();
        names
    }

    /// The values that `enum` and `const` list.
    pub(crate) fn values(&self) -> Vec<&'a Value> {
        let listed = self.parts.iter().filter_map(|part| part.get("enum")?.as_array()).flatten();
        listed.chain(self.parts.iter().filter_map(|part| part.get("const"))).collect()
    }

    /// Whether a value of that JSON type is allowed there.
    pub(crate) fn may_be(&self, kind: &str) -> bool {
        let mut stated = self.parts.iter().filter_map(|part| types_of(part)).peekable();
        stated.peek().is_none() || self.partial || stated.any(|types| types.contains(&kind))
    }

    /// The types of the values there: `string`, `array or null`.
    pub(crate) fn kind(&self) -> String {
        let mut kinds: Vec<_> =
            self.parts.iter().filter_map(|part| types_of(part)).flatten().collect();
        kinds.sort_unstable();
        kinds.dedup();
        if kinds.contains(&"integer") {
            kinds.retain(|kind| *kind != "number");
        }
        kinds.join(" or ")
    }

    /// A keyword's number: of all parts that speak of that type, the largest,
    /// unless one of them sets no such bound.
    pub(crate) fn loosest(&self, keyword: &str, kind: &str, order: BoundSide) -> Option<f64> {
        let speaking = self
            .parts
            .iter()
            .filter(|part| types_of(part).is_some_and(|types| types.contains(&kind)));
        let bounds: Option<Vec<f64>> =
            speaking.map(|part| part.get(keyword).and_then(Value::as_f64)).collect();
        bounds?.into_iter().reduce(|a, b| match order {
            BoundSide::Upper => a.max(b),
            BoundSide::Lower => a.min(b),
        })
    }

    /// The first text that a keyword has in any part.
    pub(crate) fn text(&self, keyword: &str) -> Option<&'a str> {
        self.parts.iter().find_map(|part| part.get(keyword)?.as_str())
    }
}

/// The direction of a bound.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum BoundSide {
    Upper,
    Lower,
}

/// The types a subschema states, by `type`, `enum` or `const`; an integer is a number too.
fn types_of(part: &Map<String, Value>) -> Option<Vec<&str>> {
    let mut types: Vec<&str> = match part.get("type") {
        Some(Value::String(kind)) => vec![kind],
        Some(Value::Array(kinds)) => kinds.iter().filter_map(Value::as_str).collect(),
        _ => match (part.get("enum"), part.get("const")) {
            (Some(Value::Array(values)), _) => values.iter().map(type_name).collect(),
            (_, Some(value)) => vec![type_name(value)],
            _ => return None,
        },
    };
    if types.contains(&"integer") {
        types.push("number");
    }
    Some(types)
}

fn type_name(value: &Value) -> &'static str {
    match value {
        Value::Null => "null",
        Value::Bool(_) => "boolean",
        Value::Number(number) if number.is_f64() => "number",
        Value::Number(_) => "integer",
        Value::String(_) => "string",
        Value::Array(_) => "array",
        Value::Object(_) => "object",
    }
}

#[cfg(test)]
#[path = "shape_tests.rs"]
mod tests;
