//! Native handlers.

use std::collections::BTreeMap;

use aileron_contract::{ContentHash, Handler};
use serde_json::json;

use crate::handler::case::{CompileOutcome, compile};

const EXECUTE: &str =
    "pub async fn execute(args: Value, context: Context) -> ToolResult { Ok(()) }";

fn native(text: &str) -> CompileOutcome {
    compile(&[("t/handler.rs", text)])
}

#[test]
fn a_public_async_function_is_what_is_asked_for() {
    for text in [
        EXECUTE,
        "use a::b;\n#[tracing::instrument]\npub async fn execute<'a>(a: &'a A) -> R where A: B { loop {} }",
        "mod run;\npub use run::execute;",
        "pub use run::go as execute;",
        "pub use run::{other, execute};",
        "pub use run::*;",
        "handler! { execute }",
    ] {
        let outcome = native(text);
        assert_eq!(outcome.lines(), [""; 0], "{text}");
        assert!(matches!(outcome.handler, Some(Handler::Native { .. })));
    }
}

#[test]
fn a_handler_without_execute_is_reported() {
    let expected = "H004 t/handler.rs: expected `pub async fn execute`, found no function of that name | write `pub async fn execute(args, context) -> ToolResult`";
    assert_eq!(native("").lines(), [expected]);
    assert_eq!(native("use run::execute;").lines(), [expected]);
    assert_eq!(native("mod a { pub async fn execute() {} }").lines(), [expected]);
}

#[test]
fn an_execute_of_another_kind_is_reported() {
    for (text, place, what) in [
        ("fn execute() {}", "1:4", "a function that is neither `pub` nor `async`"),
        ("pub fn execute() {}", "1:8", "a function that is not `async`"),
        ("async fn execute() {}", "1:10", "a function that is not `pub`"),
        ("\n pub(crate) async fn execute() {}", "2:22", "a function that is not `pub`"),
    ] {
        let expected = format!(
            "H011 t/handler.rs:{place}: expected `pub async fn execute`, found {what} | write `pub async fn execute(args, context) -> ToolResult`"
        );
        assert_eq!(native(text).lines(), [expected], "{text}");
    }
}

#[test]
fn syntax_errors_are_placed() {
    for (text, expected) in [
        ("pub async fn execute( {}", "H003 t/handler.rs:1:21: expected Rust: "),
        ("\n\nlet x = 1;", "H003 t/handler.rs:3:1: expected Rust: expected one of: `fn`, "),
        ("fn f() { let ä = ; }", "H003 t/handler.rs:1:18: expected Rust: "),
        ("fn f() { 'unterminated }", "H003 t/handler.rs:1:"),
    ] {
        let lines = native(text).lines();
        assert!(lines.iter().any(|line| line.starts_with(expected)), "{text}: {lines:?}");
    }
}

#[test]
fn modules_beside_the_handler_are_checked_and_hashed() {
    let other = "pub fn helper() {}";
    let outcome = compile(&[
        ("t/handler.rs", EXECUTE),
        ("t/other.rs", other),
        ("t/deep/more.rs", "not rust"),
        ("t/notes.txt", "not rust"),
    ]);
    assert_eq!(outcome.lines(), [""; 0]);
    let modules = BTreeMap::from([("t/handler.rs", EXECUTE), ("t/other.rs", other)]);
    let code = json!({ "entry": "t/handler.rs", "modules": modules });
    assert_eq!(outcome.handler, Some(Handler::Native { hash: ContentHash::of_value(&code) }));
    let outcome = compile(&[("t/handler.rs", EXECUTE), ("t/other.rs", "fn")]);
    assert_eq!(outcome.codes(), ["H003 t/other.rs:1:3"]);
}

#[test]
fn capabilities_are_not_looked_for() {
    let outcome = compile(&[
        ("t/handler.rs", "pub async fn execute(context: C) { context.kb.search(); }"),
        ("t/schema.json", "{\"capabilities\": [\"audit\"]}"),
    ]);
    assert_eq!(outcome.lines(), [""; 0]);
}

/// Fills 1 MiB with a piece, around what makes it a part of Rust.
fn survives(start: &str, piece: &str, end: &str) {
    let count = ((1 << 20) - start.len() - end.len()) / piece.len();
    let text = format!("{start}{}{end}", piece.repeat(count));
    assert!(!native(&text).found.is_empty(), "{piece}");
}

#[test]
fn deep_brackets_do_not_overflow() {
    survives("", "(", "");
    survives("fn f() { ", "(", "a; }");
    survives("fn f() { ", "m!(", "a; }");
    let half = (1 << 19) - 64;
    let text = format!("fn f() {{ {}{} }}", "{".repeat(half), "}".repeat(half));
    assert_eq!(
        native(&text).lines(),
        [
            "H003 t/handler.rs: code is nested too deeply to be parsed safely | flatten it, or split it into several modules"
        ]
    );
}

#[test]
fn long_chains_do_not_overflow() {
    for piece in ["!", "&", "a+", "a=", "|a|", "return ", "if a {} else ", "a::<"] {
        survives("fn f() { let x = ", piece, "a; }");
    }
    for piece in ["&", "a<", "*const ", "fn()->"] {
        survives("type T = ", piece, "a;");
    }
    for piece in ["()", "?", " as a"] {
        survives("fn f() { a", piece, "; }");
    }
}

#[test]
fn ordinary_files_of_any_size_are_parsed() {
    let function = "pub fn f(a: &[u8], b: Option<Vec<u8>>) -> u32 { match b { Some(b) => g(a, &b).len() + 1, None => { let c = a.iter().map(|x| x * 2).sum::<u32>(); c } } }\n";
    let text = format!("{}{EXECUTE}", function.repeat(200_000 / function.len()));
    assert_eq!(native(&text).lines(), [""; 0]);
}
