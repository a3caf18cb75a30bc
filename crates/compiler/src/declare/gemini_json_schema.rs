//! Gemini's `parametersJsonSchema`: the keywords its types list, and no others.

use serde_json::{Map, Value};

use super::declaration::{Declaration, DeclaredTool};
use super::dialect::{Cycles, Dialect, Refs, Treatment};
use super::emit::Emission;
use super::facts::Facts;
use super::lower::Lowering;
use super::{gemini_native, lower, types};

const ANY_OF: &str = "`anyOf`";

static DIALECT: Dialect = Dialect {
    title: "Gemini JSON Schema",
    table: &[
        (
            Treatment::Keep,
            &[
                "type",
                "properties",
                "required",
                "items",
                "description",
                "title",
                "enum",
                "format",
                "minimum",
                "maximum",
                "minItems",
                "maxItems",
                "prefixItems",
                "additionalProperties",
                "anyOf",
                "$defs",
                "$id",
                "$anchor",
                "propertyOrdering",
            ],
        ),
        (Treatment::Rewrite, &["const", "allOf", "oneOf", "$ref", "definitions"]),
        (Treatment::Describe, gemini_native::DESCRIBED),
        (
            Treatment::Describe,
            &[
                "default",
                "example",
                "minLength",
                "maxLength",
                "pattern",
                "minProperties",
                "maxProperties",
            ],
        ),
    ],
    otherwise: Treatment::Drop,
    refs: Refs::Bare(Cycles::OptionalOnly),
    names: None,
    refused_at_root: &[],
    conflict: Treatment::Drop,
};

pub(super) fn declare(tool: DeclaredTool<'_>) -> Declaration {
    let (schema, losses) = lower::lower(&DIALECT, shape, tool.parameters);
    gemini_native::declaration(tool, "parametersJsonSchema", schema, losses)
}

fn shape<'a>(lowering: &mut Lowering<'a>, facts: &Facts<'a>) -> Value {
    let mut emission = lowering.emit(facts);
    if facts.has("const") {
        say_const(lowering, facts, &mut emission.schema);
    }
    say_one_of(lowering, facts, &mut emission);
    lowering.move_definitions(facts, &mut emission.schema);
    let types = facts.implied_types();
    if facts.recursion.is_some() && !types.is_empty() {
        emission.schema.entry("type").or_insert_with(|| types::keyword(&types));
    }
    emission.finish()
}

/// Gemini reads `oneOf` as `anyOf`. As `oneOf`, branches that differ only by a keyword which is
/// left out would exclude each other.
fn say_one_of<'a>(lowering: &mut Lowering<'a>, facts: &Facts<'a>, emission: &mut Emission) {
    let all = facts.get("oneOf");
    let Some(said) = all.first() else { return };
    if emission.schema.contains_key("anyOf") {
        return lowering.leave_out(Treatment::Describe, all, facts, emission);
    }
    lowering.losses.rewritten(&said.at, "oneOf", ANY_OF);
    if let Some(branches) = lowering.carry("oneOf", facts) {
        emission.set("anyOf", branches);
    }
}

fn say_const<'a>(lowering: &mut Lowering<'a>, facts: &Facts<'a>, schema: &mut Map<String, Value>) {
    for said in facts.get("const") {
        lowering.losses.rewritten(&said.at, "const", "`enum`");
    }
    if let Some(values) = facts.values() {
        schema.insert("enum".to_owned(), values.into_iter().cloned().collect());
    }
}
