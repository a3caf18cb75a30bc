//! The stored parts of a handler.

use std::collections::BTreeMap;

use aileron_contract::Handler;
use aileron_contract::artifact::code_hash;

use crate::handler::case::{compile, javascript};

#[test]
fn the_entry_and_every_module_are_carried_once() {
    let entry = "import { a } from './a.js';\nimport { b } from '../_lib/b.mjs';\nexport function execute() { return a(b); }";
    let a = "import { b } from '../_lib/b.mjs';\nexport const a = () => b;";
    let b = "export const b = 1;";
    let outcome = compile(&[
        ("t/handler.js", entry),
        ("t/a.js", a),
        ("t/unused.js", "not javascript"),
        ("_lib/b.mjs", b),
    ]);
    assert_eq!(outcome.lines(), [""; 0]);
    assert_eq!(outcome.modules(), [("_lib/b.mjs", b), ("t/a.js", a), ("t/handler.js", entry)]);
}

#[test]
fn the_hash_is_that_of_the_contract() {
    let text = "export function execute() {}";
    let entry = "t/handler.js".to_owned();
    let modules = BTreeMap::from([(entry.clone(), text.to_owned())]);
    let hash = code_hash(&entry, &modules);
    let expected = Handler::Javascript { entry, modules, hash };
    assert_eq!(javascript(text).handler, Some(expected));
}

#[test]
fn types_are_gone_and_names_stay() {
    let outcome = compile(&[
        (
            "t/handler.ts",
            "import { a } from './a.ts';\nexport const execute = (x: number) => a(x);",
        ),
        ("t/a.ts", "export const a = (x: number): number => x;"),
    ]);
    assert_eq!(outcome.lines(), [""; 0]);
    assert_eq!(
        outcome.modules(),
        [
            ("t/a.ts", "export const a = (x        )         => x;"),
            (
                "t/handler.ts",
                "import { a } from './a.ts';\nexport const execute = (x        ) => a(x);"
            ),
        ]
    );
}

#[test]
fn javascript_may_import_typescript_and_the_other_way_round() {
    let outcome = compile(&[
        ("t/handler.js", "import { a } from './a.ts';\nexport const execute = () => a;"),
        ("t/a.ts", "import { b } from './b.js';\nexport const a: number = b;"),
        ("t/b.js", "export const b = 1;"),
    ]);
    assert_eq!(outcome.lines(), [""; 0]);
    assert_eq!(outcome.modules().len(), 3);
}

#[test]
fn a_handler_with_an_error_is_not_carried() {
    let outcome = javascript("export const x = 1;");
    assert!(outcome.handler.is_none());
    assert_eq!(outcome.found.len(), 1);
}

#[test]
fn windows_line_ends_and_byte_order_marks_do_not_change_the_hash() {
    let hash = |text: &str| javascript(text).handler.map(|handler| handler.hash().clone());
    let plain = hash("export function execute() {\n  return 1;\n}\n");
    assert!(plain.is_some());
    assert_eq!(plain, hash("\u{feff}export function execute() {\r\n  return 1;\r\n}\r\n"));
}
