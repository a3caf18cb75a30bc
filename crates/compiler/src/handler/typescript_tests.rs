//! What is left of TypeScript.

use super::super::case::typescript;

#[test]
fn scratch() {
    for ts in [
        "let x: number = 1", "let x!: number", "function f<T>(this: T, a?: string, ...b: T[]): asserts a is string { return a as any }",
        "function f(this: T) {}", "const f = (a): \n string => a", "const f = async <\nT\n>(a: T) => a",
        "class A<T> extends B<T> implements C, D<E> { private readonly x: string = ''; static readonly y?: number; declare z: 1; abstract w: 2; [k: string]: any; constructor(a: string) { super() } public async *gen?(): X {} get v(): T { return 1 } override m(): void {} n(): void; n(a?): void {} }",
        "abstract class A { abstract m(): void; abstract x: 1; b }", "export default abstract class A {}", "export abstract class A {}",
        "import type A from './a.ts'\nimport { type B, c, type D } from './b.ts'\nimport x, { type E } from './e.ts'\nexport type { A }\nexport { c, type B }\nexport type * from './x.ts'",
        "interface A { a: string }\ntype B = A | 'é';\ndeclare const q: number\ndeclare global { }\nnamespace N { export type T = 1 }\nx",
        "const a = b as T\n(c)", "const a = b\ntype T = 1\n(c)", "x = 1\ninterface T {}\n[1].map(y)", "const a = b satisfies T as U\n`x`", "foo<T>(x)!.y![0]", "const f = foo<string>\n[1]",
        "class A { x = 1\n declare y: 2\n ['z'] = 3\n public *g() {} }", "class A { get: number\n foo() {} }",
        "let y = new Map<string, Array<number>>()", "let z = tag<T>`x`", "try {} catch (e: unknown) {}", "for (const x of y as T[]) {}", "export default interface A {}", "export default function f(): void;\nexport default function f() {}", "export function f(a: string): void\nexport function f(a: number): void\nexport function f(a: any) {}", "const {a, b}: {a: string} = c", "x = <T,>(y: T) => y", "a = (b as any) = c", "let u: A<B<C>>= 1", "type A = `x${string}y`\nlet b",
        "({ m<T>(x: T): void {}, get a(): string { return '' } })", "export declare const z: string", "export import type X = require('x')", "import type X = require('x')",
    ] {
        let mut found = Vec::new();
        let source = crate::source::Source::new("x.ts", ts);
        match super::erase(&source, &mut found) { Some(e) => println!("{ts}\n----\n{}\n======", e.code), None => println!("{ts}\n!!!! {:?}", found.iter().map(|f| f.message.clone()).collect::<Vec<_>>()) }
    }
    let _ = typescript("");
}
