//! Node.js and Python tools through `test`, `call` and `serve`: they run, the operator sees that they are
//! trusted code, and a missing runtime or package is an error at the start with the command that mends
//! it.

use aileron_contract::ErrorType;
use serde_json::json;

use crate::serve::running::Running;
use crate::workspace::{Run, Workspace};

const ADA: &str = r#"{"name":"Ada"}"#;

/// A project with one fresh tool.
fn fresh(runtime: &str, more: &[&str]) -> Workspace {
    let workspace = Workspace::new();
    workspace.ok(&[&["new", "greet-person", "--runtime", runtime], more].concat());
    workspace
}

/// The commands that run handlers, each of which refuses to begin.
fn refusals(workspace: &Workspace) -> Vec<Run> {
    let commands: [&[&str]; 3] =
        [&["call", "greet_person", ADA], &["test"], &["serve", "--address", "127.0.0.1:0"]];
    let runs = commands.map(|command| workspace.run(command));
    for (command, run) in commands.iter().zip(&runs) {
        assert_ne!(run.code, 0, "{command:?}");
        assert!(run.stderr.contains("greet_person: "), "{command:?}: {}", run.stderr);
    }
    runs.into()
}

fn all_refuse(workspace: &Workspace, because: &[&str]) {
    for run in refusals(workspace) {
        for part in because {
            assert!(run.stderr.contains(part), "expected {part:?}, found {}", run.stderr);
        }
    }
}

#[test]
fn a_new_tool_of_every_runtime_builds_passes_its_cases_and_runs() {
    let kinds: [(&str, &[&str], &str); 4] = [
        ("node", &[], "handler.js"),
        ("node", &["--handler", "ts"], "handler.ts"),
        ("python", &[], "handler.py"),
        ("python", &["--handler", "py", "--category", "retrieval"], "handler.py"),
    ];
    for (runtime, more, handler) in kinds {
        let workspace = fresh(runtime, more);
        assert!(workspace.path(&format!("tools/greet-person/{handler}")).is_file());
        let run = workspace.ok(&["build", "--deny-warnings", "--format", "json"]);
        assert_eq!(run.codes(), [""; 0], "{runtime} {handler}");
        let run = workspace.ok(&["test"]);
        assert!(run.stderr.contains(" ok, 0 failed"), "{}", run.stderr);
        let run = workspace.ok(&["call", "greet_person", ADA]);
        assert_eq!(run.json()["data"]["greeting"], "Hello, Ada!", "{runtime} {handler}");
        let run = workspace.run(&["call", "greet_person", r#"{"name":" "}"#]);
        assert_eq!(run.json()["error"]["type"], "PERMANENT", "{runtime} {handler}");
    }
}

#[test]
fn a_runtime_that_does_not_run_a_language_is_refused() {
    for (runtime, handler) in
        [("node", "py"), ("node", "rust"), ("python", "js"), ("sandbox", "py")]
    {
        let workspace = Workspace::new();
        let run =
            workspace.run(&["new", "greet-person", "--runtime", runtime, "--handler", handler]);
        assert_eq!(run.code, 2);
        assert!(run.stderr.contains("does not run handlers in that language"), "{}", run.stderr);
        assert!(!workspace.path("tools").exists());
    }
}

#[test]
fn a_missing_runtime_is_an_error_at_the_start() {
    for (runtime, name) in [("node", "Node.js"), ("python", "Python")] {
        let workspace = fresh(runtime, &[]);
        workspace
            .write("aileron.toml", format!("[handlers]\n{runtime} = \"/nonexistent/{runtime}\"\n"));
        let install = format!("install {name}, or name its program with `handlers.{runtime} = ");
        let found = format!("`/nonexistent/{runtime}` could not be started");
        all_refuse(&workspace, &[&install, &found]);
    }
}

#[test]
fn a_missing_package_is_an_error_at_the_start() {
    let workspace = fresh("node", &[]);
    workspace.write("package.json", r#"{ "dependencies": { "left-pad": "1.3.0" } }"#);
    workspace.write("package-lock.json", "{}\n");
    let handler = "import pad from 'left-pad';\nexport const execute = () => ({ ok: true, data: { greeting: pad('x', 3) } });\n";
    workspace.write("tools/greet-person/handler.js", handler);
    all_refuse(&workspace, &["the package `left-pad` is not installed; run `npm ci` in `"]);
    // Once it is installed, all goes well.
    workspace.write(
        "node_modules/left-pad/package.json",
        r#"{ "name": "left-pad", "version": "1.3.0" }"#,
    );
    workspace.write(
        "node_modules/left-pad/index.js",
        "module.exports = (text, length) => text.padStart(length);",
    );
    let run = workspace.ok(&["call", "greet_person", ADA]);
    assert_eq!(run.json()["data"]["greeting"], "  x");

    let workspace = fresh("python", &[]);
    workspace.write("requirements.txt", "left-pad==1.0\n");
    let handler = "import left_pad\n\ndef execute(args, context):\n    return {}\n";
    workspace.write("tools/greet-person/handler.py", handler);
    let command = "run `python3 -m venv .venv && .venv/bin/pip install -r requirements.txt` in `";
    all_refuse(&workspace, &["the package `left_pad` is not installed", command]);
}

#[test]
fn a_handler_that_cannot_be_loaded_is_an_error_at_the_start() {
    let workspace = fresh("node", &[]);
    let broken = "throw new Error('no database');\nexport const execute = () => {};\n";
    workspace.write("tools/greet-person/handler.js", broken);
    all_refuse(
        &workspace,
        &["`greet-person/handler.js` fails at its top level: Error: no database"],
    );
}

#[test]
fn a_setting_forbids_trusted_code() {
    let workspace = fresh("python", &[]);
    workspace.ok(&["call", "greet_person", ADA]);
    workspace.write("aileron.toml", "[handlers]\ntrusted = false\n");
    all_refuse(
        &workspace,
        &["its handler is trusted code", "set `handlers.trusted = true` to allow it"],
    );
    // Commands that run no handler are not affected.
    workspace.ok(&["build"]);
    workspace.ok(&["list"]);
}

#[test]
fn the_operator_sees_trusted_code() {
    let workspace = fresh("node", &[]);
    let server = Running::start(&workspace, &[], &[("AILERON_TEXT_PROVIDER", "offline")]);
    let screen = server.screen();
    assert!(screen.contains("trusted"), "{screen}");
    assert!(screen.contains("greet_person (node)"), "{screen}");
    let (status, tool) = server.get("/v1/tools/greet_person");
    assert_eq!(status, 200);
    assert!(tool.contains(r#""kind":"node","trusted":true"#), "{tool}");
    let (_, begun) = server.post("/v1/conversations", &json!({ "mode": "text" }));
    let place = format!("/v1/conversations/{}/calls", begun["id"].as_str().unwrap());
    let call =
        json!({ "callId": "call-1234567", "toolId": "greet_person", "args": { "name": "Ada" } });
    let (status, answer) = server.post(&place, &json!({ "calls": [call] }));
    assert_eq!(status, 200, "{answer}");
    assert!(answer.to_string().contains("Hello, Ada!"), "{answer}");
}

/// The record of a write whose process died says so.
#[test]
fn a_process_that_ends_in_the_middle_of_a_write_is_recorded() {
    for (runtime, file, code) in [
        ("node", "handler.js", "export function execute() { process.exit(1); }\n"),
        ("python", "handler.py", "import os\n\ndef execute(args, context):\n    os._exit(1)\n"),
    ] {
        let workspace = fresh(runtime, &[]);
        workspace.write(&format!("tools/greet-person/{file}"), code);
        let schema = "tools/greet-person/schema.json";
        workspace.replace(schema, "\"sideEffects\": \"none\"", "\"sideEffects\": \"writes\"");
        workspace.replace(schema, "\"category\": \"utility\"", "\"category\": \"action\"");
        let run = workspace.run(&["call", "greet_person", ADA]);
        assert_eq!(run.code, 1);
        let error = run.json()["error"].clone();
        assert_eq!(error["type"], "OUTCOME_UNKNOWN", "{runtime}");
        assert_eq!(
            (&error["retryable"], &error["partialSideEffects"]),
            (&false.into(), &true.into())
        );
        assert!(run.stderr.contains("exit status: 1"), "{}", run.stderr);
        let log = workspace.ok(&["audit", "export"]).stdout;
        assert!(log.contains("process_died") || log.contains("OUTCOME_UNKNOWN"), "{log}");
    }
}

/// The stub for editors names what the module has.
#[test]
fn the_types_for_python_have_every_name() {
    let workspace = fresh("python", &[]);
    let types = workspace.read("tools/_types/aileron.pyi");
    let intents = aileron_capability::foreign::INTENT_TYPES;
    for name in ErrorType::ALL.iter().map(|kind| kind.as_str()).chain(intents) {
        assert!(types.contains(&format!("    {name}: Literal[\"{name}\"]\n")), "{name}");
    }
}
