//! Gemini's `parameters`: a protobuf schema with upper-case types.
//!
//! One unknown field rejects the whole request, so only keywords of the table are sent. `null`
//! becomes `nullable`, alternatives become `anyOf`, and every schema has a type.

mod any;
mod typed;
mod union;

use serde_json::Value;

use super::declaration::{Declaration, DeclaredTool, object};
use super::dialect::{Dialect, NameRule, Refs, Treatment};
use super::loss::Loss;
use super::lower;

/// Keywords that neither form of Gemini has.
pub(super) const DESCRIBED: &[&str] = &[
    "exclusiveMinimum",
    "exclusiveMaximum",
    "multipleOf",
    "uniqueItems",
    "contains",
    "patternProperties",
    "propertyNames",
    "not",
    "if",
    "then",
    "else",
    "dependentRequired",
    "dependentSchemas",
    "examples",
    "deprecated",
    "contentEncoding",
    "contentMediaType",
];

static DIALECT: Dialect = Dialect {
    title: "Gemini native",
    table: &[
        (
            Treatment::Keep,
            &[
                "properties",
                "items",
                "description",
                "title",
                "nullable",
                "default",
                "example",
                "minimum",
                "maximum",
                "minLength",
                "maxLength",
                "pattern",
                "minItems",
                "maxItems",
                "minProperties",
                "maxProperties",
                "propertyOrdering",
            ],
        ),
        (
            Treatment::Rewrite,
            &["type", "enum", "const", "format", "required", "anyOf", "oneOf", "allOf", "$ref"],
        ),
        (Treatment::Describe, DESCRIBED),
        (Treatment::Describe, &["prefixItems", "additionalProperties"]),
    ],
    otherwise: Treatment::Drop,
    refs: Refs::WrittenOut,
    names: Some(&NameRule {
        allows: is_name,
        expected: "a letter or `_`, then at most 63 letters, digits and `_`",
    }),
    refused_at_root: &[],
    conflict: Treatment::Drop,
};

pub(super) fn declare(tool: DeclaredTool<'_>) -> Declaration {
    let (schema, losses) = lower::lower(&DIALECT, union::shape, tool.parameters);
    declaration(tool, "parameters", schema, losses)
}

/// A function declaration; one without arguments has no schema at all.
pub(super) fn declaration(
    tool: DeclaredTool<'_>,
    field: &str,
    schema: Value,
    losses: Vec<Loss>,
) -> Declaration {
    let fields = [("name", tool.name.into()), ("description", tool.description.into())];
    let mut value = object(fields);
    let properties = schema.get("properties").and_then(Value::as_object);
    let is_map = schema.get("additionalProperties").is_some_and(Value::is_object);
    if is_map || properties.is_some_and(|properties| !properties.is_empty()) {
        value[field] = schema;
    }
    Declaration { value, losses }
}

fn is_name(name: &str) -> bool {
    let allowed = |b: u8| b.is_ascii_alphanumeric() || b == b'_';
    (1..=64).contains(&name.len())
        && name.bytes().all(allowed)
        && !name.starts_with(|c: char| c.is_ascii_digit())
}
