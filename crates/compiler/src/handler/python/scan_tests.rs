//! Statements of Python, by their lines.

use super::*;

fn imports(text: &str) -> Vec<String> {
    let show = |import: PythonImport| {
        let dots = ".".repeat(import.level);
        let deep = if import.top_level { "" } else { " (inner)" };
        format!("{dots}{}:{}{deep}", import.module, import.names.join(","))
    };
    scan(text).imports.into_iter().map(show).collect()
}

#[test]
fn imports_are_found_in_every_form() {
    assert_eq!(imports("import os, json as j\nimport a.b.c"), ["os:", "json:", "a.b.c:"]);
    assert_eq!(
        imports(
            "from . import x\nfrom .important import (\n  a as b,  # why\n  c,\n)\nfrom .._lib.y import *"
        ),
        [".:x", ".important:a,c", ".._lib.y:*"]
    );
    assert_eq!(imports("from a \\\n  import b; import c"), ["a:b", "c:"]);
    assert_eq!(
        imports("try:\n    import fast\nexcept ImportError:\n\tfast = None"),
        ["fast: (inner)"]
    );
}

#[test]
fn strings_and_comments_are_no_code() {
    for text in [
        "# import x",
        "'import x'",
        "\"\"\"\nimport x\nfrom . import y\n\"\"\"",
        "a = '''\nimport x\\'''\nimport y\n'''",
        "a = 'it\\'s'; b = \"\\\"\"",
        "r'''\nimport x'''",
    ] {
        assert_eq!(imports(text), [""; 0], "{text}");
    }
    assert_eq!(imports("a = 'never closed\nimport x"), ["x:"]);
    assert_eq!(imports("'''never closed\nimport x"), [""; 0]);
}

#[test]
fn execute_is_found_at_the_top_level() {
    for text in [
        "def execute(args, context):\n    pass",
        "\"\"\"Doc.\"\"\"\nasync def execute(args, context) -> dict: ...",
        "@traced\nasync  def execute(\n    args: dict,\n    context,\n):\n    pass",
        "execute = build()",
        "execute: Handler = build()",
        "from .run import execute",
        "from .run import go as execute",
    ] {
        assert!(scan(text).execute.is_some(), "{text}");
    }
    for text in [
        "class A:\n    def execute(self, args): ...",
        "if execute == 1: pass",
        "executed = 1",
        "# def execute(args, context):",
        "from .run import execute as run",
    ] {
        assert_eq!(scan(text).execute, None, "{text}");
    }
}

#[test]
fn places_are_those_of_the_source() {
    let text = "\u{e4} = '\u{e4}'\nimport  x # y\n";
    let place = scan(text).imports.remove(0).place;
    assert_eq!(&text[place], "import  x");
}

#[test]
fn any_text_can_be_scanned() {
    for text in [
        "",
        "\\",
        "'",
        "\"\"\"",
        "(",
        ")))",
        "from",
        "from  import",
        "import ",
        "def (",
        "\u{1f600}'\u{1f600}",
    ] {
        assert_eq!(scan(text).code.len(), text.len(), "{text}");
    }
}
