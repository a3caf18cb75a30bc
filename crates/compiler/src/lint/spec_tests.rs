//! One fault at a time, and then all of them together.

use aileron_contract::Capability;
use serde_json::json;

use super::*;
use crate::source::Source;

fn good() -> Value {
    json!({
        "toolId": "kb_search", "version": "1.0.0", "description": "Searches.", "category": "retrieval",
        "sideEffects": "read_only", "idempotent": true, "requiresConfirmation": false,
        "allowedModes": ["text"], "latencyBudgetMs": 800,
        "parameters": {"type": "object", "additionalProperties": false}
    })
}

fn findings(value: &Value) -> Vec<String> {
    let source = Source::new("schema.json", value.to_string());
    let mut found = Vec::new();
    let document = Document::parse(&source, &mut found).unwrap();
    let expected = ToolId::new("kb_search").unwrap();
    let spec = check(&document, Some(&expected), &mut found);
    assert_eq!(
        spec.is_some(),
        found.is_empty()
            || found.iter().all(|f| matches!(f.rule.code, "AIL-S009" | "AIL-S010" | "AIL-S011"))
    );
    found
        .iter()
        .map(|f| format!("{} {} | {}", f.rule.code, f.message, f.help.clone().unwrap_or_default()))
        .collect()
}

#[track_caller]
fn check_with(field: &str, value: Value, expected: &[&str]) {
    let mut tool = good();
    tool[field] = value;
    assert_eq!(findings(&tool), expected);
}

#[test]
fn a_good_tool_has_no_findings() {
    assert_eq!(findings(&good()), [""; 0]);
    check_with("$schema", json!("../../docs/schema/tool.schema.json"), &[]);
}

#[test]
fn each_missing_field_is_named_with_its_meaning() {
    let found = findings(&json!({}));
    assert_eq!(found.len(), 10);
    assert!(found.contains(
        &"AIL-S001 field `sideEffects` is missing | add it: The side effects of a call.".to_owned()
    ));
}

#[test]
fn wrong_types_are_named() {
    check_with(
        "idempotent",
        json!("true"),
        &[
            "AIL-S002 field `idempotent`: expected a boolean, found a string | Whether calling twice with the same arguments has the same effect as calling once.",
        ],
    );
}

#[test]
fn misspelt_fields_get_a_suggestion() {
    check_with(
        "requireConfirmation",
        json!(true),
        &["AIL-S003 unknown field `requireConfirmation` | did you mean `requiresConfirmation`?"],
    );
    check_with(
        "rateLimit",
        json!({"calls": 1, "windowMS": 5, "windowMs": 5, "per": "user"}),
        &["AIL-S003 unknown field `rateLimit.windowMS` | did you mean `windowMs`?"],
    );
}

#[test]
fn every_unknown_field_of_an_object_is_named() {
    let mut tool = good();
    tool["requireConfirmation"] = json!(true);
    tool["timeout"] = json!(5);
    tool["rateLimit"] = json!({"calls": 1, "windowMs": 5, "per": "user", "burst": 1, "pre": 2});
    assert_eq!(
        findings(&tool),
        [
            "AIL-S003 unknown field `requireConfirmation` | did you mean `requiresConfirmation`?",
            "AIL-S003 unknown field `timeout` | did you mean `timeoutMs`?",
            "AIL-S003 unknown field `rateLimit.burst` | known here: calls, per, windowMs",
            "AIL-S003 unknown field `rateLimit.pre` | did you mean `per`?",
        ]
    );
}

#[test]
fn values_outside_of_the_list_get_a_suggestion() {
    check_with(
        "sideEffects",
        json!("read-only"),
        &[
            "AIL-S004 field `sideEffects`: expected one of \"none\", \"read_only\", \"writes\", found \"read-only\" | did you mean `read_only`?",
        ],
    );
    check_with(
        "allowedModes",
        json!(["text", "video"]),
        &[
            "AIL-S004 field `allowedModes.1`: expected one of \"text\", \"voice\", found \"video\" | choose one of the values that are allowed",
        ],
    );
}

#[test]
fn bounds_are_kept() {
    check_with(
        "latencyBudgetMs",
        json!(0),
        &[
            "AIL-S005 field `latencyBudgetMs`: expected at least 1, found 0 | The soft limit of a call's duration. A longer call gives a warning and a metric.",
        ],
    );
    check_with(
        "allowedModes",
        json!([]),
        &[
            "AIL-S005 field `allowedModes`: expected at least 1 items, found 0 | The modes in which the tool may be called.",
        ],
    );
}

#[test]
fn versions_are_semantic() {
    for bad in ["v1.2", "1.2", "1.2.3.4", "01.2.3", "1.0.0-01", ""] {
        check_with(
            "version",
            json!(bad),
            &[&format!(
                "AIL-S006 field `version`: expected a semantic version such as 1.2.0, found {bad:?} | write three numbers: major.minor.patch"
            )],
        );
    }
    check_with("version", json!("1.0.0-rc.1+build.5"), &[]);
}

#[test]
fn ids_are_checked_against_form_and_directory() {
    check_with(
        "toolId",
        json!("kb_find"),
        &[
            "AIL-S009 directory `kb-search` holds tool `kb_search`, found `toolId` \"kb_find\" | write `kb_search`, or rename the directory to `kb-find`",
        ],
    );
    check_with(
        "toolId",
        json!("KB.search"),
        &[
            "AIL-S007 field `toolId`: a tool id must be a lower-case letter, then at most 63 of a-z, 0-9 and _, found \"KB.search\" | use the directory's name with underscores for dashes",
            "AIL-S009 directory `kb-search` holds tool `kb_search`, found `toolId` \"KB.search\" | write `kb_search`",
        ],
    );
}

#[test]
fn capabilities_are_known() {
    check_with(
        "capabilities",
        json!(["mesaging"]),
        &["AIL-S008 unknown capability \"mesaging\" | did you mean `messaging`?"],
    );
    check_with(
        "capabilities",
        json!(["http://api.example.com"]),
        &[
            "AIL-S008 unknown capability \"http://api.example.com\" | write `http:` and a lower-case host name, such as `http:api.example.com`",
        ],
    );
    check_with(
        "capabilities",
        json!(["secret:key"]),
        &[
            "AIL-S008 unknown capability \"secret:key\" | write `secret:` and the variable's name in upper case, such as `secret:API_KEY`",
        ],
    );
    check_with("capabilities", json!(["kb", "http:api.example.com:443", "secret:KEY_2"]), &[]);
}

#[test]
fn retrieval_reads_and_repeats() {
    check_with(
        "idempotent",
        json!(false),
        &[
            "AIL-S010 a retrieval tool must be idempotent, found `idempotent: false` | set `idempotent` to true, or choose another category",
        ],
    );
    check_with(
        "sideEffects",
        json!("writes"),
        &[
            "AIL-S011 a retrieval tool must not write, found `sideEffects: \"writes\"` | set `category` to \"action\", or let the tool only read",
        ],
    );
}

#[test]
fn what_is_inside_of_parameters_is_left_to_others() {
    check_with("parameters", json!({"type": "strnig"}), &[]);
}

#[test]
fn the_schema_knows_every_capability() {
    let plain: Vec<&str> = Capability::plain_names().collect();
    let schema: Value = serde_json::from_str(format::TOOL_SCHEMA).unwrap();
    assert_eq!(
        schema["properties"]["capabilities"]["items"]["anyOf"][0]["enum"],
        json!(plain),
        "schema/tool.schema.json names other capabilities than the contract"
    );
}

#[test]
fn a_deadline_of_more_than_an_hour_is_for_background_tools() {
    let help = "The hard deadline of a call. Default: four times latencyBudgetMs. At most one hour, with execution background one day.";
    check_with("timeoutMs", json!(3_600_000), &[]);
    let findings = |timeout: u64, execution: &str| {
        let mut tool = good();
        tool["timeoutMs"] = json!(timeout);
        tool["execution"] = json!(execution);
        findings(&tool)
    };
    let too_long = |limit: u64| [format!("AIL-S005 field `timeoutMs`: {} | {help}", bound(limit))];
    assert_eq!(findings(3_600_001, "foreground"), too_long(3_600_000));
    assert_eq!(findings(86_400_000, "background"), [""; 0]);
    assert_eq!(findings(86_400_001, "background"), too_long(86_400_000));
}

fn bound(limit: u64) -> String {
    format!("expected at most {limit}, found {}", limit + 1)
}
