//! Which file is the handler.

use super::case::{compile, compile_with};
use crate::options::Options;
use crate::tree::Memory;

fn check(files: &[&str], expected: &[&str]) {
    let execute = "export function execute() {}";
    let files: Vec<_> = files.iter().map(|name| (*name, execute)).collect();
    assert_eq!(compile(&files).lines(), expected, "{files:?}");
}

#[test]
fn one_handler_is_fine() {
    check(&["t/handler.js"], &[]);
    check(&["t/handler.ts", "t/helpers.ts", "t/schema.json.bak"], &[]);
}

#[test]
fn no_handler_is_reported() {
    check(
        &["t/notes.txt"],
        &[
            "H001 t: directory has no handler: expected `handler.js`, `handler.ts`, `handler.py` or `handler.rs`, found none | write one that exports a function `execute`",
        ],
    );
}

#[test]
fn a_file_that_was_meant_is_named() {
    let help = |name: &str| {
        let outcome = compile(&[(name, "")]);
        outcome.found[0].help.clone().unwrap_or_default()
    };
    assert_eq!(help("t/index.js"), "rename `index.js` to `handler.js`");
    assert_eq!(help("t/Handler.JS"), "rename `Handler.JS` to `handler.js`");
    assert_eq!(help("t/index.mjs"), "rename `index.mjs` to `handler.js`");
    assert_eq!(help("t/handlers.mts"), "rename `handlers.mts` to `handler.ts`");
    assert_eq!(help("t/main.rs"), "rename `main.rs` to `handler.rs`");
    assert_eq!(
        help("t/main.py"),
        "rename `main.py` to `handler.py` and add `\"runtime\": \"python\"` to `schema.json`"
    );
    assert_eq!(help("t/helpers.json"), "write one that exports a function `execute`");
}

#[test]
fn several_handlers_are_reported() {
    check(
        &["t/handler.js", "t/handler.ts"],
        &[
            "H002 t: expected one handler, found 2: `handler.js`, `handler.ts` | keep one and delete the others",
        ],
    );
    check(
        &["t/handler.js", "t/handler.rs", "t/handler.ts"],
        &[
            "H002 t: expected one handler, found 3: `handler.js`, `handler.ts`, `handler.rs` | keep one and delete the others",
        ],
    );
}

#[test]
fn the_runtime_fits_the_file() {
    let execute = "export function execute() {}";
    let python = "def execute(args, context): pass";
    for (runtime, name, text) in [
        ("sandbox", "t/handler.js", execute),
        ("sandbox", "t/handler.ts", execute),
        ("node", "t/handler.js", execute),
        ("node", "t/handler.mjs", execute),
        ("node", "t/handler.ts", execute),
        ("python", "t/handler.py", python),
    ] {
        let outcome = compile_with(runtime, &[(name, text)]);
        assert_eq!(outcome.faults(), [""; 0], "{runtime} {name}");
        assert!(outcome.handler.is_some(), "{runtime} {name}");
    }
}

#[test]
fn a_file_of_another_runtime_is_reported() {
    for (runtime, name, expected) in [
        (
            "sandbox",
            "t/handler.py",
            "H017 t/schema.json:1:14: handler `handler.py`: expected `\"runtime\": \"python\"`, found `\"runtime\": \"sandbox\"` | set `\"runtime\": \"python\"` in `schema.json`, or write `handler.js`",
        ),
        (
            "python",
            "t/handler.ts",
            "H017 t/schema.json:1:14: handler `handler.ts`: expected `\"runtime\": \"sandbox\"` or `\"node\"`, found `\"runtime\": \"python\"` | set `\"runtime\": \"node\"`, or remove `runtime` to run it in the sandbox, or write `handler.py`",
        ),
        (
            "sandbox",
            "t/handler.mjs",
            "H017 t/schema.json:1:14: handler `handler.mjs`: expected `\"runtime\": \"node\"`, found `\"runtime\": \"sandbox\"` | set `\"runtime\": \"node\"` in `schema.json`, or rename it to `handler.js` to run it in the sandbox",
        ),
        (
            "node",
            "t/handler.rs",
            "H017 t/schema.json:1:14: handler `handler.rs`: expected no `runtime`, found `\"runtime\": \"node\"` | remove `runtime` from `schema.json`: a native handler is compiled into the binary",
        ),
    ] {
        let outcome = compile_with(runtime, &[(name, "")]);
        assert_eq!(outcome.lines(), [expected]);
        assert!(outcome.handler.is_none());
    }
}

#[test]
fn a_file_that_needs_a_runtime_does_not_choose_it() {
    let lines = |name: &str| compile(&[(name, ""), ("t/schema.json", "{}")]).lines();
    assert_eq!(
        lines("t/handler.py"),
        [
            "H017 t: handler `handler.py`: expected `\"runtime\": \"python\"`, found no `runtime` | add `\"runtime\": \"python\"` to `schema.json`"
        ]
    );
    assert_eq!(
        lines("t/handler.mjs"),
        [
            "H017 t: handler `handler.mjs`: expected `\"runtime\": \"node\"`, found no `runtime` | set `\"runtime\": \"node\"` in `schema.json`, or rename it to `handler.js` to run it in the sandbox"
        ]
    );
}

#[test]
fn trusted_code_is_noted() {
    let outcome = compile_with("node", &[("t/handler.js", "export function execute() {}")]);
    assert_eq!(
        outcome.lines(),
        [
            "H019 t/schema.json:1:14: a `node` handler is trusted code: nothing contains it | remove `runtime` if the handler needs no package, file or process"
        ]
    );
}

#[test]
fn deep_nesting_does_not_overflow_the_workers_of_a_build() {
    let mut tree = Memory::new("tools");
    for (index, piece) in ["(", "[", "!", "a+", "a=>", "{", "if(a)", "a?a:"].iter().enumerate() {
        let text = piece.repeat((1 << 20) / piece.len());
        tree.insert(format!("t{index}/handler.js"), text.clone());
        tree.insert(format!("u{index}/handler.ts"), text);
    }
    let compilation = crate::compile(&tree, &Options::default(), &|_, _| {});
    assert!(compilation.tools.is_empty());
    assert!(compilation.diagnostics.len() >= 16);
}
