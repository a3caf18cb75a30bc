//! Losses in their places.

#![allow(clippy::unwrap_used, reason = "a test may fail")]

use aileron_contract::{ContentHash, ToolId};

use super::*;
use crate::declare::{OpenAiForm, declare};
use crate::source::Source;
use crate::tree::Memory;

/// The findings about one tool and target, each with its line.
fn findings(target: Provider, form: OpenAiForm, parameters: &str) -> Vec<String> {
    let text = format!(
        "{{ \"toolId\": \"probe\", \"description\": \"Probes.\", \"returns\": true, \"parameters\":\n{parameters} }}"
    );
    let mut found = Vec::new();
    let schema = Document::parse(&Source::new("schema.json", text), &mut found).unwrap();
    let declaration = declare(&schema.value, target, form).unwrap();
    report(&schema, target, TargetUse::InUse, &declaration, &mut found);
    assert!(found.iter().all(|finding| finding.target == Some(target)));
    found.iter().map(line).collect()
}

fn line(finding: &Diagnostic) -> String {
    let source = finding.source.text.get(finding.span.clone().unwrap()).unwrap();
    let word = source.lines().next().unwrap_or_default();
    let line = finding.position().line;
    format!("{line} {} {word} {}", finding.rule.code, finding.pointer.clone().unwrap())
}

#[test]
fn losses_point_at_the_keyword() {
    let parameters = r##"{ "type": "object",
        "properties": {
            "tags": { "type": "array", "items": { "$ref": "#/$defs/Tag" },
                "uniqueItems": true },
            "bad name": { "type": ["string", "null"] },
            "list": { "type": "array" }
        },
        "$defs": { "Tag": { "type": "object", "properties": {
            "sub": { "$ref": "#/$defs/Tag" } } } } }"##;
    assert_eq!(
        findings(Provider::GeminiNative, OpenAiForm::Plain, parameters),
        [
            r#"9 AIL-P002 "$defs" /parameters/$defs"#,
            r#"10 AIL-P004 "$ref" /parameters/$defs/Tag/properties/sub/$ref"#,
            r#"6 AIL-P006 "bad name" /parameters/properties/bad name"#,
            r#"6 AIL-P002 "type" /parameters/properties/bad name/type"#,
            r#"7 AIL-P003 "list" /parameters/properties/list"#,
            r#"5 AIL-P001 "uniqueItems" /parameters/properties/tags/uniqueItems"#,
            r#"4 AIL-P002 "$ref" /parameters/properties/tags/items/$ref"#,
        ]
    );
}

#[test]
fn a_target_that_is_not_in_use_refuses_in_a_note() {
    use crate::lint::docs::sample::{Sample, parameters};
    use crate::{Options, Severity};
    let mut parameters = parameters();
    parameters["properties"]["top_k"] = serde_json::json!({ "type": "array", "description": "x" });
    let sample = |targets: &[Provider]| {
        let options = Options { targets: targets.to_vec(), ..Options::default() };
        let fields = serde_json::json!({ "parameters": parameters });
        let found = Sample::new().with(fields).options(options).findings("AIL-P003");
        found.into_iter().map(|f| (f.target, f.severity)).collect::<Vec<_>>()
    };
    let native = Some(Provider::GeminiNative);
    assert_eq!(sample(&Provider::ALL), [(native, Severity::Error)]);
    assert_eq!(sample(&[Provider::Anthropic, Provider::Mcp]), [(native, Severity::Note)]);
}

#[test]
fn a_lost_return_schema_points_at_it() {
    let found = findings(Provider::Mcp, OpenAiForm::Plain, r#"{ "type": "object" }"#);
    assert_eq!(found, [r#"1 AIL-P001 "returns" /returns"#]);
}

#[test]
fn a_schema_that_doubles_with_each_step_is_too_large() {
    let definition = |i: u32| {
        let next = format!(r##"{{ "$ref": "#/$defs/d{}" }}"##, i + 1);
        format!(r#""d{i}": {{ "type": "object", "properties": {{ "x": {next}, "y": {next} }} }},"#)
    };
    let definitions: String = (0..30).map(definition).collect();
    let parameters = format!(
        r##"{{ "type": "object", "properties": {{ "a": {{ "$ref": "#/$defs/d0" }} }},
            "$defs": {{ {definitions} "d30": {{ "type": "string" }} }} }}"##
    );
    let found = findings(Provider::GeminiNative, OpenAiForm::Plain, &parameters);
    assert_eq!(found[0], r#"1 AIL-P007 "parameters" /parameters"#);
    assert!(findings(Provider::Anthropic, OpenAiForm::Plain, &parameters).is_empty());
}

#[test]
fn names_are_given_that_every_target_takes() {
    let parameters = r#"{ "type": "object", "properties": { "2 user-id": {}, "é": {} } }"#;
    let text = format!(r#"{{ "toolId": "a", "description": "b", "parameters": {parameters} }}"#);
    let schema = Document::parse(&Source::new("schema.json", text), &mut Vec::new()).unwrap();
    let declaration = declare(&schema.value, Provider::Anthropic, OpenAiForm::Plain).unwrap();
    let mut found = Vec::new();
    report(&schema, Provider::Anthropic, TargetUse::InUse, &declaration, &mut found);
    let help: Vec<_> = found.iter().filter_map(|finding| finding.help.as_deref()).collect();
    assert_eq!(
        help,
        ["rename it to `user_id`, which every target takes", "rename it, or leave the target out"]
    );
}

fn tools(count: usize) -> Vec<CompiledTool> {
    let tool = |i| CompiledTool {
        id: ToolId::from_directory(&format!("tool-{i}")).unwrap(),
        hash: ContentHash::of_bytes(b""),
        json: String::new(),
        tokens: 0,
    };
    (0..count).map(tool).collect()
}

#[test]
fn a_toolset_beyond_a_providers_limit_is_reported() {
    let messages = |count| {
        let mut found = Vec::new();
        check_toolset(&Memory::new("tools"), &tools(count), &mut found);
        found.iter().map(|f| format!("{} {}", f.source.path, f.message)).collect::<Vec<_>>()
    };
    assert!(messages(128).is_empty());
    assert_eq!(messages(129), ["tools the toolset has 129 tools, OpenAI takes 128 in one request"]);
    assert_eq!(
        messages(513),
        ["tools the toolset has 513 tools, OpenAI takes 128 and Gemini 512 in one request"]
    );
}

#[test]
fn every_rule_explains_itself() {
    for rule in RULES {
        for section in ["## Why", "## Example", "## Fix"] {
            assert!(rule.explanation.contains(section), "{rule} has no {section}");
        }
    }
}
