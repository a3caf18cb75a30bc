//! The table of keywords and targets, row by row: the treatment of each keyword in a property.

use Mark::{Describe, Drop, Keep, Refuse, Rewrite};

use super::*;

/// The treatment of a keyword.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Mark {
    Keep,
    Drop,
    Describe,
    Rewrite,
    Refuse,
}

/// A keyword, a property that has it, and its treatment at Gemini native, Gemini JSON Schema,
/// OpenAI, OpenAI strict and Anthropic. MCP keeps everything, Realtime is as OpenAI.
type Row = (&'static str, &'static str, [Mark; 5]);

const TABLE: &[Row] = &[
    ("type", r#"{"type": "string"}"#, [Keep, Keep, Keep, Keep, Keep]),
    ("type", r#"{"type": ["string", "null"]}"#, [Rewrite, Keep, Keep, Keep, Keep]),
    ("type", r#"{"type": ["string", "integer"]}"#, [Rewrite, Keep, Keep, Keep, Keep]),
    ("nullable", r#"{"type": "string", "nullable": true}"#, [Keep, Drop, Keep, Drop, Keep]),
    ("properties", OBJECT, [Keep, Keep, Keep, Keep, Keep]),
    ("required", OBJECT, [Keep, Keep, Keep, Keep, Keep]),
    ("items", r#"{"type": "array", "items": {"type": "string"}}"#, [Keep; 5]),
    ("items", r#"{"type": "array"}"#, [Refuse, Keep, Keep, Refuse, Keep]),
    ("description", r#"{"type": "string", "description": "A."}"#, [Keep; 5]),
    ("title", r#"{"type": "string", "title": "A"}"#, [Keep; 5]),
    ("enum", r#"{"type": "string", "enum": ["a", "b"]}"#, [Keep; 5]),
    ("enum", r#"{"type": "integer", "enum": [1, 2]}"#, [Describe, Keep, Keep, Keep, Keep]),
    ("enum", r#"{"type": "string", "enum": ["a", ""]}"#, [Describe, Keep, Keep, Keep, Keep]),
    ("const", r#"{"type": "string", "const": "a"}"#, [Rewrite, Rewrite, Keep, Keep, Keep]),
    ("const", r#"{"type": "integer", "const": 1}"#, [Describe, Rewrite, Keep, Keep, Keep]),
    ("default", r#"{"type": "integer", "default": 1}"#, [Keep, Describe, Keep, Describe, Keep]),
    ("example", r#"{"type": "integer", "example": 1}"#, [Keep, Describe, Keep, Describe, Keep]),
    (
        "examples",
        r#"{"type": "integer", "examples": [1]}"#,
        [Describe, Describe, Keep, Describe, Keep],
    ),
    ("format", r#"{"type": "string", "format": "date-time"}"#, [Keep; 5]),
    ("format", r#"{"type": "string", "format": "email"}"#, [Describe, Keep, Keep, Keep, Keep]),
    ("format", r#"{"type": "string", "format": "uri"}"#, [Describe, Keep, Keep, Describe, Keep]),
    ("minimum", r#"{"type": "number", "minimum": 1}"#, [Keep; 5]),
    ("maximum", r#"{"type": "number", "maximum": 1}"#, [Keep; 5]),
    ("exclusiveMinimum", r#"{"type": "number", "exclusiveMinimum": 1}"#, NOT_GEMINI),
    ("exclusiveMaximum", r#"{"type": "number", "exclusiveMaximum": 1}"#, NOT_GEMINI),
    ("multipleOf", r#"{"type": "number", "multipleOf": 2}"#, NOT_GEMINI),
    ("minLength", r#"{"type": "string", "minLength": 1}"#, [Keep, Describe, Keep, Describe, Keep]),
    ("maxLength", r#"{"type": "string", "maxLength": 1}"#, [Keep, Describe, Keep, Describe, Keep]),
    ("pattern", r#"{"type": "string", "pattern": "a"}"#, [Keep, Describe, Keep, Keep, Keep]),
    ("minItems", r#"{"type": "array", "items": {"type": "string"}, "minItems": 1}"#, [Keep; 5]),
    ("maxItems", r#"{"type": "array", "items": {"type": "string"}, "maxItems": 1}"#, [Keep; 5]),
    (
        "uniqueItems",
        r#"{"type": "array", "items": {"type": "string"}, "uniqueItems": true}"#,
        [Describe, Describe, Keep, Describe, Keep],
    ),
    ("contains", r#"{"type": "array", "items": {"type": "string"}, "contains": {}}"#, PLAIN_ONLY),
    (
        "minProperties",
        r#"{"type": "object", "minProperties": 1}"#,
        [Keep, Describe, Keep, Describe, Keep],
    ),
    (
        "maxProperties",
        r#"{"type": "object", "maxProperties": 1}"#,
        [Keep, Describe, Keep, Describe, Keep],
    ),
    (
        "additionalProperties",
        r#"{"type": "object", "properties": {}, "additionalProperties": false}"#,
        [Drop, Keep, Keep, Keep, Keep],
    ),
    (
        "additionalProperties",
        r#"{"type": "object", "additionalProperties": {"type": "string"}}"#,
        [Describe, Keep, Keep, Refuse, Keep],
    ),
    ("patternProperties", r#"{"type": "object", "patternProperties": {"a": {}}}"#, PLAIN_ONLY),
    ("propertyNames", r#"{"type": "object", "propertyNames": {"maxLength": 1}}"#, PLAIN_ONLY),
    ("anyOf", r#"{"anyOf": [{"type": "string"}, {"type": "integer"}]}"#, [Keep; 5]),
    (
        "oneOf",
        r#"{"oneOf": [{"type": "string"}, {"type": "integer"}]}"#,
        [Rewrite, Rewrite, Keep, Rewrite, Keep],
    ),
    (
        "allOf",
        r#"{"allOf": [{"type": "string"}, {"title": "A"}]}"#,
        [Rewrite, Rewrite, Keep, Rewrite, Keep],
    ),
    ("not", r#"{"type": "string", "not": {"const": "a"}}"#, PLAIN_ONLY),
    ("if", r#"{"type": "string", "if": {"const": "a"}, "then": {}}"#, PLAIN_ONLY),
    ("then", r#"{"type": "string", "if": {}, "then": {}}"#, PLAIN_ONLY),
    ("else", r#"{"type": "string", "if": {}, "else": {}}"#, PLAIN_ONLY),
    ("dependentRequired", r#"{"type": "object", "dependentRequired": {"a": ["b"]}}"#, PLAIN_ONLY),
    ("dependentSchemas", r#"{"type": "object", "dependentSchemas": {"a": {}}}"#, PLAIN_ONLY),
    ("$ref", r##"{"$ref": "#/$defs/A"}"##, [Rewrite, Keep, Keep, Keep, Keep]),
    ("$ref", r##"{"$ref": "#/$defs/A", "title": "A"}"##, [Rewrite, Rewrite, Keep, Rewrite, Keep]),
    (
        "prefixItems",
        r#"{"type": "array", "items": {"type": "string"}, "prefixItems": [{"type": "string"}]}"#,
        [Describe, Keep, Keep, Refuse, Keep],
    ),
    ("$schema", r#"{"type": "string", "$schema": "a"}"#, [Drop, Drop, Drop, Drop, Keep]),
    ("$id", r#"{"type": "string", "$id": "a"}"#, [Drop, Keep, Keep, Refuse, Keep]),
    ("$anchor", r#"{"type": "string", "$anchor": "a"}"#, [Drop, Keep, Keep, Refuse, Keep]),
    ("$comment", r#"{"type": "string", "$comment": "a"}"#, [Drop, Drop, Keep, Keep, Keep]),
    (
        "propertyOrdering",
        r#"{"type": "object", "propertyOrdering": ["a"]}"#,
        [Keep, Keep, Keep, Drop, Keep],
    ),
    ("x-other", r#"{"type": "string", "x-other": 1}"#, [Drop, Drop, Keep, Drop, Keep]),
];

const OBJECT: &str =
    r#"{"type": "object", "properties": {"a": {"type": "string"}}, "required": ["a"]}"#;
const NOT_GEMINI: [Mark; 5] = [Describe, Describe, Keep, Keep, Keep];
const PLAIN_ONLY: [Mark; 5] = [Describe, Describe, Keep, Refuse, Keep];

const COLUMNS: [(Provider, OpenAiForm, &str); 5] = [
    (Provider::GeminiNative, OpenAiForm::Plain, "/parameters"),
    (Provider::GeminiJsonSchema, OpenAiForm::Plain, "/parametersJsonSchema"),
    (Provider::Openai, OpenAiForm::Plain, "/parameters"),
    (Provider::Openai, OpenAiForm::Strict, "/parameters"),
    (Provider::Anthropic, OpenAiForm::Plain, "/input_schema"),
];

/// The actual treatment of a keyword of property `p`.
fn mark(keyword: &str, declaration: &Declaration, root: &str) -> Mark {
    let is_about = |loss: &&Loss| loss.keyword == keyword && loss.pointer == "/properties/p";
    let property = &declaration.value.pointer(&format!("{root}/properties/p")).unwrap();
    let has_keyword = property.get(keyword).is_some();
    let Some(loss) = declaration.losses.iter().find(is_about) else { return Keep };
    match loss.kind {
        LossKind::Rewritten => Rewrite,
        LossKind::Refused => Refuse,
        LossKind::Dropped => {
            assert!(!has_keyword, "{keyword} is dropped and there");
            if loss.message.ends_with("the description says it instead") {
                assert!(property.get("description").is_some(), "{keyword} is not described");
                Describe
            } else {
                Drop
            }
        }
        kind => unreachable!("{kind:?}"),
    }
}

#[test]
fn keywords_are_treated_as_the_table_says() {
    for (keyword, property, marks) in TABLE {
        let property: Value = serde_json::from_str(property).unwrap();
        let parameters = json!({
            "type": "object",
            "additionalProperties": false,
            "properties": { "p": &property },
            "required": ["p"],
            "$defs": { "A": { "type": "string" } },
        });
        for ((target, form, root), expected) in COLUMNS.into_iter().zip(marks) {
            let declaration = declare(&tool(&parameters), target, form).unwrap();
            let found = mark(keyword, &declaration, root);
            let kept = declaration.value.pointer(&format!("{root}/properties/p/{keyword}"));
            assert!(found != Keep || kept.is_some() == property.get(keyword).is_some());
            assert_eq!(found, *expected, "{target} {form:?} {keyword} {declaration:#?}");
        }
    }
}

#[test]
fn mcp_and_anthropic_take_the_schema_as_it_is_written() {
    for (_, property, _) in TABLE {
        let property: Value = serde_json::from_str(property).unwrap();
        let parameters = json!({ "type": "object", "properties": { "p": property } });
        let tool = tool(&parameters);
        for (target, field) in
            [(Provider::Mcp, "inputSchema"), (Provider::Anthropic, "input_schema")]
        {
            let declaration = declare(&tool, target, OpenAiForm::Plain).unwrap();
            assert_eq!(declaration.value[field], parameters);
            assert_eq!(declaration.losses, []);
        }
    }
}

/// The keywords that each target refuses or drops at the root, though not below.
#[test]
fn alternatives_at_the_root_are_refused_where_the_target_refuses_them() {
    let parameters = json!({
        "type": "object",
        "properties": { "a": { "type": "string" }, "b": { "type": "string" } },
        "anyOf": [{ "required": ["a"] }, { "required": ["b"] }],
    });
    let kinds = FORMS.map(|(target, form)| {
        let declaration = declare(&tool(&parameters), target, form).unwrap();
        let is_about = |loss: &&Loss| loss.keyword == "anyOf" && loss.pointer.is_empty();
        declaration.losses.iter().find(is_about).map(|loss| loss.kind)
    });
    let refused = Some(LossKind::Refused);
    let dropped = Some(LossKind::Dropped);
    assert_eq!(kinds, [refused, refused, refused, dropped, None, refused, None]);
}

#[test]
fn a_root_that_is_no_object_is_refused_by_every_target() {
    for parameters in [json!({}), json!({ "type": "string" })] {
        for (target, form) in FORMS {
            let declaration = declare(&tool(&parameters), target, form).unwrap();
            let refused = declaration.losses.iter().any(|loss| loss.kind == LossKind::Refused);
            assert!(refused, "{target} {parameters}");
        }
    }
}
