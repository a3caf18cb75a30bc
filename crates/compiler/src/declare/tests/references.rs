//! `$ref`s that a target keeps.

use super::*;

#[test]
fn kept_references_are_written_as_fragments() {
    let parameters = json!({
        "type": "object",
        "properties": { "p": { "$ref": "#/definitions/List<é>" } },
        "definitions": { "List<é>": { "type": "array", "items": { "type": "string" } } },
    });
    for (target, form, field) in [
        (Provider::GeminiJsonSchema, OpenAiForm::Plain, "parametersJsonSchema"),
        (Provider::Openai, OpenAiForm::Strict, "parameters"),
    ] {
        let declared = declare(&tool(&parameters), target, form).unwrap().value[field].clone();
        assert!(declared["$defs"].get("List<é>").is_some());
        let reference = json!({ "$ref": "#/$defs/List%3C%C3%A9%3E" });
        let p = &declared["properties"]["p"];
        assert_eq!(p.pointer("/anyOf/0").unwrap_or(p), &reference);
    }
}

/// Gemini's JSON Schema of one definition `d` that a property refers to, and whether it was cut.
fn definition(schema: Value) -> (Value, bool) {
    let parameters = json!({
        "type": "object",
        "properties": { "p": { "$ref": "#/$defs/d" } },
        "required": ["p"],
        "$defs": { "d": schema, "e": { "type": "object", "required": ["d"],
            "properties": { "d": { "$ref": "#/$defs/d" } } } },
    });
    let declaration =
        declare(&tool(&parameters), Provider::GeminiJsonSchema, OpenAiForm::Plain).unwrap();
    let is_cut = declaration.losses.iter().any(|loss| loss.kind == LossKind::Recursive);
    (declaration.value["parametersJsonSchema"]["$defs"].clone(), is_cut)
}

#[test]
fn gemini_keeps_a_cycle_through_an_optional_property() {
    let next = json!({ "$ref": "#/$defs/d" });
    let node = json!({ "type": "object", "properties": { "next": next } });
    let (definitions, is_cut) = definition(node.clone());
    assert_eq!(definitions["d"], node);
    assert!(!is_cut);
}

#[test]
fn gemini_cuts_a_cycle_through_required_properties() {
    let link = |target: &str| {
        json!({ "type": "object", "required": ["next"],
            "properties": { "next": { "$ref": format!("#/$defs/{target}") } } })
    };
    let (definitions, is_cut) = definition(link("d"));
    let cut = json!({ "type": "object", "description": "Has the same form as `d`." });
    assert_eq!(definitions["d"]["properties"]["next"], cut);
    assert!(is_cut);

    let (definitions, is_cut) = definition(link("e"));
    assert_eq!(definitions["d"], link("e"));
    assert_eq!(definitions["e"]["properties"]["d"], cut);
    assert!(is_cut);
}

#[test]
fn words_beside_a_reference_that_leads_back_are_kept() {
    let (definitions, is_cut) = definition(json!({ "type": "object", "properties": {
        "next": { "$ref": "#/$defs/d", "description": "The next one." },
    } }));
    assert_eq!(
        definitions["d"]["properties"]["next"],
        json!({ "anyOf": [{ "$ref": "#/$defs/d" }], "description": "The next one." })
    );
    assert!(!is_cut);
}
