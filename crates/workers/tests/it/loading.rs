//! Handlers that cannot be loaded: each is named with its reason and the way out, and harms no other.

use std::fs;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use aileron_contract::artifact::source_text;
use aileron_contract::{ContentHash, Packages};
use aileron_workers::{WorkerOptions, Workers};
use serde_json::json;

use crate::stage::{Language, load, load_on, options};

fn why(language: Language, source: &str) -> String {
    let options = WorkerOptions { load: Duration::from_secs(1), ..options() };
    load(language, source, &[], options).err().unwrap()
}

#[test]
fn a_top_level_that_fails_is_named_with_its_line() {
    for (language, source, expected) in [
        (
            Language::Node,
            "\nthrow new Error('early');",
            "`the-tool/handler.mjs` fails at its top level: Error: early at (the-tool/handler.mjs:2:7)",
        ),
        (
            Language::Python,
            "\nraise ValueError('early')",
            "`the-tool/handler.py` fails at its top level: ValueError: early at <module> (the-tool/handler.py:2)",
        ),
        (Language::Node, "const x = ;", "it cannot be parsed: SyntaxError: Unexpected token ';'"),
        (Language::Python, "x = = 1", "it cannot be parsed: "),
        (
            Language::Node,
            "export const other = 1;",
            "expected a function `execute` exported by `the-tool/handler.mjs`",
        ),
        (Language::Python, "other = 1", "expected a function `execute` in `the-tool/handler.py`"),
        (Language::Node, "process.exit(4);", "the worker process ended with exit status: 4"),
        (
            Language::Python,
            "import os\nos._exit(4)",
            "the worker process ended with exit status: 4",
        ),
        (Language::Python, "import sys\nsys.exit(4)", "fails at its top level: SystemExit: 4"),
        (Language::Node, "await new Promise(() => {});", "its top level did not finish within 1 s"),
        (Language::Node, "for (;;);", "its top level did not finish within 1 s"),
        (Language::Python, "while True: pass", "its top level did not finish within 1 s"),
        (
            Language::Python,
            "import time\ntime.sleep(60)",
            "its top level did not finish within 1 s",
        ),
    ] {
        let found = why(language, source);
        assert!(found.contains(expected), "{source}: {found}");
    }
}

#[test]
fn a_package_that_is_not_installed_is_named_with_the_command() {
    let cases = [
        (
            Language::Node,
            "import pad from '@acme/left-pad/deep.js';",
            "the package `@acme/left-pad` is not installed; run `npm install @acme/left-pad`",
        ),
        (
            Language::Node,
            "import { createRequire } from 'node:module';\ncreateRequire(import.meta.url)('left-pad');",
            "the package `left-pad` is not installed; ",
        ),
        (
            Language::Python,
            "import left_pad.deep",
            "the package `left_pad` is not installed; write `left_pad` into a requirements.txt",
        ),
    ];
    for (language, source, expected) in cases {
        let found = why(language, source);
        assert!(found.starts_with(expected), "{found}");
    }
}

/// A tools folder with a manifest and its lock file.
fn packages(lock: &str, text: &str) -> (tempfile::TempDir, WorkerOptions, Packages) {
    let folder = tempfile::tempdir().unwrap();
    let manifest = if lock == "package-lock.json" { "package.json" } else { lock };
    for name in [manifest, lock] {
        fs::write(folder.path().join(name), text).unwrap();
    }
    let tools = folder.path().join("tools");
    fs::create_dir(&tools).unwrap();
    let packages = Packages {
        manifest: format!("../{manifest}"),
        lock: lock.to_owned(),
        lock_hash: ContentHash::of_bytes(source_text(text).as_bytes()),
    };
    (folder, WorkerOptions { tools, ..options() }, packages)
}

#[test]
fn the_command_fits_the_lock_file() {
    for (language, lock, source, command) in [
        (Language::Node, "package-lock.json", "import 'left-pad';", "run `npm ci` in `"),
        (
            Language::Python,
            "requirements.txt",
            "import left_pad",
            "run `python3 -m venv .venv && .venv/bin/pip install -r requirements.txt` in `",
        ),
    ] {
        let (_folder, options, packages) = packages(lock, "{}\n");
        let engine = Arc::new(Workers::new(options));
        let modules = [(language.entry(), source)];
        let found =
            load_on(&engine, "the_tool", language, &modules, &[], Some(packages)).err().unwrap();
        assert!(found.contains(command), "{found}");
    }
}

#[test]
fn a_lock_file_that_changed_since_the_build_is_refused() {
    let (folder, options, packages) = packages("package-lock.json", "{}\n");
    fs::write(folder.path().join("package-lock.json"), "{ }\n").unwrap();
    let engine = Arc::new(Workers::new(options));
    let modules = [("a/handler.mjs", "export function execute() {}")];
    let load =
        |packages| load_on(&engine, "a", Language::Node, &modules, &[], Some(packages)).err();
    let found = load(packages.clone()).unwrap();
    assert!(found.contains("changed since the registry was built; run `aileron build`"), "{found}");
    fs::remove_file(folder.path().join("package-lock.json")).unwrap();
    let found = load(packages).unwrap();
    assert!(found.contains("cannot be read"), "{found}");
}

/// Packages are found beside the manifest, wherever the sources of the artifact lie.
#[test]
fn an_installed_package_is_found() {
    let (folder, options, packages) = packages("package-lock.json", "{}\n");
    let package = folder.path().join("node_modules").join("left-pad");
    fs::create_dir_all(&package).unwrap();
    fs::write(package.join("index.js"), "module.exports = (text) => ' ' + text;").unwrap();
    let engine = Arc::new(Workers::new(options));
    let source = "import pad from 'left-pad';\nexport function execute({ args }) { return { ok: true, data: pad(args.text) }; }";
    let modules = [("a/handler.mjs", source)];
    let stage = load_on(&engine, "a", Language::Node, &modules, &[], Some(packages)).unwrap();
    assert_eq!(stage.data(json!({ "text": "x" })), json!(" x"));
}

#[test]
fn a_runtime_that_is_not_there_is_an_error_with_the_way_out() {
    for language in [Language::Node, Language::Python] {
        let missing = PathBuf::from("/nonexistent/runtime");
        // Without a launcher the program itself is started, with one the launcher finds it missing.
        for launcher in [Vec::new(), options().launcher] {
            let options = WorkerOptions {
                node: missing.clone(),
                python: missing.clone(),
                launcher,
                ..options()
            };
            let found = load(language, "", &[], options).err().unwrap();
            let setting = format!("handlers.{} = ", language.runtime().as_str());
            assert!(found.contains("/nonexistent/runtime"), "{found}");
            assert!(found.contains("; install ") && found.contains(&setting), "{found}");
        }
    }
}

#[test]
fn modules_may_import_each_other() {
    let engine = Arc::new(Workers::new(options()));
    let node = [
        (
            "a/handler.mjs",
            "import { two } from './two.mjs';\nexport const one = () => 1;\nexport function execute() { return { ok: true, data: two() }; }",
        ),
        ("a/two.mjs", "import { one } from './handler.mjs';\nexport const two = () => one() + 1;"),
    ];
    let stage = load_on(&engine, "a", Language::Node, &node, &[], None).unwrap();
    assert_eq!(stage.data(json!({})), json!(2));
    let broken = [
        (
            "b/handler.mjs",
            "import './two.mjs';\nexport const one = 1;\nexport function execute() {}",
        ),
        ("b/two.mjs", "import { one } from './handler.mjs';\nexport const two = one + 1;"),
    ];
    let found = load_on(&engine, "b", Language::Node, &broken, &[], None).err().unwrap();
    assert!(
        found
            .contains("ReferenceError: Cannot access 'one' before initialization at (b/two.mjs:2:"),
        "{found}"
    );
    let python = [
        (
            "c/handler.py",
            "from . import two\ndef one(): return 1\ndef execute(args, context): return {'ok': True, 'data': two.two()}",
        ),
        ("c/two.py", "from . import handler_value as nothing\ndef two(): return 2"),
    ];
    let found = load_on(&engine, "c", Language::Python, &python, &[], None).err().unwrap();
    assert!(found.contains("(c/two.py:1)"), "{found}");
}

/// The tools of one process: each has its own verdict.
#[test]
fn a_tool_that_ends_the_process_at_its_top_level_harms_no_other() {
    let engine = Arc::new(Workers::new(options()));
    let loads: Vec<_> = (0..12)
        .map(|number| {
            let engine = engine.clone();
            std::thread::spawn(move || {
                let end = if number % 3 == 1 { "process.exit(9);" } else { "" };
                let source = format!(
                    "{end}\nexport const execute = () => ({{ ok: true, data: {number} }});"
                );
                let path = format!("t{number}/handler.mjs");
                let modules = [(path.as_str(), source.as_str())];
                load_on(&engine, &format!("t{number}"), Language::Node, &modules, &[], None)
            })
        })
        .collect();
    for (number, load) in loads.into_iter().enumerate() {
        match load.join().unwrap() {
            Ok(stage) => assert_eq!(stage.data(json!({})), json!(number)),
            Err(why) => {
                assert!(number % 3 == 1 && why.contains("exit status: 9"), "{number}: {why}");
            }
        }
    }
}
