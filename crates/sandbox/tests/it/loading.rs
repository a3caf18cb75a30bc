//! The faults found when a tool is loaded.

use aileron_capability::foreign::HandlerFault;
use std::time::Duration;

use aileron_sandbox::LoadError;

use crate::sandbox::{Bench, load, load_modules, over_both};

over_both!(
    a_good_tool_loads,
    faults_are_named,
    execute_must_be_a_function,
    only_what_the_artifact_carries_is_imported,
    the_top_level_runs_within_limits,
    the_top_level_has_no_capabilities,
);

fn a_good_tool_loads(bench: &Bench) {
    let engine = bench.engine();
    assert!(load(&engine, "const wait = await 1; export async function execute() {}").is_ok());
}

fn faults_are_named(bench: &Bench) {
    let engine = bench.engine();
    for (source, expected) in [
        ("export function execute( {", "SyntaxError"),
        ("\n\nexport let 5;", "tool/handler.js:3"),
        ("import { nothing } from 'aileron'; export function execute() {}", "nothing"),
    ] {
        let found = load(&engine, source).unwrap_err().to_string();
        assert!(found.starts_with("tool `tool` ") && found.contains(expected), "{source}: {found}");
    }
}

fn execute_must_be_a_function(bench: &Bench) {
    let engine = bench.engine();
    let expected = LoadError::NoExecute { tool: "tool".into(), entry: "tool/handler.js".into() };
    for source in [
        "",
        "export const execute = 1;",
        "export default function execute() {}",
        "function execute() {}",
    ] {
        assert_eq!(load(&engine, source).unwrap_err(), expected, "{source}");
    }
}

fn only_what_the_artifact_carries_is_imported(bench: &Bench) {
    let engine = bench.engine();
    for name in [
        "./none.js",
        "fs",
        "std",
        "os",
        "<guard>",
        "<root>",
        "tool/other.js",
        "../../etc/passwd",
        "/etc/passwd",
    ] {
        let source = format!("import * as x from '{name}'; export const execute = () => x;");
        let modules = [("tool/handler.js", source.as_str()), ("tool/other.js", "")];
        let found = load_modules(&engine, &modules).unwrap_err();
        assert!(
            matches!(&found, LoadError::Module { message, .. } if message.contains(name)),
            "{name}: {found}"
        );
    }
}

fn the_top_level_runs_within_limits(bench: &Bench) {
    let engine = bench.limited(|limits| limits.cpu = Duration::from_millis(200)).engine();
    let failing = |source: &str| match load(&engine, source).unwrap_err() {
        LoadError::TopLevel { fault, .. } => fault,
        other => panic!("{source}: {other}"),
    };
    assert_eq!(failing("while (true);"), HandlerFault::CpuDeadline);
    let greedy = "const a = []; while (true) a.push(new Uint8Array(1_000_000));";
    assert_eq!(failing(greedy), HandlerFault::OutOfMemory);
    assert!(
        matches!(failing("throw new Error('early');"), HandlerFault::Error { message, .. } if message == "early")
    );
    assert!(
        matches!(failing("await new Promise(() => {});"), HandlerFault::Error { message, .. } if message.contains("never settles"))
    );
    assert!(
        matches!(failing("(function f() { f(); })();"), HandlerFault::Error { name, .. } if name == "RangeError")
    );
    assert!(load(&engine, "export function execute() {}").is_ok());
}

fn the_top_level_has_no_capabilities(bench: &Bench) {
    let engine = bench.engine();
    let source = "console.log('nobody hears this'); Math.random(); Date.now();
        if (typeof context !== 'undefined') throw new Error('context'); export function execute() {}";
    assert!(load(&engine, source).is_ok());
}
