//! Gemini's `parameters`: a protobuf schema with upper-case types.
//!
//! One field it does not know rejects the whole request, so that nothing but
//! what the table keeps is ever sent. `null` is said by `nullable`, alternatives
//! by `anyOf` alone, and every schema has a type.

mod union;

use serde_json::{Map, Value};

use super::dialect::{Dialect, NameRule, Refs, Treatment};
use super::emit::Emission;
use super::facts::Facts;
use super::loss::Loss;
use super::lower::Lowering;
use super::types::Type;
use super::{Declaration, DeclaredTool, describe, lower, object};

/// What neither of Gemini's forms has a keyword for.
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
    shape: union::shape,
};

const NO_ITEMS: &str = "an array must say what its `items` are";

pub(super) fn declare(tool: DeclaredTool<'_>) -> Declaration {
    let (schema, losses) = lower::lower(&DIALECT, tool.parameters);
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

/// The schema of a value that has one type.
fn typed<'a>(lowering: &mut Lowering<'a>, facts: &Facts<'a>, kind: Type) -> Emission {
    let facts = facts.about(&[kind]);
    let mut emission = lowering.emit(&facts);
    emission.set("type", kind.as_str().to_ascii_uppercase());
    say_values(lowering, &facts, kind, &mut emission);
    say_format(lowering, &facts, kind, &mut emission);
    match kind {
        Type::Object => say_required(lowering, &facts, &mut emission.schema),
        Type::Array => check_items(lowering, &facts, &mut emission.schema),
        _ => {}
    }
    emission
}

/// Says which values remain: as `enum` if they are texts, in the description otherwise.
fn say_values<'a>(
    lowering: &mut Lowering<'a>,
    facts: &Facts<'a>,
    kind: Type,
    emission: &mut Emission,
) {
    let Some(mut values) = facts.values() else { return };
    values.retain(|value| kind.admits(value));
    let is_text = |value: &&Value| value.as_str().is_some_and(|text| !text.is_empty());
    if !values.is_empty() && values.iter().all(is_text) {
        for said in facts.get("const") {
            lowering.losses.rewritten(&said.at, "const", "`enum`");
        }
        emission.set("enum", values.into_iter().cloned().collect::<Value>());
        return;
    }
    let described = emission.say(describe::values(&values));
    for said in facts.get("enum").iter().chain(facts.get("const")) {
        lowering.losses.dropped(&said.at, said.keyword, described);
    }
}

/// The formats that are sure to be taken; others are described.
fn say_format<'a>(
    lowering: &mut Lowering<'a>,
    facts: &Facts<'a>,
    kind: Type,
    emission: &mut Emission,
) {
    let taken: &[&str] = match kind {
        Type::String => &["date-time", "enum"],
        Type::Integer => &["int32", "int64"],
        Type::Number => &["float", "double"],
        _ => &[],
    };
    match facts.get("format") {
        [said] if said.value.as_str().is_some_and(|format| taken.contains(&format)) => {
            emission.set("format", said.value.clone());
        }
        said => lowering.leave_out(Treatment::Describe, said, facts, emission),
    }
}

/// Says what is required, among the properties that there are.
fn say_required<'a>(
    lowering: &mut Lowering<'a>,
    facts: &Facts<'a>,
    schema: &mut Map<String, Value>,
) {
    let properties = schema.get("properties").and_then(Value::as_object);
    let is_defined = |name: &str| properties.is_some_and(|all| all.contains_key(name));
    let (defined, undefined): (Vec<_>, Vec<_>) =
        facts.required().into_iter().partition(|name| is_defined(name));
    if let Some(name) = undefined.first() {
        let why = format!("there is no property `{name}`");
        for said in facts.get("required") {
            lowering.losses.dropped_because(&said.at, "required", &why);
        }
    }
    if !defined.is_empty() {
        schema.insert("required".to_owned(), defined.into());
    }
}

/// Sees to it that an array says what its items are.
fn check_items<'a>(
    lowering: &mut Lowering<'a>,
    facts: &Facts<'a>,
    schema: &mut Map<String, Value>,
) {
    if schema.contains_key("items") {
        return;
    }
    if facts.has("prefixItems") || facts.recursion.is_some() {
        schema.insert("items".to_owned(), union::any_items());
    } else {
        lowering.losses.refused(&facts.at, "items", NO_ITEMS);
    }
}
