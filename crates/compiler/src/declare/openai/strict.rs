//! OpenAI's strict form: the model's output always matches the schema.
//!
//! Every object is closed and every property required; an optional one may be `null` instead, and
//! the transport drops those nulls.

use std::borrow::Cow;

use serde_json::{Map, Value, json};

use super::super::dialect::{Cycles, Dialect, Refs, Treatment};
use super::super::emit::Emission;
use super::super::facts::Facts;
use super::super::lower::Lowering;
use super::super::types::{self, Type};
use super::nullable::{nullable, takes_null};

/// The string formats that the strict form documents.
const FORMATS: &[&str] =
    &["date-time", "time", "date", "duration", "email", "hostname", "ipv4", "ipv6", "uuid"];

const OPEN: &str = "objects must be closed, expected `false`";
const FREE_FORM: &str = "an object without `properties` cannot be filled in";
const ANY_ITEMS: &str = "an array must say what its `items` are";
const ANY_VALUE: &str = "a value must have a type";
const NESTED_ID: &str = "it is allowed at the root only";
const BESIDE_ANY_OF: &str = "there is an `anyOf` beside it";
const CLOSED: &str = "`false`";
const NULLABLE: &str = "a value that may be `null`";
const ANY_OF: &str = "`anyOf`";

pub(in super::super) static DIALECT: Dialect = Dialect {
    title: "OpenAI strict",
    table: &[
        (
            Treatment::Keep,
            &[
                "properties",
                "items",
                "description",
                "title",
                "enum",
                "const",
                "minimum",
                "maximum",
                "exclusiveMinimum",
                "exclusiveMaximum",
                "multipleOf",
                "pattern",
                "minItems",
                "maxItems",
                "anyOf",
                "$defs",
                "$comment",
            ],
        ),
        (
            Treatment::Rewrite,
            &[
                "type",
                "required",
                "additionalProperties",
                "format",
                "oneOf",
                "allOf",
                "$ref",
                "$id",
                "definitions",
            ],
        ),
        (
            Treatment::Describe,
            &[
                "default",
                "example",
                "examples",
                "minLength",
                "maxLength",
                "minProperties",
                "maxProperties",
                "uniqueItems",
                "deprecated",
            ],
        ),
        (
            Treatment::Refuse,
            &[
                "not",
                "if",
                "then",
                "else",
                "dependentRequired",
                "dependentSchemas",
                "dependencies",
                "patternProperties",
                "propertyNames",
                "contains",
                "minContains",
                "maxContains",
                "unevaluatedItems",
                "unevaluatedProperties",
                "contentEncoding",
                "contentMediaType",
                "contentSchema",
                "prefixItems",
                "additionalItems",
                "$anchor",
                "$dynamicAnchor",
                "$dynamicRef",
                "$recursiveAnchor",
                "$recursiveRef",
            ],
        ),
    ],
    otherwise: Treatment::Drop,
    refs: Refs::Bare(Cycles::Anywhere),
    names: None,
    refused_at_root: &["anyOf", "oneOf", "enum", "const"],
    conflict: Treatment::Refuse,
};

pub(in super::super) fn shape<'a>(lowering: &mut Lowering<'a>, facts: &Facts<'a>) -> Value {
    let kinds = types_of(lowering, facts);
    let facts = if kinds.is_empty() { Cow::Borrowed(facts) } else { lowering.about(facts, &kinds) };
    let facts = facts.as_ref();
    let mut emission = lowering.emit(facts);
    if !kinds.is_empty() {
        emission.set("type", types::keyword(&kinds));
    }
    say_alternatives(lowering, facts, &mut emission.schema);
    say_format(lowering, facts, &mut emission);
    say_id(lowering, facts, &mut emission.schema);
    lowering.move_definitions(facts, &mut emission.schema);
    close(lowering, facts, &mut emission.schema);
    if names_type(&emission.schema, "array") && !emission.schema.contains_key("items") {
        lowering.losses.refused(&facts.at, "items", ANY_ITEMS);
    }
    emission.finish()
}

fn say_alternatives<'a>(
    lowering: &mut Lowering<'a>,
    facts: &Facts<'a>,
    schema: &mut Map<String, Value>,
) {
    let Some(said) = facts.get("oneOf").first() else { return };
    if schema.contains_key("anyOf") {
        return lowering.losses.refused(&said.at, "oneOf", BESIDE_ANY_OF);
    }
    lowering.losses.rewritten(&said.at, "oneOf", ANY_OF);
    if let Some(branches) = lowering.carry("oneOf", facts) {
        schema.insert("anyOf".to_owned(), branches);
    }
}

/// The types of a value: declared, or implied by other keywords.
fn types_of<'a>(lowering: &mut Lowering<'a>, facts: &Facts<'a>) -> Vec<Type> {
    if let Some(named) = lowering.carry("type", facts) {
        return types::parse(&named).unwrap_or_default();
    }
    if facts.has("anyOf") || facts.has("oneOf") {
        return Vec::new();
    }
    let implied = facts.implied_types();
    if implied.is_empty() {
        lowering.losses.refused(&facts.at, "type", ANY_VALUE);
    } else {
        lowering.losses.supplied(&facts.at, "type", &types::shown(&implied));
    }
    implied
}

fn say_format<'a>(lowering: &mut Lowering<'a>, facts: &Facts<'a>, emission: &mut Emission) {
    let known = |format: &Value| format.as_str().is_some_and(|name| FORMATS.contains(&name));
    match facts.get("format") {
        [said] if known(said.value) => {
            emission.set("format", said.value.clone());
        }
        said => lowering.leave_out(Treatment::Describe, said, facts, emission),
    }
}

fn say_id<'a>(lowering: &mut Lowering<'a>, facts: &Facts<'a>, schema: &mut Map<String, Value>) {
    for said in facts.get("$id") {
        if said.at.is_empty() {
            schema.insert("$id".to_owned(), said.value.clone());
        } else {
            lowering.losses.refused(&said.at, "$id", NESTED_ID);
        }
    }
}

/// Closes an object, and makes its properties required and the optional ones nullable.
fn close<'a>(lowering: &mut Lowering<'a>, facts: &Facts<'a>, schema: &mut Map<String, Value>) {
    if !names_type(schema, "object") {
        return;
    }
    check_closed(lowering, facts, schema);
    let required = facts.required();
    let mut names = Vec::new();
    let properties = schema.entry("properties").or_insert_with(|| json!({}));
    for (name, property) in properties.as_object_mut().into_iter().flatten() {
        if !required.contains(name.as_str()) && !takes_null(property) {
            lowering.losses.rewritten(&facts.property_place(name), name, NULLABLE);
            let value = property.take();
            *property = nullable(value);
        }
        names.push(Value::from(name.as_str()));
    }
    schema.insert("required".to_owned(), Value::Array(names));
    schema.insert("additionalProperties".to_owned(), Value::Bool(false));
}

fn check_closed<'a>(lowering: &mut Lowering<'a>, facts: &Facts<'a>, schema: &Map<String, Value>) {
    let said = facts.get("additionalProperties");
    let is_closed = said.iter().any(|said| said.value == false);
    for open in said.iter().filter(|said| said.value != false && !is_closed) {
        lowering.losses.refused(&open.at, "additionalProperties", OPEN);
    }
    if !said.is_empty() {
        return;
    }
    if !schema.contains_key("properties") && !lowering.is_at_root() {
        return lowering.losses.refused(&facts.at, "properties", FREE_FORM);
    }
    lowering.losses.supplied(&facts.at, "additionalProperties", CLOSED);
}

fn names_type(schema: &Map<String, Value>, name: &str) -> bool {
    match schema.get("type") {
        Some(Value::Array(names)) => names.iter().any(|other| other == name),
        Some(one) => one == name,
        None => false,
    }
}
