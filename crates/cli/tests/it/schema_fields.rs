//! The page about `schema.json` has every field there is, and every example on it builds.

use std::collections::BTreeSet;

use serde_json::Value;

use crate::workspace::Workspace;

const PAGE: &str = include_str!("../../../../docs/schema-fields.md");

/// Where fields end and conditions begin.
const CONDITIONS: &str = "\n# Variables of conditions\n";
const CASES: &str = "\n# cases.json\n";

/// The sections about fields: name and text.
fn sections() -> Vec<(&'static str, &'static str)> {
    let (fields, _) = PAGE.split_once(CONDITIONS).unwrap();
    let sections = fields.split("\n## `").skip(1);
    sections.map(|section| section.split_once("`\n").unwrap()).collect()
}

fn examples(text: &str) -> impl Iterator<Item = Value> {
    let blocks = text.split("```json\n").skip(1).map(|rest| rest.split("```").next().unwrap());
    blocks.map(|block| serde_json::from_str(block).unwrap_or_else(|e| panic!("{e}: {block}")))
}

fn format() -> Value {
    Workspace::new().ok(&["schema"]).json()
}

#[test]
fn every_field_has_a_section() {
    let format = format();
    let fields: BTreeSet<&str> =
        format["properties"].as_object().unwrap().keys().map(String::as_str).collect();
    let documented: Vec<&str> = sections().into_iter().map(|(name, _)| name).collect();
    assert_eq!(documented.iter().copied().collect::<BTreeSet<_>>(), fields);
    assert_eq!(documented.len(), fields.len(), "each once");
}

#[test]
fn every_member_of_a_field_is_named_in_its_section() {
    let format = format();
    for (name, text) in sections() {
        let members = format["properties"][name]["properties"].as_object();
        for member in members.into_iter().flatten().map(|(member, _)| member) {
            let full = format!("`{name}.{member}`");
            assert!(text.contains(&full), "{full}");
        }
        for value in format["properties"][name]["enum"].as_array().into_iter().flatten() {
            let value = format!("`{}`", value.as_str().unwrap());
            assert!(text.contains(&value), "{name}: {value}");
        }
        let is_required =
            format["required"].as_array().unwrap().iter().any(|required| required == name);
        assert_eq!(text.trim_start().starts_with("Required. "), is_required, "{name}");
    }
    let limits = &format["$defs"]["limits"]["additionalProperties"]["properties"];
    let (_, text) = sections().into_iter().find(|(name, _)| *name == "modeLimits").unwrap();
    for limit in limits.as_object().unwrap().keys() {
        assert!(text.contains(&format!("`{limit}`")), "{limit}");
    }
}

/// A tool with these members replaced.
fn with(example: &Value) -> Workspace {
    let workspace = Workspace::with_tool();
    let file = "tools/greet-person/schema.json";
    let mut schema: Value = serde_json::from_str(&workspace.read(file)).unwrap();
    for (name, value) in example.as_object().unwrap() {
        schema[name] = value.clone();
    }
    workspace.write(file, schema.to_string());
    workspace
}

#[test]
fn every_example_builds_and_shows_its_field() {
    for (name, text) in sections() {
        let found: Vec<Value> = examples(text).collect();
        assert!(!found.is_empty(), "{name} has an example");
        for example in found {
            assert!(example.get(name).is_some(), "{name}: {example}");
            let run = with(&example).run(&["check"]);
            assert_eq!(run.code, 0, "{example}: {}", run.stderr);
        }
    }
}

/// The rows of the table: variable, place and example.
fn variables() -> Vec<[&'static str; 3]> {
    let (_, rest) = PAGE.split_once(CONDITIONS).unwrap();
    let (table, _) = rest.split_once(CASES).unwrap();
    let rows = table.lines().filter(|line| line.starts_with("| `"));
    let cells = rows.map(|row| row.trim_matches('|').split(" | ").map(str::trim).collect());
    let rows = cells.map(|cells: Vec<&str>| [cells[0], cells[1], cells[3]]);
    rows.map(|cells| cells.map(|cell| cell.trim_matches('`'))).collect()
}

/// Each example is decided, both where it may stand and with what is really there.
#[test]
fn every_variable_is_there_when_a_call_is_made() {
    let rows = variables();
    assert_eq!(rows.len(), 8);
    for [variable, place, example] in rows {
        assert!(example.contains(variable), "{variable}: {example}");
        let available = serde_json::json!({ "availability": { "condition": example } });
        let asked = serde_json::json!({ "confirmation": { "when": example } });
        let tried = match place {
            "both" => vec![available, asked],
            "availability.condition" => vec![available],
            "confirmation.when" => vec![asked],
            other => panic!("{other}"),
        };
        for members in tried {
            let call = ["call", "greet_person", r#"{"name":"Ada"}"#, "--memory", "--user", "ada"];
            let run = with(&members).run(&call);
            let said = format!("{}{}", run.stdout, run.stderr);
            assert!(!said.contains("cannot be"), "{members}: {said}");
            assert!(said.contains("\"ok\":"), "{members}: {said}");
        }
    }
}

#[test]
fn the_cases_of_the_page_pass() {
    let (_, text) = PAGE.split_once(CASES).unwrap();
    let cases = examples(text).next().unwrap();
    let capabilities = serde_json::json!({
        "capabilities": ["http:api.example.com", "secret:GREETING_KEY"],
    });
    let workspace = with(&capabilities);
    workspace.write("tools/greet-person/cases.json", cases.to_string());
    workspace.write("tools/greet-person/handler.js", super::test_command::FETCHING);
    let run = workspace.ok(&["test"]);
    assert!(run.stdout.contains("ok      asks the server (voice)"), "{}", run.stdout);
}
