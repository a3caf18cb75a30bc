//! Erased TypeScript: the same lines, the same columns, no types.

use std::io::Write;
use std::process::{Command, Stdio};

use super::super::case::typescript;
use super::*;

/// TypeScript and the JavaScript that is left, side by side.
const CASES: &[(&str, &str)] = &[
    // Annotations.
    ("let x: number = 1;", "let x         = 1;"),
    ("let x!: number;", "let x         ;"),
    ("const { a, b }: { a: A; b: B } = c;", "const { a, b }                 = c;"),
    ("let a: A, b = 1, c: C;", "let a   , b = 1, c   ;"),
    ("let u: A<B<C>>= 1;", "let u         = 1;"),
    ("try {} catch (e: unknown) {}", "try {} catch (e         ) {}"),
    ("for (const x of y as T[]) {}", "for (const x of y       ) {}"),
    ("let f: (a: string) => void = (a) => {};", "let f                      = (a) => {};"),
    // Functions.
    ("function f<T>(a: T, b?: B, ...c: C[]): D {}", "function f   (a   , b    , ...c     )    {}"),
    ("function f(this: T) {}", "function f(       ) {}"),
    ("function f(this: T, a) {}", "function f(         a) {}"),
    ("function f(a: A = b as A) {}", "function f(a    = b     ) {}"),
    ("function f(a): a is string {}", "function f(a)              {}"),
    ("function f(a): asserts a is B {}", "function f(a)                 {}"),
    (
        "function f(a: string): void\nfunction f(a: any) {}",
        "                           \nfunction f(a     ) {}",
    ),
    ("async function* f(): AsyncGenerator<T> {}", "async function* f()                    {}"),
    (
        "({ m<T>(x: T): void {}, get a(): A { return 1; } });",
        "({ m   (x   )       {}, get a()    { return 1; } });",
    ),
    // Arrows, and the line ends that may not stand before `=>` and `(`.
    ("const f = (a: A): B => a;", "const f = (a   )    => a;"),
    ("const f = (a?: A) => a;", "const f = (a    ) => a;"),
    ("const f = <T,>(a: T) => a;", "const f =     (a   ) => a;"),
    ("const f = async <T>(a: T): Promise<T> => a;", "const f = async    (a   )             => a;"),
    ("const f = (a):\n  B => a;", "const f = (a  \n  ) => a;"),
    ("const f = (a)\n  : B => a;", "const f = (a \n    ) => a;"),
    ("const f = (a): {\n  b: B\n} => a;", "const f = (a    \n      \n) => a;"),
    ("const f = (a): // b\n  'ü' => a;", "const f = (a       \n    ) => a;"),
    ("const f = async <\n  T,\n>(a: T) => a;", "const f = async (\n    \n  a   ) => a;"),
    (
        "function g() {\n  return <\n    T\n  >(a: T): a is\n    T => a;\n}",
        "function g() {\n  return (\n     \n    a          \n    ) => a;\n}",
    ),
    ("x ? (a): B => a : c;", "x ? (a)    => a : c;"),
    // Expressions.
    ("a as B;", "a     ;"),
    ("a as const;", "a         ;"),
    ("a satisfies B;", "a            ;"),
    ("a as B as C satisfies D;", "a                      ;"),
    ("a!.b!.c![0]!();", "a .b .c [0] ();"),
    ("a?.b!.c;", "a?.b .c;"),
    ("(a as B).c = d!;", "(a     ).c = d ;"),
    ("(a as any) = 1;", "(a       ) = 1;"),
    ("f<T>(a);", "f   (a);"),
    ("new Map<string, Array<number>>();", "new Map                       ();"),
    ("tag<T>`a${b as C}`;", "tag   `a${b     }`;"),
    ("const g = f<string>;", "const g = f        ;"),
    ("const g = f<\n  string\n>(a);", "const g = f \n        \n (a);"),
    ("(a + b as number) * c;", "(a + b          ) * c;"),
    ("a * b as number + c;", "a * b           + c;"),
    // Classes.
    (
        "class A<in T, out U> extends B<T> implements C, D<E> {}",
        "class A              extends B                       {}",
    ),
    (
        "abstract class A { abstract m(): void; abstract x: X; b; }",
        "         class A {                                    b; }",
    ),
    ("export default abstract class A {}", "export default          class A {}"),
    ("const A = class<T> implements B {};", "const A = class                 {};"),
    (
        "class A { private readonly x: X = 1; static readonly y?: Y; z!: Z; }",
        "class A {                  x    = 1; static          y    ; z    ; }",
    ),
    (
        "class A { declare x: X; [key: string]: any; static [k: number]: B; }",
        "class A {                                                          }",
    ),
    (
        "class A { public static async m?<T>(this: A): B {} }",
        "class A {        static async m    (       )    {} }",
    ),
    (
        "class A { protected get x(): X { return 1; } override set x(v: X) {} }",
        "class A {           get x()    { return 1; }          set x(v   ) {} }",
    ),
    ("class A { m(): void; m(a?: A): void {} }", "class A {            m(a    )       {} }"),
    (
        "class A { readonly; public; static; declare = 1; abstract() {} }",
        "class A { readonly; public; static; declare = 1; abstract() {} }",
    ),
    (
        "class A { readonly readonly: boolean = true; }",
        "class A {          readonly          = true; }",
    ),
    (
        "class A { private ['x']?: X; readonly #y: Y = 1; }",
        "class A {         ['x']    ;          #y    = 1; }",
    ),
    ("class A extends (B as any)<T> {}", "class A extends (B       )    {}"),
    (
        "class A { constructor(a: A); constructor(a: any) {} }",
        "class A {                    constructor(a     ) {} }",
    ),
    // Statements that go.
    ("interface A { a: string }", "                         "),
    ("type A = B | `x${string}`;", "                          "),
    ("declare const a: A;\nb;", "                   \nb;"),
    ("declare function f(): void;", "                           "),
    ("declare class A {}", "                  "),
    ("declare enum A { B }", "                    "),
    ("declare module 'a' { }", "                      "),
    ("declare global { interface A {} }", "                                 "),
    ("declare namespace N { const a: A; }", "                                   "),
    (
        "namespace N { export type A = 1; interface B {} namespace M {} }",
        "                                                                ",
    ),
    ("if (a) { type B = C; b; }", "if (a) {             b; }"),
    ("/** doc */ type A = 1; // end", "/** doc */             // end"),
    // Imports and exports.
    ("import type A from './a.ts';", "                            "),
    ("import type { A } from './a.ts';", "                                "),
    (
        "import { type A, b, type C as D } from 'aileron';",
        "import {         b,             } from 'aileron';",
    ),
    ("import a, { type B } from './a.ts';", "import a, {        } from './a.ts';"),
    ("import type A = require('a');", "                             "),
    ("export type A = 1;", "                  "),
    ("export interface A {}", "                     "),
    ("export declare const a: A;", "                          "),
    ("export type { A } from './a.ts';", "                                "),
    ("export type * from './a.ts';", "                            "),
    (
        "const a = 1; type B = 2; export { a, type B };",
        "const a = 1;             export { a,        };",
    ),
    ("export default interface A {}", "                             "),
    (
        "export default function f(): void;\nexport default function f() {}",
        "                                  \nexport default function f() {}",
    ),
    ("export const a: A = b as A;", "export const a    = b     ;"),
    ("export default a as A;", "export default a     ;"),
    // Where a semicolon must take the place of a type.
    ("const a = b as C\n(d)", "const a = b;    \n(d)"),
    ("const a = b satisfies C as D\n[d].e", "const a = b;                \n[d].e"),
    ("a as B\n`c`", "a;    \n`c`"),
    ("a\ntype B = 1\n(c)", "a\n;         \n(c)"),
    ("a\ninterface B {}\n/c/.test(d)", "a\n;             \n/c/.test(d)"),
    ("a\ntype B = 1\ntype C = 2\n+d", "a\n;         \n          \n+d"),
    ("a;\ntype B = 1\n(c)", "a;\n          \n(c)"),
    ("type B = 1\n(c)", "          \n(c)"),
    ("a as B\n+c", "a     \n+c"),
    ("a!\n(c)", "a \n(c)"),
    ("class A { x = 1\ndeclare y: Y\n['z'] = 2 }", "class A { x = 1\n;           \n['z'] = 2 }"),
    ("class A { x = 1\npublic *y() {} }", "class A { x = 1\n;      *y() {} }"),
    (
        "class A { x = 1\npublic readonly ['y'] = 2 }",
        "class A { x = 1\n;               ['y'] = 2 }",
    ),
    ("class A { static readonly ['x'] = 1 }", "class A { static          ['x'] = 1 }"),
    ("class A { public static async *x() {} }", "class A {        static async *x() {} }"),
    ("class A { static override *x() {} }", "class A { static          *x() {} }"),
    ("class A { x = y as Y\n['z'] = 2 }", "class A { x = y;    \n['z'] = 2 }"),
    ("class A { get: number\nx() {} }", "class A { get;       \nx() {} }"),
    ("class A { static?: number\nx() {} }", "class A { static;        \nx() {} }"),
    ("class A { get: number; x() {} }", "class A { get        ; x() {} }"),
    // Characters of several bytes.
    ("let ä: 'ö€😀' = 1; ü;", "let ä        = 1; ü;"),
    ("type A = '😀';\tb;", "             \tb;"),
];

fn erased(text: &str) -> Result<Erasure, Vec<String>> {
    let mut found = Vec::new();
    let source = Source::new("a.ts", text);
    let erasure = erase(&source, &mut found);
    erasure.ok_or_else(|| found.iter().map(|finding| finding.message.clone()).collect())
}

#[test]
fn types_are_blanked() {
    for (ts, js) in CASES {
        assert_eq!(erased(ts).map(|erasure| erasure.code), Ok((*js).to_owned()), "{ts}");
    }
}

#[test]
fn lines_and_columns_stay() {
    for (ts, js) in CASES {
        let shape = |text: &str| text.lines().map(|l| l.chars().count()).collect::<Vec<_>>();
        assert_eq!(shape(ts), shape(js), "{ts}");
    }
}

#[test]
fn what_is_left_is_javascript() {
    for (ts, _) in CASES {
        let found = typescript(ts).found;
        let broken = found.iter().find(|f| f.message.contains("does not parse"));
        assert!(broken.is_none(), "{ts}: {broken:?}");
    }
}

#[test]
fn every_beginning_of_a_module_is_survived() {
    let shape = |text: &str| text.lines().map(|l| l.chars().count()).collect::<Vec<_>>();
    for (ts, _) in CASES {
        for (end, _) in ts.char_indices() {
            if let Ok(erasure) = erased(&ts[..end]) {
                assert_eq!(shape(&erasure.code), shape(&ts[..end]), "{}", &ts[..end]);
            }
            let lines = typescript(&ts[..end]).lines();
            assert!(!lines.iter().any(|line| line.contains("gave up")), "{lines:?}");
        }
    }
}

/// Reads a list of modules and says which of them do not parse.
const NODE: &str = "
const { SourceTextModule } = require('node:vm');
const cases = JSON.parse(require('node:fs').readFileSync(0, 'utf8'));
for (const [index, text] of cases.entries()) {
  try { new SourceTextModule(text) } catch (error) { console.log(index + ': ' + error.message) }
}";

#[test]
fn node_agrees_that_it_is_javascript() {
    let codes: Vec<_> = CASES.iter().map(|(_, js)| *js).collect();
    let node = Command::new("node")
        .args(["--no-warnings", "--experimental-vm-modules", "-e", NODE])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn();
    let Ok(mut node) = node else {
        return assert!(writeln!(std::io::stderr(), "skipped: there is no `node` here").is_ok());
    };
    let text = serde_json::to_string(&codes).unwrap_or_default();
    let written = node.stdin.take().map(|mut stdin| stdin.write_all(text.as_bytes()));
    assert!(matches!(written, Some(Ok(()))));
    let output = node.wait_with_output();
    let said = output.map(|output| String::from_utf8_lossy(&output.stdout).into_owned());
    assert_eq!(said.unwrap_or_default(), "");
}

#[test]
fn places_lead_back_to_the_source() {
    let text = "type A = 'ä€😀'; let b: 'ö' = c;";
    let Ok(erasure) = erased(text) else { return assert_eq!(text, "erased") };
    for name in ["b", "c", "let"] {
        let at = erasure.code.find(name).unwrap_or_default();
        let place = erasure.offsets.original(at..at + name.len());
        assert_eq!(&text[place], name);
    }
}

#[test]
fn what_stands_for_code_is_refused() {
    for (text, place, what) in [
        ("enum A { B }", 0..12, "an `enum`"),
        ("export const enum A { B }", 7..25, "an `enum`"),
        ("namespace N { export const a = 1; }", 0..35, "a `namespace` with values"),
        ("namespace N.M { a(); }", 0..22, "a `namespace` with values"),
        ("class A { constructor(private a: A) {} }", 22..34, "a parameter property"),
        ("class A { constructor(readonly a) {} }", 22..32, "a parameter property"),
        ("import a = require('a');", 0..24, "`import ... =`"),
        ("import a = B.C;", 0..15, "`import ... =`"),
        ("export = a;", 0..11, "`export =`"),
        ("@a class B {}", 0..2, "a decorator"),
        ("class A { @b c; }", 10..12, "a decorator"),
        ("const a = <B>c;", 10..14, "a cast `<T>value`"),
        ("a ** b as any ** c;", 0..13, "a type assertion between two `**`"),
    ] {
        let findings = typescript(text).found;
        let finding = findings.iter().find(|finding| finding.rule.code == "AIL-H007");
        let said = finding.map(|finding| finding.message.as_str()).unwrap_or_default();
        assert_eq!(
            said,
            format!("expected TypeScript whose types can be erased, found {what}"),
            "{text}"
        );
        assert_eq!(finding.and_then(|finding| finding.span.clone()), Some(place), "{text}");
    }
}

#[test]
fn every_refusal_is_reported_with_a_way_out() {
    let text = "enum A {}\nexport function execute(a) { return <B>a; }\nenum C {}";
    assert_eq!(
        typescript(text).lines(),
        [
            "H007 t/handler.ts:1:1: expected TypeScript whose types can be erased, found an `enum` | write `const Name = { A: 'a', B: 'b' } as const` in its place",
            "H007 t/handler.ts:2:37: expected TypeScript whose types can be erased, found a cast `<T>value` | write `value as T`",
            "H007 t/handler.ts:3:1: expected TypeScript whose types can be erased, found an `enum` | write `const Name = { A: 'a', B: 'b' } as const` in its place",
        ]
    );
}

#[test]
fn imports_and_exports_below_the_top_level_are_not_erased() {
    for text in ["if (a) import type B from './b.ts'\nc();", "{ export type B = 1; }"] {
        let findings = typescript(text).found;
        assert!(findings.iter().any(|finding| finding.rule.code != "AIL-H004"), "{text}");
    }
}

#[test]
fn code_that_would_be_broken_is_not_carried() {
    let outcome = typescript("export const execute = () => a ?? b as any || c;\nlet a, b, c;");
    assert_eq!(outcome.codes().len(), 1, "{:?}", outcome.lines());
    assert!(outcome.codes()[0].starts_with("H00"), "{:?}", outcome.lines());
    assert!(outcome.handler.is_none());
}
