//! Findings: all of them, in every format, on the right stream, with the right exit.

use crate::workspace::{Workspace, repository};

/// A tool with a fault in each of its files.
fn broken() -> Workspace {
    let workspace = Workspace::with_tool();
    workspace.replace(
        "tools/greet-person/schema.json",
        "\"idempotent\": true",
        "\"idempotent\": \"yes\"",
    );
    workspace.replace("tools/greet-person/schema.json", "maxLength", "maxLenght");
    workspace.replace("tools/greet-person/guide.md", "\"Ada\"", "42");
    workspace.replace("tools/greet-person/handler.js", "async function", "async functoin");
    workspace.replace("tools/greet-person/cases.json", "\"Ada\" }", "\"Ada\", \"age\": 36 }");
    workspace.write("tools/empty/handler.js", "");
    workspace
}

#[test]
fn every_fault_is_reported_at_once_with_its_place() {
    let run = broken().run(&["check"]);
    assert_eq!(run.code, 1);
    for place in [
        "tools/empty\n",
        "tools/greet-person/schema.json:8:17",
        "tools/greet-person/schema.json:21:9",
        "tools/greet-person/guide.md:12:11",
        "tools/greet-person/handler.js:2:8",
        "tools/greet-person/cases.json:4:",
    ] {
        assert!(run.stdout.contains(place), "{place} is not in\n{}", run.stdout);
    }
    assert!(run.stderr.starts_with("0 tools compiled: "), "{}", run.stderr);
}

#[test]
fn check_prints_findings_as_data_and_build_as_talk() {
    let workspace = broken();
    let check = workspace.run(&["check"]);
    assert!(check.stdout.contains("error[AIL-") && !check.stderr.contains("error[AIL-"));
    let build = workspace.run(&["build"]);
    assert_eq!((build.code, build.stdout.as_str()), (1, ""));
    assert!(
        build.stderr.contains("error[AIL-")
            && build.stderr.contains("tool_registry.json not built: ")
    );
    assert!(!workspace.path("tool_registry.json").exists());
}

#[test]
fn the_formats_for_machines_agree() {
    let workspace = broken();
    let json = workspace.run(&["check", "--format", "json"]).json();
    let findings = json["diagnostics"].as_array().unwrap().len();
    let loud = findings - usize::try_from(json["summary"]["notes"].as_u64().unwrap()).unwrap();
    let github = workspace.run(&["check", "--format", "github"]);
    assert_eq!(github.stdout.lines().count(), loud);
    let all = workspace.run(&["check", "--format", "github", "--notes"]);
    assert_eq!(all.stdout.lines().count(), findings);
    assert!(github.stdout.contains("::error file=tools/greet-person/schema.json,line=8,"));
    let sarif = workspace.run(&["check", "--format", "sarif"]).json();
    assert_eq!(sarif["runs"][0]["results"].as_array().unwrap().len(), loud);
}

#[test]
fn colour_only_on_a_terminal_or_when_asked_for() {
    let workspace = broken();
    assert!(!workspace.run(&["check"]).stdout.contains('\u{1b}'));
    assert!(workspace.run(&["check", "--color", "always"]).stdout.contains("\u{1b}["));
}

#[test]
fn warnings_fail_only_when_denied() {
    let workspace = Workspace::with_tool();
    std::fs::remove_file(workspace.path("tools/greet-person/cases.json")).unwrap();
    assert_eq!(workspace.ok(&["build", "--format", "json"]).codes(), ["AIL-C005"]);
    std::fs::remove_file(workspace.path("tool_registry.json")).unwrap();
    assert_eq!(workspace.run(&["build", "--deny-warnings"]).code, 1);
    assert!(!workspace.path("tool_registry.json").exists());
}

#[test]
fn notes_are_counted_and_shown_on_demand() {
    let workspace = Workspace::with_tool();
    let quiet = workspace.ok(&["check"]);
    assert_eq!(quiet.stdout, "");
    assert!(quiet.stderr.contains("(--notes shows them)"), "{}", quiet.stderr);
    assert!(
        workspace
            .ok(&["check", "--notes"])
            .stdout
            .contains("Gemini native drops `additionalProperties`")
    );
}

#[test]
fn only_the_chosen_targets_count() {
    let workspace = Workspace::with_tool();
    workspace.replace(
        "tools/greet-person/schema.json",
        "\"type\": \"string\",\n        \"description\": \"Name of",
        "\"type\": \"array\",\n        \"description\": \"Name of",
    );
    workspace.replace("tools/greet-person/schema.json", "minLength", "minItems");
    workspace.replace("tools/greet-person/schema.json", "maxLength", "maxItems");
    workspace.replace("tools/greet-person/guide.md", "\"Ada\"", "[\"Ada\"]");
    workspace.replace("tools/greet-person/cases.json", "\"name\": \"Ada\"", "\"name\": [\"Ada\"]");
    assert!(workspace.run(&["check", "--format", "json"]).codes().contains(&"AIL-P003".to_owned()));
    workspace.ok(&["check", "--target", "openai,anthropic,mcp"]);
}

#[test]
fn the_shipped_toolset_builds_without_a_warning() {
    let workspace = Workspace::new();
    let tools = repository().join("tools");
    let run = workspace.ok(&[
        "build",
        "--deny-warnings",
        "--format",
        "json",
        "--tools",
        tools.to_str().unwrap(),
    ]);
    assert_eq!(run.codes(), [""; 0]);
    assert_eq!(run.json()["artifact"]["tools"], 14);
}

#[test]
fn a_provider_that_is_not_in_use_does_not_fail_the_build() {
    let workspace = Workspace::with_tool();
    workspace.replace(
        "tools/greet-person/schema.json",
        "\"properties\": {\n      \"name\"",
        "\"properties\": {\n      \"ids\": { \"type\": \"array\", \"description\": \"Ids.\" },\n      \"name\"",
    );
    let refused = workspace.run(&["build"]);
    assert_eq!(refused.code, 1);
    assert!(
        refused.stderr.contains("error[AIL-P003]: Gemini native refuses"),
        "{}",
        refused.stderr
    );
    workspace.write("aileron.toml", "[build]\ntargets = [\"anthropic\", \"mcp\"]\n");
    let built = workspace.ok(&["build", "--notes"]);
    assert!(built.stderr.contains("note[AIL-P003]: Gemini native refuses"), "{}", built.stderr);
    workspace.ok(&["call", "greet_person", "{\"name\": \"Ada\"}"]);
    assert_eq!(workspace.run(&["build", "--target", "geminiNative"]).code, 1);
}

#[test]
fn a_claim_that_the_settings_name_is_known_to_conditions() {
    let workspace = Workspace::with_tool();
    workspace.replace(
        "tools/greet-person/schema.json",
        "\"idempotent\"",
        "\"availability\": { \"condition\": \"user.plan == 'pro'\" },\n  \"idempotent\"",
    );
    let codes = |workspace: &Workspace| workspace.run(&["check", "--format", "json"]).codes();
    assert_eq!(codes(&workspace), ["AIL-X009"]);
    workspace.write("aileron.toml", "[auth.jwt]\nclaims = [\"plan\"]\n");
    assert_eq!(codes(&workspace), [""; 0]);
}
