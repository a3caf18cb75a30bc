//! Handlers for Node.js: packages, manifests, CommonJS and globals.

use aileron_contract::{ContentHash, Handler};

use crate::handler::case::{CompileOutcome, compile_with};

const STRIPE: &str = "import Stripe from 'stripe';\nexport async function execute({ args }) { return new Stripe(args.key); }";

fn node(files: &[(&str, &str)]) -> CompileOutcome {
    compile_with("node", files)
}

fn handler(code: &str) -> CompileOutcome {
    node(&[("t/handler.js", code)])
}

#[test]
fn a_package_that_the_manifest_names_is_fine_wherever_it_is() {
    for (manifest, field) in [
        ("t/package.json", "dependencies"),
        ("package.json", "devDependencies"),
        ("../package.json", "optionalDependencies"),
        ("../../package.json", "peerDependencies"),
    ] {
        let text = format!("{{ \"{field}\": {{ \"stripe\": \"^17\" }} }}");
        let outcome = node(&[("t/handler.js", STRIPE), (manifest, &text)]);
        assert_eq!(outcome.faults(), [""; 0], "{manifest}");
        assert_eq!(outcome.packages(), Some((manifest, "package.json")));
    }
}

#[test]
fn the_nearest_manifest_counts() {
    let named = r#"{ "dependencies": { "stripe": "^17" } }"#;
    let outcome =
        node(&[("t/handler.js", STRIPE), ("package.json", "{}"), ("../package.json", named)]);
    assert_eq!(
        outcome.faults(),
        [
            "H018 t/handler.js:1:20: expected package `stripe` among the dependencies of `package.json`, found none of that name | run `npm install stripe`"
        ]
    );
}

#[test]
fn a_package_without_a_manifest_is_reported_with_the_command() {
    let code = "import { a } from '@acme/sdk/deep.js';\nimport { b } from '@acme/sdk';\nexport const execute = () => a(b);";
    assert_eq!(
        handler(code).faults(),
        [
            "H018 t/handler.js:1:19: expected a `package.json` that names package `@acme/sdk`, found none in the tool's directory or above it in the project | run `npm init -y && npm install @acme/sdk` in the folder of your project, which holds the tools folder"
        ]
    );
}

#[test]
fn a_lock_file_beside_the_manifest_is_hashed() {
    let named = r#"{ "dependencies": { "stripe": "^17" } }"#;
    for lock in
        ["package-lock.json", "npm-shrinkwrap.json", "pnpm-lock.yaml", "yarn.lock", "bun.lock"]
    {
        let outcome = node(&[
            ("t/handler.js", STRIPE),
            ("../package.json", named),
            (&format!("../{lock}"), "locked\r\n"),
            ("package-lock.json", "of another manifest"),
        ]);
        let Some(Handler::Node(code)) = &outcome.handler else { panic!("{lock}") };
        let packages = code.packages.as_ref().unwrap();
        assert_eq!((&*packages.manifest, &*packages.lock), ("../package.json", lock));
        assert_eq!(packages.lock_hash, ContentHash::of_bytes(b"locked\n"));
    }
}

#[test]
fn a_handler_without_packages_needs_no_manifest_and_has_none() {
    let code = "import fs from 'node:fs';\nimport { join } from 'path';\nimport { readFile } from 'fs/promises';\nimport { ToolError } from 'aileron';\nexport function execute() { return [fs, join, readFile, ToolError]; }";
    for files in
        [vec![("t/handler.mjs", code)], vec![("t/handler.mjs", code), ("package.json", "{}")]]
    {
        let outcome = node(&files);
        assert_eq!(outcome.faults(), [""; 0]);
        assert_eq!(outcome.packages(), None);
    }
}

#[test]
fn a_manifest_that_is_no_json_is_reported() {
    let outcome = node(&[("t/handler.js", STRIPE), ("t/package.json", "{ dependencies: }")]);
    let faults = outcome.faults();
    assert!(
        faults.iter().any(|line| line.starts_with(
            "H018 t/package.json: expected the manifest of the packages in JSON, found key must be a string"
        )),
        "{faults:?}"
    );
}

#[test]
fn the_globals_of_node_are_there_and_those_of_browsers_are_not() {
    let code = "export async function execute() {\n  const answer = await fetch(new URL('https://example.com'));\n  setTimeout(() => {}, 1);\n  return [answer, Buffer.from('x'), process.env.HOME, structuredClone({}), crypto.randomUUID()];\n}";
    assert_eq!(handler(code).faults(), [""; 0]);
    assert_eq!(
        handler("export function execute() { return [window.location, __dirname]; }").faults(),
        [
            "H015 t/handler.js:1:37: expected names that an ES module of Node.js has, found `window`, which is not defined there | write `globalThis`, or the name itself",
            "H015 t/handler.js:1:54: expected names that an ES module of Node.js has, found `__dirname`, which is not defined there | write `import.meta.dirname`",
        ]
    );
}

#[test]
fn a_common_js_handler_is_fine_unless_the_project_has_es_modules() {
    for code in [
        "const fs = require('node:fs');\nasync function execute({ args }) { return fs; }\nmodule.exports = { execute };",
        "exports.execute = async ({ args }) => ({ ok: true, data: __dirname });",
        "module.exports.execute = function ({ args }) {};",
        "module.exports = { ...require('./other'), name: 1 };",
        "module.exports = require('./other.js');",
    ] {
        let other = ("t/other.js", "exports.execute = () => 1;");
        let outcome = node(&[("t/handler.js", code), other]);
        assert_eq!(outcome.faults(), [""; 0], "{code}");
        assert!(outcome.handler.is_some());
    }
    let outcome = node(&[
        ("t/handler.js", "const a = require('node:fs');\nmodule.exports = { execute: () => a };"),
        ("package.json", r#"{ "type": "module" }"#),
    ]);
    assert_eq!(
        outcome.codes(),
        ["H008 t/handler.js:1:11", "H004 t/handler.js:2:1", "H019 t/schema.json:1:14"]
    );
}

#[test]
fn required_files_are_carried_with_or_without_their_ending() {
    let outcome = node(&[
        (
            "t/handler.js",
            "const { a } = require('./a');\nconst b = require('./b.js');\nconst c = require('../_lib/c');\nmodule.exports = { execute: () => [a, b, c] };",
        ),
        ("t/a.js", "exports.a = 1;"),
        ("t/b.js", "module.exports = 2;"),
        ("_lib/c/index.js", "module.exports = 3;"),
    ]);
    assert_eq!(outcome.faults(), [""; 0]);
    let paths: Vec<_> = outcome.modules().into_iter().map(|(path, _)| path).collect();
    assert_eq!(paths, ["_lib/c/index.js", "t/a.js", "t/b.js", "t/handler.js"]);
}

#[test]
fn a_common_js_handler_without_execute_is_reported() {
    let outcome = handler("module.exports = { run: () => 1 };");
    assert_eq!(outcome.codes(), ["H004 t/handler.js:1:1", "H019 t/schema.json:1:14"]);
    let outcome = handler("module.exports = { execute: missing };");
    assert_eq!(
        outcome.codes(),
        ["H004 t/handler.js:1:1", "H003 t/handler.js:1:20", "H019 t/schema.json:1:14"]
    );
}

#[test]
fn capabilities_are_still_checked() {
    let files = [
        (
            "t/handler.js",
            "exports.execute = async ({ context }) => context.kb.search({ query: 'x' });",
        ),
        ("t/schema.json", r#"{ "runtime": "node", "capabilities": ["audit"] }"#),
    ];
    let outcome = crate::handler::case::compile(&files);
    assert_eq!(
        outcome.codes(),
        ["H010 t/handler.js:1:42", "H019 t/schema.json:1:14", "H014 t/schema.json:1:39"]
    );
}

#[test]
fn a_variable_of_the_environment_has_to_be_declared() {
    let code = "export const execute = () => [process.env.STRIPE_KEY, process.env.TZ, process.env.RATES_KEY];";
    let schema = r#"{ "runtime": "node", "capabilities": ["secret:RATES_KEY"] }"#;
    let outcome =
        crate::handler::case::compile(&[("t/handler.js", code), ("t/schema.json", schema)]);
    assert_eq!(
        outcome.faults(),
        [
            "H020 t/handler.js:1:31: handler reads the environment variable `STRIPE_KEY`, expected `secret:STRIPE_KEY` among the declared capabilities; a worker has no other variables of the server | add \"secret:STRIPE_KEY\" to `capabilities` in `schema.json`"
        ]
    );
    assert!(outcome.handler.is_some());
}

#[test]
fn types_are_erased_and_shared_modules_are_carried() {
    let outcome = node(&[
        (
            "t/handler.ts",
            "import { b } from '../_lib/b.mjs';\nexport const execute = (x: number) => b(x);",
        ),
        ("_lib/b.mjs", "import _ from 'lodash';\nexport const b = _.identity;"),
        ("package.json", r#"{ "dependencies": { "lodash": "4" }, "type": "module" }"#),
    ]);
    assert_eq!(outcome.faults(), [""; 0]);
    assert_eq!(outcome.packages(), Some(("package.json", "package.json")));
    assert_eq!(outcome.modules().len(), 2);
}

#[test]
fn an_import_by_expression_is_allowed_and_keeps_the_manifest() {
    let code = "export async function execute({ args }) { return import(args.name); }";
    let outcome = node(&[("t/handler.js", code), ("package.json", "{}")]);
    assert_eq!(outcome.faults(), [""; 0]);
    assert_eq!(outcome.packages(), Some(("package.json", "package.json")));
}

#[test]
fn imports_that_node_could_not_resolve_are_reported() {
    for (request, help) in [
        (
            "https://example.com/a.js",
            "save the module in the tools folder and import it by its path",
        ),
        ("#internal", "import the file by its path: `imports` of `package.json` are not resolved"),
        ("./data.json", "write it as a module that says `export default { ... }`"),
    ] {
        let code = format!("import a from '{request}';\nexport const execute = () => a;");
        let expected = format!(
            "H008 t/handler.js:1:15: expected an import of a relative module or `aileron`, found `{request}` | {help}"
        );
        assert_eq!(handler(&code).faults(), [expected]);
    }
}
