//! Which file is the handler.

use super::case::compile;
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
            "H001 t: directory has no handler: expected `handler.js`, `handler.ts` or `handler.rs`, found none | write one that exports a function `execute`",
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
    assert_eq!(help("t/handler.mjs"), "rename `handler.mjs` to `handler.js`");
    assert_eq!(help("t/handlers.mts"), "rename `handlers.mts` to `handler.ts`");
    assert_eq!(help("t/main.rs"), "rename `main.rs` to `handler.rs`");
    assert_eq!(help("t/handler.py"), "`handler.py` cannot run here: write it as `handler.js`");
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
