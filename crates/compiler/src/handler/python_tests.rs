//! Python handlers: execute, modules, imports, packages and capabilities.

use crate::handler::case::{CompileOutcome, compile, compile_with};

const EXECUTE: &str = "def execute(args, context):\n    return {\"ok\": True, \"data\": {}}\n";

fn python(files: &[(&str, &str)]) -> CompileOutcome {
    compile_with("python", files)
}

fn handler(code: &str) -> CompileOutcome {
    python(&[("t/handler.py", code)])
}

fn paths(outcome: &CompileOutcome) -> Vec<&str> {
    outcome.modules().into_iter().map(|(path, _)| path).collect()
}

#[test]
fn every_module_of_the_tool_is_carried() {
    let outcome = python(&[
        ("t/handler.py", EXECUTE),
        ("t/helpers.py", ""),
        ("t/deep/more.py", ""),
        ("t/__pycache__/handler.py", ""),
        ("t/.hidden/x.py", ""),
        ("t/venv/lib/x.py", ""),
        ("t/notes.txt", ""),
        ("_lib/shared.py", ""),
        ("u/handler.py", ""),
    ]);
    assert_eq!(outcome.faults(), [""; 0]);
    assert_eq!(paths(&outcome), ["t/deep/more.py", "t/handler.py", "t/helpers.py"]);
    assert_eq!(outcome.packages(), None);
}

#[test]
fn shared_code_is_carried_if_a_module_imports_it() {
    let outcome = python(&[
        ("t/handler.py", EXECUTE),
        ("t/deep/more.py", "from ..._lib.text import words\n"),
        ("_lib/text.py", "from . import marks\n"),
        ("_lib/marks.py", ""),
        ("_other/x.py", ""),
        ("_lib/notes.md", ""),
    ]);
    assert_eq!(outcome.faults(), [""; 0]);
    assert_eq!(
        paths(&outcome),
        ["_lib/marks.py", "_lib/text.py", "_other/x.py", "t/deep/more.py", "t/handler.py"]
    );
}

#[test]
fn a_handler_without_execute_is_reported() {
    assert_eq!(
        handler("def run(args, context): pass").faults(),
        [
            "H004 t/handler.py: expected `def execute(args, context)` or `async def execute(args, context)` at the top level, found none | write `def execute(args, context):` without indentation"
        ]
    );
    assert_eq!(
        handler("\ndef exeucte(args, context): pass").faults(),
        [
            "H004 t/handler.py:2:1: expected `def execute(args, context)` or `async def execute(args, context)` at the top level, found `def exeucte` | did you mean `execute`?"
        ]
    );
}

#[test]
fn execute_takes_the_arguments_and_the_context() {
    for parameters in [
        "args, context",
        "args, /, context",
        "*rest",
        "args, *rest",
        "a, b, c=None",
        "a: dict[str, int], b=(1, 2), *, k=1",
        "a, b, **more",
    ] {
        let code = format!("async def execute({parameters}): ...");
        assert_eq!(handler(&code).faults(), [""; 0], "{parameters}");
    }
    for parameters in ["", "call", "args, *, context", "a, b, c", "**more"] {
        let code = format!("def execute({parameters}): ...");
        assert_eq!(
            handler(&code).faults(),
            [format!(
                "H011 t/handler.py:1:1: expected `execute(args, context)`, found `execute({parameters})` | write `def execute(args, context):` or `async def execute(args, context):`"
            )]
        );
    }
}

#[test]
fn a_file_beside_the_handler_is_imported_with_a_dot() {
    let check = |import: &str, expected: &[&str]| {
        let code = format!("{import}\n{EXECUTE}");
        let outcome =
            python(&[("t/handler.py", &code), ("t/helpers.py", ""), ("t/deep/more.py", "")]);
        assert_eq!(outcome.faults(), expected, "{import}");
    };
    for import in [
        "from . import helpers",
        "from .helpers import x, y",
        "from .deep import more",
        "from .deep.more import x",
        "try:\n    from . import helpers\nexcept ImportError:\n    import helpers",
    ] {
        check(import, &[]);
    }
    check(
        "import helpers",
        &[
            "H005 t/handler.py:1:1: expected a package called `helpers`, found a file of that name beside the module, which needs a relative import | write `from . import helpers`",
        ],
    );
    check(
        "from helpers import x, y",
        &[
            "H005 t/handler.py:1:1: expected a package called `helpers`, found a file of that name beside the module, which needs a relative import | write `from .helpers import x, y`",
        ],
    );
    check(
        "from .helper import x",
        &[
            "H005 t/handler.py:1:1: expected a Python module at `.helper`, found no such file | name an existing file: `from .helpers import x` is `helpers.py` beside this one",
        ],
    );
    check(
        "from . import helper",
        &[
            "H005 t/handler.py:1:1: expected a Python module at `.helper`, found no such file | name an existing file: `from .helpers import x` is `helpers.py` beside this one",
        ],
    );
}

#[test]
fn a_relative_import_stays_in_the_tool_and_the_shared_code() {
    for import in ["from ..u import handler", "from ...app import db", "from .. import u"] {
        let code = format!("{import}\n{EXECUTE}");
        let outcome = python(&[("t/handler.py", &code), ("u/handler.py", "")]);
        assert_eq!(
            outcome.codes(),
            ["H006 t/handler.py:1:1", "H019 t/schema.json:1:14"],
            "{import}"
        );
    }
}

#[test]
fn packages_need_a_manifest() {
    let code =
        format!("import os, json\nfrom aileron import ToolError\nimport requests\n{EXECUTE}");
    assert_eq!(
        handler(&code).faults(),
        [
            "H018 t/handler.py:3:1: expected `requirements.txt` or `pyproject.toml` for package `requests`, found neither in the tool's directory nor above it in the project | write the package's name into `requirements.txt` and run `python3 -m pip install -r requirements.txt`"
        ]
    );
    for (files, expected) in [
        (
            vec!["t/requirements.txt", "requirements.txt"],
            ("t/requirements.txt", "requirements.txt"),
        ),
        (vec!["../pyproject.toml", "../uv.lock"], ("../pyproject.toml", "uv.lock")),
        (
            vec!["../../pyproject.toml", "../../poetry.lock"],
            ("../../pyproject.toml", "poetry.lock"),
        ),
        (
            vec!["requirements.txt", "requirements.lock", "../uv.lock"],
            ("requirements.txt", "requirements.lock"),
        ),
    ] {
        let mut all = vec![("t/handler.py", code.as_str())];
        all.extend(files.iter().map(|path| (*path, "requests==2.32")));
        let outcome = python(&all);
        assert_eq!(outcome.faults(), [""; 0]);
        assert_eq!(outcome.packages(), Some(expected));
    }
}

#[test]
fn a_package_that_is_only_tried_needs_no_manifest() {
    let code =
        format!("try:\n    import orjson as json\nexcept ImportError:\n    import json\n{EXECUTE}");
    assert_eq!(handler(&code).faults(), [""; 0]);
}

#[test]
fn capabilities_and_variables_have_to_be_declared() {
    let code = "import os\nasync def execute(args, context):\n    hits = await context.kb.search(args)  # context.images\n    key = context.secret.get('API_KEY')\n    return [hits, key, os.environ['OTHER_KEY'], os.getenv(\"HOME\"), own.context.audio]\n";
    let check = |capabilities: &str| {
        let schema = format!("{{ \"runtime\": \"python\", \"capabilities\": {capabilities} }}");
        compile(&[("t/handler.py", code), ("t/schema.json", &schema)]).faults()
    };
    assert_eq!(check(r#"["kb", "secret:API_KEY", "secret:OTHER_KEY"]"#), [""; 0]);
    assert_eq!(
        check(r#"["secret:ANOTHER"]"#),
        [
            "H010 t/handler.py:3:18: handler uses `context.kb`, expected `kb` among the declared capabilities | add \"kb\" to `capabilities` in `schema.json`",
            "H010 t/handler.py:4:11: handler uses `context.secret`, expected `secret:API_KEY` among the declared capabilities | add \"secret:API_KEY\" to `capabilities` in `schema.json`",
            "H020 t/handler.py:5:24: handler reads the environment variable `OTHER_KEY`, expected `secret:OTHER_KEY` among the declared capabilities; a worker has no other variables of the server | add \"secret:OTHER_KEY\" to `capabilities` in `schema.json`",
        ]
    );
}

#[test]
fn the_text_is_carried_as_it_is_stored_everywhere() {
    let hash = |text: &str| handler(text).handler.map(|handler| handler.hash().clone());
    assert!(hash(EXECUTE).is_some());
    assert_eq!(hash(EXECUTE), hash(&format!("\u{feff}{}", EXECUTE.replace('\n', "\r\n"))));
}
