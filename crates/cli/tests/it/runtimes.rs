//! Tools for Node.js and Python: built, listed, described and compared. Running them is tested elsewhere.

use crate::artifact::commit_all;
use crate::workspace::Workspace;

const PACKAGE: &str = r#"{ "dependencies": { "left-pad": "1.3.0" } }"#;
const HANDLER: &str = "import pad from 'left-pad';\nexport async function execute({ args }) { return { ok: true, data: { greeting: pad(args.name, 3) } }; }\n";

/// A project with one Node tool whose manifest is above the tools folder.
fn node_project() -> Workspace {
    let workspace = Workspace::with_tool();
    workspace.write("package.json", PACKAGE);
    workspace.write("package-lock.json", "{}\n");
    workspace.write("tools/greet-person/handler.js", HANDLER);
    set_runtime(&workspace, "node");
    workspace
}

fn set_runtime(workspace: &Workspace, runtime: &str) {
    let field = format!("\"runtime\": \"{runtime}\",\n  \"toolId\"");
    workspace.replace("tools/greet-person/schema.json", "\"toolId\"", &field);
}

#[test]
fn a_node_tool_carries_its_sources_and_its_manifest() {
    let workspace = node_project();
    workspace.ok(&["build"]);
    let artifact: serde_json::Value =
        serde_json::from_str(&workspace.read("tool_registry.json")).unwrap();
    let handler = &artifact["tools"][0]["handler"];
    assert_eq!(handler["kind"], "node");
    assert_eq!(handler["trusted"], true);
    assert_eq!(handler["packages"]["manifest"], "../package.json");
    assert_eq!(handler["packages"]["lock"], "package-lock.json");
    assert_eq!(handler["modules"]["greet-person/handler.js"], HANDLER);
}

#[test]
fn list_and_describe_mark_trusted_code() {
    let workspace = node_project();
    let list = workspace.ok(&["list"]).stdout;
    assert!(list.contains("node, trusted code"), "{list}");
    let tool = workspace.ok(&["list", "--format", "json"]).json()["tools"][0].clone();
    assert_eq!((&tool["runtime"], &tool["trusted"]), (&"node".into(), &true.into()));
    let page = workspace.ok(&["describe", "greet_person"]).stdout;
    assert!(page.contains("runtime        node, trusted code\n"), "{page}");
    assert!(
        page.contains("packages       ../package.json, locked by package-lock.json "),
        "{page}"
    );
    let tool = workspace.ok(&["describe", "greet_person", "--format", "json"]).json();
    assert_eq!((&tool["runtime"], &tool["trusted"]), (&"node".into(), &true.into()));
}

#[test]
fn a_package_that_is_not_named_fails_the_build_with_the_command() {
    let workspace = node_project();
    workspace.write("package.json", "{}");
    let run = workspace.run(&["build"]);
    assert_eq!(run.code, 1);
    assert!(run.stderr.contains("error[AIL-H018]"), "{}", run.stderr);
    assert!(run.stderr.contains("run `npm install left-pad`"), "{}", run.stderr);
}

#[test]
fn a_ref_has_the_manifests_above_the_tools_folder_too() {
    let workspace = node_project();
    commit_all(&workspace);
    let run = workspace.ok(&["diff", "HEAD", "tools", "--format", "json"]);
    assert_eq!(run.json()["changes"].as_array().map(Vec::len), Some(0), "{}", run.stdout);
    workspace.write("package-lock.json", "{ }\n");
    let run = workspace.run(&["diff", "HEAD", "tools"]);
    assert_eq!(run.code, 1);
    assert!(run.stdout.contains("VERSION_RAISED_ON_CHANGE"), "{}", run.stdout);
}

#[test]
fn leaving_the_sandbox_is_a_broken_promise() {
    let workspace = Workspace::with_tool();
    workspace.ok(&["build", "--out", "previous.json"]);
    set_runtime(&workspace, "node");
    let run = workspace.run(&["build", "--against", "previous.json"]);
    assert_eq!(run.code, 1);
    assert!(run.stderr.contains("error[RUNTIME_NO_WIDEN]"), "{}", run.stderr);
}

#[test]
fn a_python_tool_is_built_with_its_modules() {
    let workspace = Workspace::with_tool();
    std::fs::remove_file(workspace.path("tools/greet-person/handler.js")).unwrap();
    workspace.write(
        "tools/greet-person/handler.py",
        "import requests\nfrom .._lib.text import words\n\nasync def execute(args, context):\n    return {}\n",
    );
    workspace.write("tools/_lib/text.py", "words = []\n");
    workspace.write("requirements.txt", "requests==2.32.3\n");
    set_runtime(&workspace, "python");
    workspace.ok(&["build"]);
    let tool = workspace.ok(&["describe", "greet_person", "--format", "json"]).json();
    let handler = &tool["handler"];
    assert_eq!(handler["kind"], "python");
    assert_eq!(handler["packages"]["lock"], "requirements.txt");
    let modules = handler["modules"].as_object().unwrap();
    assert_eq!(modules.keys().collect::<Vec<_>>(), ["_lib/text.py", "greet-person/handler.py"]);
}

#[test]
fn packages_in_the_tools_folder_are_no_tools() {
    let workspace = node_project();
    workspace.write("tools/package.json", PACKAGE);
    workspace.write("tools/node_modules/left-pad/index.js", "module.exports = (x) => x;");
    workspace.write("tools/greet-person/package-lock.json", "{}");
    let run = workspace.ok(&["check", "--deny-warnings"]);
    assert!(run.stderr.contains("1 tool compiled"), "{}", run.stderr);
}

#[test]
fn a_long_deadline_needs_background_execution() {
    let workspace = Workspace::with_tool();
    let schema = "tools/greet-person/schema.json";
    workspace.replace(schema, "\"toolId\"", "\"timeoutMs\": 7200000,\n  \"toolId\"");
    let run = workspace.run(&["check", "--format", "json"]);
    assert_eq!((run.code, run.codes()), (1, vec!["AIL-S005".to_owned()]));
    workspace.replace(schema, "\"toolId\"", "\"execution\": \"background\",\n  \"toolId\"");
    workspace.ok(&["check"]);
}
