//! The rules of each target, written independently of the tables.

use serde_json::{Map, Value};

use super::*;

type Schema = Map<String, Value>;

const NATIVE_FIELDS: &[&str] = &[
    "type",
    "format",
    "title",
    "description",
    "nullable",
    "enum",
    "items",
    "minItems",
    "maxItems",
    "properties",
    "required",
    "minProperties",
    "maxProperties",
    "minimum",
    "maximum",
    "minLength",
    "maxLength",
    "pattern",
    "example",
    "anyOf",
    "propertyOrdering",
    "default",
];

const GEMINI_KEYWORDS: &[&str] = &[
    "$id",
    "$defs",
    "$ref",
    "$anchor",
    "type",
    "format",
    "title",
    "description",
    "enum",
    "items",
    "prefixItems",
    "minItems",
    "maxItems",
    "minimum",
    "maximum",
    "anyOf",
    "properties",
    "additionalProperties",
    "required",
    "propertyOrdering",
];

const STRICT_KEYWORDS: &[&str] = &[
    "$id",
    "$comment",
    "$defs",
    "$ref",
    "type",
    "format",
    "title",
    "description",
    "enum",
    "const",
    "items",
    "minItems",
    "maxItems",
    "minimum",
    "maximum",
    "exclusiveMinimum",
    "exclusiveMaximum",
    "multipleOf",
    "pattern",
    "anyOf",
    "properties",
    "additionalProperties",
    "required",
];

/// The faults of a declaration by the target's rules.
pub(super) fn faults(target: Provider, form: OpenAiForm, value: &Value) -> Vec<String> {
    let (field, check): (&str, fn(&Schema) -> Vec<&'static str>) = match (target, form) {
        (Provider::Openai, OpenAiForm::Strict) => ("parameters", strict),
        (Provider::GeminiNative, _) => ("parameters", native),
        (Provider::GeminiJsonSchema, _) => ("parametersJsonSchema", gemini),
        (Provider::Anthropic, _) => ("input_schema", anthropic),
        (Provider::Openai | Provider::OpenaiRealtime, _) => ("parameters", openai),
        (Provider::Mcp, _) => ("inputSchema", |_| Vec::new()),
    };
    let Some(root) = value.get(field) else { return Vec::new() };
    let mut faults = Vec::new();
    if !root["type"].as_str().is_some_and(|name| name.eq_ignore_ascii_case("object")) {
        faults.push("the root is not an object".to_owned());
    }
    if target != Provider::GeminiJsonSchema
        && root.get("anyOf").is_some()
        && target != Provider::Mcp
    {
        faults.push("`anyOf` at the root".to_owned());
    }
    visit(root, "", check, &mut faults);
    faults
}

fn visit(
    schema: &Value,
    at: &str,
    check: fn(&Schema) -> Vec<&'static str>,
    found: &mut Vec<String>,
) {
    let Value::Object(map) = schema else { return };
    found.extend(check(map).into_iter().map(|fault| format!("{at}: {fault}")));
    for (keyword, value) in map {
        let at = format!("{at}/{keyword}");
        match (keyword.as_str(), value) {
            ("properties" | "$defs", Value::Object(children)) => {
                children
                    .iter()
                    .for_each(|(name, child)| visit(child, &format!("{at}/{name}"), check, found));
            }
            ("anyOf" | "oneOf" | "prefixItems", Value::Array(children)) => {
                children.iter().for_each(|child| visit(child, &at, check, found));
            }
            ("items" | "additionalProperties", child) => visit(child, &at, check, found),
            _ => {}
        }
    }
}

/// Names the rules that are broken.
fn broken<const N: usize>(rules: [(bool, &'static str); N]) -> Vec<&'static str> {
    rules.into_iter().filter(|(holds, _)| !holds).map(|(_, rule)| rule).collect()
}

fn native(schema: &Schema) -> Vec<&'static str> {
    let kind = schema.get("type").and_then(Value::as_str);
    let is = |name: &str| kind == Some(name);
    let known = ["STRING", "NUMBER", "INTEGER", "BOOLEAN", "ARRAY", "OBJECT", "NULL"];
    let is_text = |v: &Value| v.as_str().is_some_and(|text| !text.is_empty());
    let properties = schema.get("properties").and_then(Value::as_object);
    let required = schema.get("required").and_then(Value::as_array);
    let is_defined =
        |n: &Value| properties.is_some_and(|p| n.as_str().is_some_and(|n| p.contains_key(n)));
    broken([
        (schema.keys().all(|key| NATIVE_FIELDS.contains(&key.as_str())), "only proto fields"),
        (kind.is_none_or(|name| known.contains(&name)), "a known type"),
        (schema.contains_key("type") != schema.contains_key("anyOf"), "either a type or `anyOf`"),
        (!is("ARRAY") || schema.contains_key("items"), "arrays have items"),
        (!schema.contains_key("enum") || is("STRING"), "`enum` on texts only"),
        (list(schema, "enum").iter().all(is_text), "`enum` of texts that are not empty"),
        (required.into_iter().flatten().all(is_defined), "`required` names properties"),
        (properties.is_none() || is("OBJECT"), "properties on objects only"),
        (schema.get("format").is_none_or(is_native_format), "a format that is taken"),
        (numbers_are_numbers(schema), "numbers"),
        (names(schema).all(is_identifier), "property names"),
    ])
}

fn is_native_format(format: &Value) -> bool {
    ["date-time", "enum", "int32", "int64", "float", "double"].iter().any(|known| format == known)
}

fn numbers_are_numbers(schema: &Schema) -> bool {
    let bounds = ["minimum", "maximum", "minLength", "maxLength", "minItems", "maxItems"];
    bounds.iter().all(|keyword| schema.get(*keyword).is_none_or(Value::is_number))
}

fn list<'v>(schema: &'v Schema, keyword: &str) -> &'v [Value] {
    schema.get(keyword).and_then(Value::as_array).map_or(&[], Vec::as_slice)
}

fn names(schema: &Schema) -> impl Iterator<Item = &str> {
    let properties = schema.get("properties").and_then(Value::as_object);
    properties.into_iter().flat_map(Map::keys).map(String::as_str)
}

fn is_identifier(name: &str) -> bool {
    let mut letters = name.chars();
    letters.next().is_some_and(|c| c.is_ascii_alphabetic() || c == '_')
        && letters.all(|c| c.is_ascii_alphanumeric() || c == '_')
        && name.len() <= 64
}

fn strict(schema: &Schema) -> Vec<&'static str> {
    let types = match schema.get("type") {
        Some(Value::Array(names)) => names.iter().filter_map(Value::as_str).collect(),
        Some(name) => Vec::from_iter(name.as_str()),
        None => Vec::new(),
    };
    let is_object = types.contains(&"object");
    let required = list(schema, "required");
    broken([
        (schema.keys().all(|key| STRICT_KEYWORDS.contains(&key.as_str())), "only known keywords"),
        (!is_object || schema.get("additionalProperties") == Some(&json!(false)), "closed objects"),
        (names(schema).all(|name| required.contains(&json!(name))), "all properties required"),
        (required.len() == names(schema).count(), "nothing else required"),
        (!types.contains(&"array") || schema.contains_key("items"), "arrays have items"),
        (is_bare(schema), "nothing beside `$ref`"),
        (
            ["type", "anyOf", "$ref"].iter().any(|keyword| schema.contains_key(*keyword)),
            "a type, `anyOf` or `$ref`",
        ),
    ])
}

fn is_bare(schema: &Schema) -> bool {
    !schema.contains_key("$ref") || schema.len() == 1
}

fn gemini(schema: &Schema) -> Vec<&'static str> {
    broken([
        (schema.keys().all(|key| GEMINI_KEYWORDS.contains(&key.as_str())), "only listed keywords"),
        (is_bare(schema), "nothing beside `$ref`"),
    ])
}

fn anthropic(schema: &Schema) -> Vec<&'static str> {
    let is_key = |name: &str| {
        (1..=64).contains(&name.len())
            && name.chars().all(|c| c.is_ascii_alphanumeric() || "_.-".contains(c))
    };
    broken([(names(schema).all(is_key), "property names")])
}

fn openai(schema: &Schema) -> Vec<&'static str> {
    broken([(!schema.contains_key("$schema"), "no `$schema`")])
}
