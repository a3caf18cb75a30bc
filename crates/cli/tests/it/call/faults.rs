//! The place and the name of a handler's failure.

use serde_json::{Value, json};

use super::{ADA, with_handler};
use crate::workspace::Workspace;

/// The reported line of the defect.
fn place(workspace: &Workspace, file: &str) -> String {
    let run = workspace.run(&["call", "greet_person", ADA, "--memory"]);
    let at = run.stderr.find(file).unwrap_or_else(|| panic!("no {file} in {}", run.stderr));
    let numbers = &run.stderr[at + file.len() + 1..];
    numbers.split(|char: char| !char.is_ascii_digit()).next().unwrap_or_default().to_owned()
}

#[test]
fn the_place_of_a_fault_is_the_handlers_own_line() {
    for failing in [
        "null.x;",
        "'x'.normalize('NO');",
        "'x'.repeat(-1);",
        "[].concat(null).map((item) => item.name);",
        "JSON.parse('{');",
        "await context.kb.search({ query: 1 });",
    ] {
        let code = format!("\nexport async function execute({{ context }}) {{\n  {failing}\n}}");
        let workspace = with_handler(&code, r#""capabilities": ["kb"],"#);
        assert_eq!(place(&workspace, "greet-person/handler.js"), "3", "{failing}");
    }
}

#[test]
fn the_place_is_right_in_typescript_and_in_imported_modules() {
    let workspace = with_handler("", "");
    workspace.system("rm", &["tools/greet-person/handler.js"]);
    let code = "interface Args {\n  name: string;\n}\n\nexport async function execute({ args }: { args: Args }) {\n  return (args as any).none.x as string;\n}\n";
    workspace.write("tools/greet-person/handler.ts", code);
    assert_eq!(place(&workspace, "greet-person/handler.ts"), "6");
    let entry = "import { deep } from '../_lib/deep.ts';\nexport async function execute({ args }) {\n  return deep(args);\n}\n";
    workspace.write("tools/greet-person/handler.ts", entry);
    workspace.write(
        "tools/_lib/deep.ts",
        "type A = any;\n\nexport function deep(args: A) {\n  return args.none.x;\n}\n",
    );
    assert_eq!(place(&workspace, "_lib/deep.ts"), "4");
}

/// A host at a private address is refused, before and after something was done.
#[test]
fn an_uncaught_fault_keeps_its_type_and_claims_no_side_effects_that_were_not() {
    let none = "await context.http.fetch('http://127.0.0.1:9/');";
    for (before, effects) in [
        ("", false),
        ("await context.messaging.send({ text: 'x' });", true),
        ("context.audit.log('x');", false),
    ] {
        let code = format!("export async function execute({{ context }}) {{ {before} {none} }}");
        let members = r#""capabilities": ["http:127.0.0.1:9", "messaging", "audit"],"#;
        let workspace = with_handler(&code, members);
        let run = workspace.run(&["call", "greet_person", ADA, "--memory"]);
        let error = run.json()["error"].clone();
        assert_eq!(error["type"], "PERMANENT", "{error}");
        assert_eq!(error["partialSideEffects"], Value::Bool(effects), "{before}: {error}");
        assert!(
            run.stderr.contains("did not catch the fault of a capability (REFUSED)"),
            "{}",
            run.stderr
        );
    }
}

#[test]
fn the_context_says_which_client_which_tools_and_in_which_state() {
    let code = "export async function execute({ context }) {
        const { clientId, session } = context;
        session.state.mode = 'changed';
        return { ok: true, data: { greeting: JSON.stringify({ clientId, session }) } };
    }";
    let workspace = with_handler(code, "");
    let run = workspace.ok(&["call", "greet_person", ADA, "--conversation", "c1"]);
    let seen: Value =
        serde_json::from_str(run.json()["data"]["greeting"].as_str().unwrap()).unwrap();
    let version = run.json()["meta"]["registryVersion"].clone();
    let state = json!({
        "mode": "changed", "standing": { "is": "active" }, "voice": { "is": "off" },
        "suppressAudio": false, "suppressTranscript": false,
    });
    let session = json!({ "isActive": true, "toolsVersion": version, "state": state });
    assert_eq!(seen, json!({ "clientId": "c1", "session": session }));
    let record = workspace.ok(&["audit", "export"]).stdout;
    assert!(record.contains(r#""category":"utility""#), "{record}");
    workspace.ok(&["audit", "verify"]);
}

#[test]
fn a_global_that_the_sandbox_lacks_is_reported_at_build_with_the_way_out() {
    let code = "export async function execute({ args }) {\n  const answer = await fetch('https://x.org/' + args.name);\n  return { ok: true, data: { greeting: await answer.text() } };\n}\n";
    let workspace = with_handler(code, "");
    let run = workspace.run(&["build", "--format", "json"]);
    assert_eq!((run.code, run.codes()), (1, vec!["AIL-H015".to_owned()]));
    let finding = &run.json()["diagnostics"][0];
    assert!(finding["help"].as_str().unwrap().contains("context.http.fetch"), "{finding}");
    assert!(workspace.run(&["build"]).stderr.contains("greet-person/handler.js:2:"));
}
