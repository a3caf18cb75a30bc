//! Syntax, and texts made to break a parser.

use crate::handler::case::{compile, javascript, typescript};

#[test]
fn syntax_errors_are_placed() {
    for (text, expected) in [
        (
            "export function execute( {}",
            "H003 t/handler.js:1:28: expected JavaScript: expected `)` but found `EOF`",
        ),
        ("\n  const = 1;", "H003 t/handler.js:2:9: expected JavaScript: unexpected token"),
        (
            "return 1;",
            "H003 t/handler.js:1:1: expected JavaScript: a 'return' statement can only be used within a function body",
        ),
        ("let x: number = 1;", "H003 t/handler.js:1:6: expected JavaScript: "),
        ("'unterminated", "H003 t/handler.js:1:1: expected JavaScript: unterminated string"),
        ("/(/;", "H003 t/handler.js:1:2: expected JavaScript: "),
        (
            "export { gone };",
            "H003 t/handler.js:1:10: expected the name of something declared here, found `gone`",
        ),
        (
            "with (x) {}",
            "H003 t/handler.js:1:1: expected JavaScript that the engine runs, found `with`",
        ),
        ("<div/>;", "H003 t/handler.js:1:1: expected JavaScript: "),
    ] {
        let lines = javascript(text).lines();
        assert!(lines.iter().any(|line| line.starts_with(expected)), "{text}: {lines:?}");
    }
}

#[test]
fn syntax_errors_in_typescript_say_so() {
    let lines = typescript("let x: = 1;").lines();
    assert!(lines[0].starts_with("H003 t/handler.ts:1:8: expected TypeScript: "), "{lines:?}");
}

#[test]
fn syntax_that_the_engine_does_not_know_is_reported() {
    let with = |text: &str| javascript(&format!("export function execute() {{}}\n{text}")).lines();
    assert_eq!(
        with("@sealed class A {}"),
        [
            "H003 t/handler.js:2:1: expected JavaScript that the engine runs, found a decorator | call the function by hand"
        ]
    );
    assert_eq!(
        with("class A { accessor x = 1; }"),
        [
            "H003 t/handler.js:2:11: expected JavaScript that the engine runs, found an `accessor` field | write a field, or a getter and a setter"
        ]
    );
    assert_eq!(with("import defer * as x from 'aileron';").len(), 1);
}

#[test]
fn names_declared_twice_are_reported() {
    for (text, place) in [
        ("let a; let a;", "1:12"),
        ("const a = 1; function a() {}", "1:23"),
        ("function a() {} function a() {}", "1:26"),
        ("import { ToolError } from 'aileron'; class ToolError {}", "1:44"),
        ("var a; let a;", "1:12"),
        ("let a; { var a; }", "1:14"),
        ("function f(a) { let a; }", "1:21"),
        ("const f = ({ a }) => { const a = 1; };", "1:30"),
        ("switch (1) { case 1: let a; case 2: let a; }", "1:41"),
        ("{ function a() {} let a; }", "1:23"),
    ] {
        let codes = javascript(&format!("{text}\nexport const execute = () => {{}};")).codes();
        assert_eq!(codes, [format!("H003 t/handler.js:{place}")], "{text}");
    }
    let lines = javascript("let a;\nlet a;\nexport const execute = () => {};").lines();
    assert_eq!(
        lines,
        [
            "H003 t/handler.js:2:5: `a` is declared twice, first on line 1 | rename or remove one of the two"
        ]
    );
}

#[test]
fn names_that_may_be_declared_again_are_fine() {
    for text in [
        "var a; var a;",
        "let a; { let a; }",
        "let a; function f(a) { var a; function a() {} function a() {} }",
        "let a; (function a() { let a; }); (class a { a = 1; });",
        "for (let i = 0; i < 1; i++) {} for (let i of []) { let i; }",
        "try {} catch (e) { var e; { let e; } }",
        "if (1) { const a = 1; } else { const a = 2; }",
        "const o = { a(x) {}, b(x) {} }; class C { a(x) {} a(x) {} static { var y; } static { let y; } }",
        "const f = (a) => { { let a; } }; const g = (a, b = (a) => a) => a;",
    ] {
        let lines = javascript(&format!("{text}\nexport const execute = () => {{}};")).lines();
        assert_eq!(lines, [""; 0], "{text}");
    }
}

#[test]
fn modern_javascript_is_accepted() {
    let text = "#!/usr/bin/env node\nimport.meta;\nclass A { #x = 1; static { this.y = 2; } get z() { return this?.#x ?? 1n; } }\nconst r = /(?<year>\\d{4})/dgu;\nfor await (const x of []) {}\nlabel: for (;;) break label;\nexport const execute = async ({ args, ...rest }) => { await using; var using; };";
    assert_eq!(javascript(text).lines(), [""; 0]);
}

#[test]
fn the_language_follows_the_ending() {
    let outcome = compile(&[
        ("t/handler.js", "import './a.js'; import './b.mts'; export const execute = () => {};"),
        ("t/a.js", "let x: number;"),
        ("t/b.mts", "let x: number;"),
    ]);
    assert_eq!(outcome.codes(), ["H003 t/a.js:1:6"]);
}

/// Fills 1 MiB.
fn fill(piece: &str) -> String {
    piece.repeat((1 << 20) / piece.len())
}

fn nest(open: &str, middle: &str, close: &str) -> String {
    let count = ((1 << 20) - 10) / (open.len() + close.len());
    format!("{}{middle}{}", open.repeat(count), close.repeat(count))
}

/// Each must end with findings or without, never with a crash.
fn survives(name: &str, text: &str) {
    assert!(text.len() <= 1 << 20);
    let handler = |path: &str| compile(&[(path, text)]).found.len();
    assert!(handler("t/handler.js") > 0, "{name}");
    assert!(handler("t/handler.ts") > 0, "{name}");
}

#[test]
fn deep_brackets_do_not_overflow() {
    for open in ["(", "[", "{", "`${", "(a=", "class{a(){", "()=>{", "<a>("] {
        survives(open, &fill(open));
    }
    survives("()", &nest("(", "a", ")"));
    survives("[]", &nest("[", "", "]"));
    survives("function", &nest("function f(){", "", "}"));
}

#[test]
fn long_chains_do_not_overflow() {
    for piece in ["!", "a+", "a.", "a=", "a=>", "a?a:", "await ", "do ", "if(a);else ", "a<"] {
        let chain = piece.repeat(((1 << 20) - 2) / piece.len());
        survives(piece, &format!("{chain}a;"));
    }
    for piece in ["()", "!", "?.[0]", " as a"] {
        let chain = piece.repeat(((1 << 20) - 2) / piece.len());
        survives(piece, &format!("a{chain};"));
    }
}

#[test]
fn brackets_that_are_not_counted_do_not_overflow() {
    survives("a bracket in a regular expression", &"(/)/,".repeat(150_000));
    survives("strings in regular expressions", &"[/'/,/'/,".repeat(80_000));
}

#[test]
fn deep_types_do_not_overflow() {
    for piece in ["(", "[", "{a:", "a<", "keyof ", "()=>", "a extends a?a:", "a|", "a."] {
        let chain = piece.repeat(((1 << 20) - 16) / piece.len());
        survives(piece, &format!("type T={chain}a;"));
    }
    survives("[]", &format!("type T=a{};", "[]".repeat((1 << 19) - 8)));
}

#[test]
fn nesting_just_below_the_limit_fits_what_is_estimated() {
    for (open, middle, close) in [
        ("(", "a", ")"),
        ("[", "", "]"),
        ("{", "", "}"),
        ("a={a:", "1", "}"),
        ("(a=", "a", ")=>1"),
        ("`${", "a", "}`"),
        ("f(", "a", ")"),
        ("f?.(", "a", ")"),
        ("x=>{", "", "}"),
        ("function f(a){", "", "}"),
        ("(function(){", "", "})"),
        ("(class{a(){", "", "}})"),
        ("class A extends f(", "", "){}"),
        ("if(a){", "", "}"),
        ("switch(a){case a:", "", "}"),
        ("try{", "", "}catch{}"),
        ("for(;;){", "", "}"),
        ("new A(", "", ")"),
        ("[...", "a", "]"),
        ("async()=>{(", "a", ")}"),
    ] {
        let opened = open.matches(['(', '[', '{']).count() - open.matches([')', ']', '}']).count();
        let count = 990 / opened;
        let text = format!("{}{middle}{}", open.repeat(count), close.repeat(count));
        let text = format!("export const execute=()=>{{}};\n{text}");
        let outcome = javascript(&text);
        assert!(
            !outcome.lines().iter().any(|l| l.contains("expected")),
            "{open} {:?}",
            outcome.lines()
        );
        assert_eq!(outcome.found.len(), typescript(&text).found.len(), "{open}");
    }
}

#[test]
fn deep_nesting_is_called_by_its_name() {
    assert_eq!(
        javascript(&"(".repeat(100_000)).lines(),
        [
            "H003 t/handler.js:1:1001: code is nested too deeply to be parsed safely | flatten it, or split it into several modules"
        ]
    );
}

#[test]
fn long_chains_of_operators_are_fine() {
    let sum = vec!["'a'"; 5000].join(" +\n");
    let text = format!("const x = {sum};\nexport const execute = () => x;");
    assert_eq!(javascript(&text).lines(), [""; 0]);
    assert_eq!(typescript(&text).lines(), [""; 0]);
}
