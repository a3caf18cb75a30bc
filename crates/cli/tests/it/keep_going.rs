//! `--keep-going`: tools with errors are left out and named, the others are built and used.

use serde_json::json;

use crate::migrate::voice_app;
use crate::serve::running::Running;
use crate::workspace::Workspace;

/// Two good tools, one with an error, and one that calls the one with the error.
fn toolset() -> Workspace {
    let workspace = Workspace::new();
    for name in ["greet-person", "greet-friend", "broken-tool", "calls-it", "calls-the-caller"] {
        workspace.ok(&["new", name]);
    }
    workspace.replace("tools/broken-tool/handler.js", "export", "");
    for (name, called) in [("calls-it", "broken_tool"), ("calls-the-caller", "calls_it")] {
        let handler = format!(
            "export async function execute({{ args, context }}) {{\n  return {{ ok: true, data: await context.tools.call('{called}', args) }};\n}}\n"
        );
        workspace.write(&format!("tools/{name}/handler.js"), handler);
        workspace.replace(
            &format!("tools/{name}/schema.json"),
            "\"parameters\"",
            "\"capabilities\": [\"tools\"],\n  \"parameters\"",
        );
    }
    workspace
}

#[test]
fn the_others_are_built_and_what_is_left_out_is_said_and_recorded() {
    let workspace = toolset();
    let refused = workspace.run(&["build"]);
    assert_eq!(refused.code, 1);
    assert!(!workspace.path("tool_registry.json").exists());

    let built = workspace.run(&["build", "--keep-going"]);
    assert_eq!(built.code, 3, "{}", built.stderr);
    for line in [
        "left out: broken-tool (AIL-H004)",
        "left out: calls-it (AIL-H023)",
        "left out: calls-the-caller (AIL-H023)",
        "tool_registry.json built without 3 tools: version",
        "error[AIL-H023]: handler names the tool `broken_tool`, which is left out of this build",
    ] {
        assert!(built.stderr.contains(line), "{line}\n{}", built.stderr);
    }
    let artifact: serde_json::Value =
        serde_json::from_str(&workspace.read("tool_registry.json")).unwrap();
    assert_eq!(
        artifact["leftOut"][0],
        json!({ "directory": "broken-tool", "codes": ["AIL-H004"] })
    );
    assert_eq!(artifact["tools"].as_array().unwrap().len(), 2);

    let list = workspace.ok(&["list", "--registry", "tool_registry.json"]);
    assert!(list.stderr.contains("left out: calls-it (AIL-H023)"), "{}", list.stderr);
    let called = workspace.ok(&[
        "call",
        "greet_person",
        r#"{"name":"Ada"}"#,
        "--memory",
        "--registry",
        "tool_registry.json",
    ]);
    assert!(called.stdout.contains("Hello, Ada!"), "{}", called.stdout);
}

/// The version covers the tools alone, so it is that of a toolset which never had the others.
#[test]
fn the_version_is_that_of_the_tools_that_were_built() {
    let workspace = toolset();
    let partial = workspace.run(&["build", "--keep-going", "--format", "json"]);
    assert_eq!(partial.code, 3);
    let version = partial.json()["artifact"]["version"].clone();
    assert_eq!(partial.json()["artifact"]["leftOut"].as_array().unwrap().len(), 3);
    for name in ["broken-tool", "calls-it", "calls-the-caller"] {
        std::fs::remove_dir_all(workspace.path(&format!("tools/{name}"))).unwrap();
    }
    let whole = workspace.ok(&["build", "--keep-going", "--format", "json"]).json();
    assert_eq!(whole["artifact"]["version"], version);
    assert_eq!(whole["artifact"]["leftOut"], json!([]));
    assert!(!workspace.read("tool_registry.json").contains("leftOut"));
}

#[test]
fn every_command_that_compiles_can_keep_going() {
    let workspace = toolset();
    let checked = workspace.run(&["check", "--keep-going"]);
    assert_eq!(checked.code, 3);
    assert!(checked.stdout.contains("left out: broken-tool (AIL-H004)"), "{}", checked.stdout);
    let call = ["call", "greet_person", r#"{"name":"Ada"}"#, "--memory"];
    assert_eq!(workspace.run(&call).code, 1);
    let kept = workspace.ok(&[&call[..], &["--keep-going"]].concat());
    assert!(kept.stderr.contains("left out: broken-tool (AIL-H004)"), "{}", kept.stderr);
    workspace.ok(&["test", "greet_person", "--keep-going"]);
    workspace.write("aileron.toml", "[build]\nkeep_going = true\n");
    workspace.ok(&["list"]);
    assert_eq!(workspace.run(&["build"]).code, 3);
}

#[test]
fn a_toolset_without_a_good_tool_or_with_a_breaking_change_is_not_built() {
    let workspace = Workspace::new();
    workspace.ok(&["new", "broken-tool"]);
    workspace.replace("tools/broken-tool/handler.js", "export", "");
    assert_eq!(workspace.run(&["build", "--keep-going"]).code, 1);
    assert_eq!(workspace.run(&["build", "--keep-going", "--tools", "nowhere"]).code, 1);

    let workspace = Workspace::new();
    workspace.ok(&["new", "greet-person"]);
    workspace.ok(&["new", "broken-tool"]);
    workspace.ok(&["build", "--out", "previous.json"]);
    workspace.replace("tools/broken-tool/handler.js", "export", "");
    let against = ["build", "--keep-going", "--against", "previous.json"];
    let left_out = workspace.run(&against);
    assert_eq!(left_out.code, 3, "{}", left_out.stderr);
    workspace.replace("tools/greet-person/schema.json", "\"maxLength\": 100", "\"maxLength\": 50");
    let breaking = workspace.run(&against);
    assert_eq!(breaking.code, 1);
    assert!(breaking.stderr.contains("BOUNDS_NO_TIGHTEN"), "{}", breaking.stderr);
    assert!(!breaking.stderr.contains("TOOL_NO_DELETE"), "{}", breaking.stderr);
}

#[test]
fn the_toolset_of_another_server_builds_without_its_failed_tools() {
    let workspace = voice_app();
    let built = workspace.run(&["build", "--tools", "voice-app/tools", "--keep-going"]);
    assert_eq!(built.code, 3, "{}", built.stderr);
    assert!(built.stderr.contains("left out: crm-lookup (AIL-H006)"), "{}", built.stderr);
    assert!(built.stderr.contains("built without 6 tools"), "{}", built.stderr);
}

/// The server says what is left out on its screen, and again when a change leaves out another tool.
#[test]
fn a_server_starts_without_them_and_keeps_going_after_a_change() {
    let workspace = toolset();
    let server = Running::start(&workspace, &["--keep-going", "--watch", "--memory"], &[]);
    let screen = server.screen();
    assert!(screen.contains("broken-tool: left out of the toolset (AIL-H004)"), "{screen}");
    assert!(screen.contains("2: greet_friend, greet_person"), "{screen}");
    workspace.replace("tools/greet-friend/handler.js", "export", "");
    let said = server.until("for new conversations");
    assert!(said.contains("left out: greet-friend (AIL-H004)"), "{said}");
    assert!(said.contains("with 1 tool"), "{said}");
    assert!(server.get("/v1/tools").1.contains("greet_person"));
    assert!(!server.get("/v1/tools").1.contains("greet_friend"));
}
