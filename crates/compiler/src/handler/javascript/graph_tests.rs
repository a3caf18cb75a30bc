//! Imports, good and bad.

use crate::handler::case::{compile, compile_in, javascript};
use crate::tree::Memory;

const EXECUTE: &str = "export function execute() {}\n";

/// Compiles a handler of these lines beside `files`; the findings.
fn check(lines: &str, files: &[(&str, &str)], expected: &[&str]) {
    let handler = format!("{EXECUTE}{lines}");
    let mut all = vec![("t/handler.js", handler.as_str())];
    all.extend(files);
    assert_eq!(compile(&all).lines(), expected, "{lines}");
}

#[test]
fn every_form_of_import_is_an_edge() {
    for import in [
        "import './a.js';",
        "import a from './a.js';",
        "import { b } from './a.js';",
        "import { b as c } from './a.js';",
        "import { 'b' as c } from './a.js';",
        "import * as all from './a.js';",
        "import a, * as all from './a.js';",
        "export * from './a.js';",
        "export * as all from './a.js';",
        "export { b } from './a.js';",
        "export { default as a } from './a.js';",
        "const a = import('./a.js');",
        "const a = import(`./a.js`);",
        "function f() { return import('./a.js'); }",
    ] {
        let handler = format!("{EXECUTE}{import}");
        let module = "export default 1; export const b = 2;";
        let outcome = compile(&[("t/handler.js", &handler), ("t/a.js", module)]);
        assert_eq!(outcome.lines(), [""; 0], "{import}");
        assert_eq!(outcome.modules().len(), 2, "{import}");
    }
}

#[test]
fn cycles_end() {
    let outcome = compile(&[
        (
            "t/handler.js",
            "import './handler.js'; import { a } from './a.js'; export const execute = () => a;",
        ),
        ("t/a.js", "import { b } from './b.js'; export const a = () => b;"),
        (
            "t/b.js",
            "import { a } from './a.js'; import { execute } from './handler.js'; export const b = () => a(execute);",
        ),
    ]);
    assert_eq!(outcome.lines(), [""; 0]);
    assert_eq!(outcome.modules().len(), 3);
}

#[test]
fn the_handler_of_another_tool_may_be_imported() {
    check("import { execute as other } from '../u/handler.js';", &[("u/handler.js", EXECUTE)], &[]);
}

#[test]
fn a_missing_module_is_reported_with_the_nearest() {
    let files: &[(&str, &str)] = &[
        ("t/ranking.js", ""),
        ("t/format.ts", ""),
        ("t/lib/index.js", ""),
        ("_core/error-types.js", ""),
    ];
    for (import, help) in [
        ("./ranking", "did you mean `./ranking.js`?"),
        ("./rankin.js", "did you mean `./ranking.js`?"),
        ("./format.js", "did you mean `./format.ts`?"),
        ("./lib", "did you mean `./lib/index.js`?"),
        ("./error-types.js", "did you mean `../_core/error-types.js`?"),
        ("../error-types.js", "did you mean `../_core/error-types.js`?"),
        ("./other.js", "name an existing file, with its ending"),
        ("./x//ranking.js", "did you mean `./ranking.js`?"),
    ] {
        let expected = format!(
            "H005 t/handler.js:2:8: expected a module at `{import}`, found no such file | {help}"
        );
        check(&format!("import '{import}';"), files, &[&expected]);
    }
}

#[test]
fn a_missing_module_is_reported_in_the_module_that_imports_it() {
    check(
        "import './a.js';",
        &[("t/a.js", "\n\n  export * from './gone.js';")],
        &[
            "H005 t/a.js:3:17: expected a module at `./gone.js`, found no such file | name an existing file, with its ending",
        ],
    );
}

#[test]
fn an_import_out_of_the_folder_is_reported() {
    check(
        "import '../../config.js';",
        &[],
        &[
            "H006 t/handler.js:2:8: expected a module inside of the tools folder, found `../../config.js` | move the module into the tools folder, for example to `_lib/`",
        ],
    );
    check(
        "import '/config.js';",
        &[],
        &[
            "H006 t/handler.js:2:8: expected a module inside of the tools folder, found `/config.js` | move the module into the tools folder, for example to `_lib/`",
        ],
    );
}

#[test]
fn foreign_imports_are_reported() {
    let foreign = |lines: &str| {
        let outcome = javascript(&format!("{EXECUTE}{lines}"));
        outcome.lines().join("\n")
    };
    assert_eq!(
        foreign("import fs from 'node:fs';"),
        "H008 t/handler.js:2:16: expected an import of a relative module or `aileron`, found `node:fs` | Node's modules are not in the sandbox: use a declared capability, such as `context.http` or `context.kb`, or set `\"runtime\": \"node\"` in `schema.json`"
    );
    assert_eq!(
        foreign("import _ from 'lodash';"),
        "H008 t/handler.js:2:15: expected an import of a relative module or `aileron`, found `lodash` | packages are not in the sandbox: set `\"runtime\": \"node\"` in `schema.json`, or copy what you need into the tools folder, for example to `_lib/`, and import it by its path"
    );
    assert_eq!(
        foreign("await import('https://esm.sh/x.js');"),
        "H008 t/handler.js:2:14: expected an import of a relative module or `aileron`, found `https://esm.sh/x.js` | save the module in the tools folder and import it by its path"
    );
    assert_eq!(
        foreign("import data from './data.json' with { type: 'json' };"),
        "H008 t/handler.js:2:18: expected an import of a relative module or `aileron`, found `./data.json` | write it as a module that says `export default { ... }`"
    );
    assert_eq!(
        foreign("const fs = require('fs');"),
        "H008 t/handler.js:2:12: expected an import of a relative module or `aileron`, found `require('fs')` | `require` is CommonJS: write `import ... from '...'`, or set `\"runtime\": \"node\"` in `schema.json`"
    );
    assert_eq!(
        foreign("export * from 'aileron/internal';"),
        "H008 t/handler.js:2:15: expected an import of a relative module or `aileron`, found `aileron/internal` | import from `aileron` itself: `ErrorType`, `ToolError`, `IntentType`"
    );
}

#[test]
fn import_attributes_are_reported() {
    check(
        "import './a.js' with { type: 'javascript' };\nimport('./a.js', { with: {} });",
        &[("t/a.js", "")],
        &[
            "H008 t/handler.js:2:8: expected an import of a relative module or `aileron`, found import attributes on `./a.js` | remove `with { ... }`: only JavaScript and TypeScript are imported",
            "H008 t/handler.js:3:8: expected an import of a relative module or `aileron`, found import attributes on `./a.js` | remove `with { ... }`: only JavaScript and TypeScript are imported",
        ],
    );
}

#[test]
fn a_function_called_require_is_not_commonjs() {
    check("const require = (x) => x;\nrequire('fs');", &[], &[]);
    check("checks.require('fs');", &[], &[]);
}

#[test]
fn computed_imports_are_reported() {
    check(
        "const load = (name) => import(`./formats/${name}.js`);",
        &[],
        &[
            "H009 t/handler.js:2:24: expected `import()` of a literal path, found a computed one | import each module by its literal path, and choose among them",
        ],
    );
    check(
        "import(path);",
        &[],
        &[
            "H009 t/handler.js:2:1: expected `import()` of a literal path, found a computed one | import each module by its literal path, and choose among them",
        ],
    );
}

#[test]
fn too_many_modules_are_reported_once() {
    let mut tree = Memory::new("");
    let imports: String = (0..300).map(|n| format!("import './m{n}.js';\n")).collect();
    tree.insert("t/handler.js", format!("{imports}{EXECUTE}"));
    for n in 0..300 {
        tree.insert(format!("t/m{n}.js"), "");
    }
    let outcome = compile_in(&tree);
    assert_eq!(
        outcome.lines(),
        [
            "H012 t/handler.js:256:8: handler has more modules than the 256 allowed | import only what is used, or move the work behind a capability"
        ]
    );
}

#[test]
fn too_many_bytes_are_reported_once() {
    let check = |count: usize, expected: &[&str]| {
        let mut tree = Memory::new("");
        let imports: String = (0..count).map(|n| format!("import './m{n}.js';\n")).collect();
        tree.insert("t/handler.js", format!("{imports}{EXECUTE}"));
        for n in 0..count {
            tree.insert(format!("t/m{n}.js"), format!("//{}", "x".repeat(1_000_000)));
        }
        assert_eq!(compile_in(&tree).lines(), expected);
    };
    let expected = "H012 t/handler.js:5:8: modules of the handler have more than the 4194304 bytes allowed in all | import only what is used, or move the work behind a capability";
    check(4, &[]);
    check(5, &[expected]);
    check(8, &[expected]);
}

#[test]
fn a_module_too_large_is_reported_as_a_file() {
    let mut tree = Memory::new("");
    tree.insert("t/handler.js", format!("import './big.js';\n{EXECUTE}"));
    tree.insert("t/big.js", " ".repeat((1 << 20) + 1));
    assert_eq!(compile_in(&tree).codes(), ["F006 t/big.js"]);
}
