//! `execute`, and the names that modules ask of each other.

use crate::handler::case::{compile, javascript};

const MODULES: &[(&str, &str)] = &[
    (
        "t/run.js",
        "export async function run() {}\nexport const text = 'x';\nexport default () => {};",
    ),
    ("t/star.js", "export * from './run.js';\nexport { run as execute } from './run.js';"),
];

fn lines(handler: &str) -> Vec<String> {
    let mut files = vec![("t/handler.js", handler)];
    files.extend(MODULES);
    compile(&files).lines()
}

#[test]
fn a_function_may_be_exported_in_any_form() {
    for handler in [
        "export function execute() {}",
        "export async function execute({ args, context }) {}",
        "export const execute = () => {};",
        "export const execute = async (context) => {};",
        "export const execute = async function () {};",
        "export const execute = (async () => {});",
        "export let execute = () => {};",
        "export var execute = function named() {};",
        "function run() {}\nexport { run as execute };",
        "export { run as execute };\nfunction run() {}",
        "const execute = () => {};\nexport { execute };",
        "const run = () => {};\nconst same = run;\nexport { same as execute };",
        "const run = () => {};\nexport { run as 'execute' };",
        "export { run as execute } from './run.js';",
        "export { default as execute } from './run.js';",
        "import { run } from './run.js';\nexport { run as execute };",
        "import { run } from './run.js';\nexport const execute = run;",
        "import run from './run.js';\nexport { run as execute };",
        "export * from './star.js';",
        "export { execute } from './star.js';",
        "export function execute() {}\nexport default { execute };",
    ] {
        assert_eq!(lines(handler), [""; 0], "{handler}");
    }
}

#[test]
fn what_only_running_would_tell_is_believed() {
    for handler in [
        "export const execute = wrap(async () => {});\nfunction wrap(f) { return f; }",
        "export const { execute } = make();\nfunction make() { return { execute() {} }; }",
        "export let execute = null;\nexecute = () => {};",
        "export let execute;",
        "const tools = {};\nexport const execute = tools.run;",
        "export const execute = globalThis.x ? () => 1 : () => 2;",
    ] {
        assert_eq!(lines(handler), [""; 0], "{handler}");
    }
}

#[test]
fn a_handler_without_execute_is_reported() {
    const START: &str = "expected an exported function `execute`, found";
    for (handler, expected) in [
        (
            "",
            format!(
                "H004 t/handler.js: {START} none | write `export async function execute({{ args, context }}) {{ ... }}`"
            ),
        ),
        (
            "export const x = 1;",
            format!(
                "H004 t/handler.js: {START} none | write `export async function execute({{ args, context }}) {{ ... }}`"
            ),
        ),
        (
            "\nexport default { execute() {} };",
            format!(
                "H004 t/handler.js:2:1: {START} a default export | name the export: `export async function execute({{ args, context }}) {{ ... }}`"
            ),
        ),
        (
            "export default async function () {}",
            format!(
                "H004 t/handler.js:1:1: {START} a default export | name the export: `export async function execute({{ args, context }}) {{ ... }}`"
            ),
        ),
        (
            "export default async function execute() {}",
            format!(
                "H004 t/handler.js:1:1: {START} a default export | name the export: `export async function execute({{ args, context }}) {{ ... }}`"
            ),
        ),
        (
            "module.exports = { execute: () => {} };",
            format!(
                "H004 t/handler.js:1:1: {START} a CommonJS module | write an ES module: `export async function execute({{ args, context }}) {{ ... }}`, with `import` for `require`"
            ),
        ),
        (
            "exports.execute = () => {};",
            format!(
                "H004 t/handler.js:1:1: {START} a CommonJS module | write an ES module: `export async function execute({{ args, context }}) {{ ... }}`, with `import` for `require`"
            ),
        ),
        (
            "module.exports.execute = () => {};",
            format!(
                "H004 t/handler.js:1:1: {START} a CommonJS module | write an ES module: `export async function execute({{ args, context }}) {{ ... }}`, with `import` for `require`"
            ),
        ),
        (
            "async function execute() {}",
            format!(
                "H004 t/handler.js:1:16: {START} `execute` without `export` | write `export` in front of it"
            ),
        ),
        (
            "export function excute() {}",
            format!("H004 t/handler.js:1:17: {START} `excute` | did you mean `execute`?"),
        ),
        (
            "export * from './run.js';",
            format!(
                "H004 t/handler.js: {START} none | write `export async function execute({{ args, context }}) {{ ... }}`"
            ),
        ),
    ] {
        assert_eq!(lines(handler), [expected], "{handler}");
    }
}

#[test]
fn something_else_called_execute_is_reported() {
    for (handler, place, what) in [
        ("export const execute = 'x';", "t/handler.js:1:14", "a string"),
        ("export const execute = `x`;", "t/handler.js:1:14", "a string"),
        ("export const execute = 1;", "t/handler.js:1:14", "a number"),
        ("export const execute = null;", "t/handler.js:1:14", "`null`"),
        ("export const execute = {};", "t/handler.js:1:14", "an object"),
        ("export const execute = [];", "t/handler.js:1:14", "an array"),
        ("export class execute {}", "t/handler.js:1:14", "a class"),
        ("export function* execute() {}", "t/handler.js:1:18", "a generator"),
        ("export async function* execute() {}", "t/handler.js:1:24", "a generator"),
        ("const x = {};\nexport { x as execute };", "t/handler.js:2:10", "an object"),
        ("export { text as execute } from './run.js';", "t/run.js:2:14", "a string"),
        ("export * as execute from './run.js';", "t/handler.js:1:13", "a module"),
        (
            "import * as run from './run.js';\nexport { run as execute };",
            "t/handler.js:2:10",
            "a module",
        ),
        (
            "export { ToolError as execute } from 'aileron';",
            "t/handler.js:1:10",
            "a part of `aileron`",
        ),
    ] {
        let expected = format!(
            "H011 {place}: expected `execute` to be a function, found {what} | write `export async function execute({{ args, context }}) {{ ... }}`"
        );
        assert_eq!(lines(handler), [expected], "{handler}");
    }
}

#[test]
fn names_of_aileron_are_known() {
    let with = |import: &str| javascript(&format!("{import}\nexport function execute() {{}}"));
    for import in [
        "import { ErrorType, ToolError, IntentType } from 'aileron';",
        "import * as aileron from 'aileron';",
        "import { ToolError as Failure } from 'aileron';",
        "import 'aileron';",
        "export { ToolError } from 'aileron';",
        "const { ToolError } = await import('aileron');",
    ] {
        let outcome = with(import);
        assert_eq!(outcome.lines(), [""; 0], "{import}");
        assert_eq!(outcome.modules().len(), 1, "{import}");
    }
    assert_eq!(
        with("import { ToolEror } from 'aileron';").lines(),
        [
            "H013 t/handler.js:1:10: expected an export of `aileron`, found `ToolEror`, which it does not have | did you mean `ToolError`?"
        ]
    );
    assert_eq!(
        with("import aileron from 'aileron';").lines(),
        [
            "H013 t/handler.js:1:8: expected a default export of `aileron`, found none | it exports `ErrorType`, `IntentType`, `ToolError`"
        ]
    );
}

#[test]
fn a_name_that_is_not_exported_is_reported() {
    let with = |import: &str| lines(&format!("{import}\nexport function execute() {{}}"));
    assert_eq!(
        with("import { rum } from './run.js';"),
        [
            "H013 t/handler.js:1:10: expected an export of `./run.js`, found `rum`, which it does not have | did you mean `run`?"
        ]
    );
    assert_eq!(
        with("export { run, gone as here } from './run.js';"),
        [
            "H013 t/handler.js:1:15: expected an export of `./run.js`, found `gone`, which it does not have | it exports `default`, `run`, `text`"
        ]
    );
    assert_eq!(
        with("import star from './star.js';"),
        [
            "H013 t/handler.js:1:8: expected a default export of `./star.js`, found none | it exports `execute`, `run`, `text`"
        ]
    );
    assert_eq!(with("import { run, text, execute as x } from './star.js';"), [""; 0]);
    assert_eq!(with("import * as all from './run.js';\nall.gone;"), [""; 0]);
}

#[test]
fn a_wrong_name_is_reported_where_it_is_wrong_and_nowhere_else() {
    let outcome = compile(&[
        ("t/handler.js", "import { a } from './a.js';\nexport function execute() { a(); }"),
        ("t/a.js", "export { a } from './b.js';"),
        ("t/b.js", "export const b = 1;"),
    ]);
    assert_eq!(outcome.codes(), ["H013 t/a.js:1:10"]);
    let outcome = compile(&[
        ("t/handler.js", "export { execute } from './a.js';"),
        ("t/a.js", "export { execute } from './b.js';"),
        ("t/b.js", ""),
    ]);
    assert_eq!(outcome.codes(), ["H013 t/a.js:1:10"]);
}

#[test]
fn nothing_is_said_of_modules_that_could_not_be_read() {
    let outcome = compile(&[
        (
            "t/handler.js",
            "export * from './broken.js';\nimport { x } from './broken.js';\nexport { y } from './gone.js';",
        ),
        ("t/broken.js", "export const ="),
    ]);
    assert_eq!(outcome.codes(), ["H003 t/broken.js:1:14", "H005 t/handler.js:3:19"]);
}

#[test]
fn exports_that_lead_in_circles_end() {
    let outcome = compile(&[
        ("t/handler.js", "export * from './a.js';"),
        ("t/a.js", "export * from './b.js';\nexport { x } from './b.js';"),
        ("t/b.js", "export * from './a.js';\nexport { x } from './a.js';"),
    ]);
    assert_eq!(outcome.codes(), ["H004 t/handler.js"]);
}

#[test]
fn types_imported_as_values_are_told_apart() {
    let types = "export interface Result { a: string }\nexport type Id = string;\nexport const rank = 1;\nexport default interface Options {}\ninterface Own {}\nexport type { Own };";
    let with = |import: &str| {
        let handler = format!("{import}\nexport function execute() {{}}");
        compile(&[
            ("t/handler.ts", &handler),
            ("t/a.ts", types),
            ("t/star.ts", "export * from './a.ts';"),
        ])
        .lines()
    };
    assert_eq!(
        with("import { Result, rank } from './a.ts';"),
        [
            "H013 t/handler.ts:1:10: expected a value of `./a.ts`, found the type `Result` | use `import type`, or `type Result` inside of the braces"
        ]
    );
    assert_eq!(with("import { Id, Own } from './star.ts';").len(), 2);
    assert_eq!(
        with("import Options from './a.ts';"),
        [
            "H013 t/handler.ts:1:8: expected a value of `./a.ts`, found the type `default` | use `import type`, or `type default` inside of the braces"
        ]
    );
    assert_eq!(with("import type { Result } from './a.ts';"), [""; 0]);
    assert_eq!(with("import type { Result } from './nowhere.ts';"), [""; 0]);
    assert_eq!(with("import { type Id, rank } from './a.ts';"), [""; 0]);
}

#[test]
fn types_of_aileron_need_the_word() {
    let with = |import: &str| {
        let handler = format!("{import}\nexport function execute() {{}}");
        compile(&[("t/handler.ts", &handler)]).lines()
    };
    assert_eq!(with("import type { Context } from 'aileron';"), [""; 0]);
    assert_eq!(
        with("import { Context } from 'aileron';"),
        [
            "H013 t/handler.ts:1:10: expected a value of `aileron`, found `Context`, which it does not have | it exports `ErrorType`, `IntentType` and `ToolError`; for a type, use `import type`"
        ]
    );
}

#[test]
fn types_exported_as_values_are_told_apart() {
    let outcome = compile(&[(
        "t/handler.ts",
        "import type { A } from './a.ts';\ninterface B {}\nexport function execute() {}\nexport { A, B };",
    )]);
    assert_eq!(
        outcome.lines(),
        [
            "H013 t/handler.ts:4:10: expected the name of a value, found the type `A` | use `export type { A }`",
            "H013 t/handler.ts:4:13: expected the name of a value, found the type `B` | use `export type { B }`",
        ]
    );
}
