//! Nothing passes from one call to the next, and nothing leads out of the sandbox.

use std::sync::Arc;

use serde_json::json;

use crate::sandbox::{Bench, call, handler, load, over_both, plain_call};
use crate::world::World;

over_both!(
    each_call_begins_afresh,
    broken_builtins_stay_with_the_call_that_broke_them,
    tampering_cannot_reach_what_is_not_declared,
    code_in_strings_is_not_run,
    there_is_no_way_out,
    the_sandbox_cannot_be_imported,
    globals_of_browsers_and_node_are_not_there,
);

fn each_call_begins_afresh(bench: &Bench) {
    let engine = bench.engine();
    let source = "let count = 0; const seen = []; globalThis.total ??= 0;
        export function execute() {
            count += 1; seen.push(count); globalThis.total += 1; Object.prototype.stain ??= 0; Object.prototype.stain += 1;
            Array.prototype.stain = 'x'; execute.calls = (execute.calls ?? 0) + 1;
            return [count, seen.length, globalThis.total, ({}).stain, execute.calls];
        }";
    let script = load(&engine, source).unwrap();
    for _ in 0..6 {
        let outcome = call(&engine, &script, plain_call(&Arc::new(World::default())));
        assert_eq!(outcome, Ok(json!([1, 1, 1, 1, 1])));
    }
}

fn broken_builtins_stay_with_the_call_that_broke_them(bench: &Bench) {
    let engine = bench.engine();
    let world = Arc::new(World::default());
    let script = load(&engine, &handler(
        "if (args.break) {
            JSON.stringify = () => '\"forged\"'; JSON.parse = () => 'forged';
            Promise.prototype.then = () => {}; Array.prototype.map = () => []; Reflect.get = () => 'forged';
            Function.prototype.call = () => {}; String.prototype.slice = () => 'forged';
            Object.prototype.toJSON = undefined; Array.prototype[Symbol.iterator] = function* () {};
            Object.defineProperty(Object.prototype, 'get', { get() { return () => 1; } });
        }
        return await context.kb.echo('kept');")).unwrap();
    for breaks in [true, false, true, false] {
        let args = json!({ "break": breaks });
        let outcome =
            call(&engine, &script, aileron_sandbox::SandboxCall { args, ..plain_call(&world) });
        assert_eq!(outcome, Ok(json!(["kept"])), "{breaks}");
    }
}

/// A handler may take the sandbox's own functions apart; the host still serves only declared
/// capabilities.
fn tampering_cannot_reach_what_is_not_declared(bench: &Bench) {
    let engine = bench.engine();
    let source = "
        Array.prototype[Symbol.iterator] = function* () {
            for (let i = 0; i < this.length; i++) {
                const entry = this[i];
                if (entry?.name === 'kb') entry.methods = ['echo', 'remove'], entry.sync = ['wipe'];
                yield entry;
            }
        };
        export async function execute({ context }) {
            const names = [];
            try { await context.kb.remove(); } catch (e) { names.push(e.name); }
            try { context.kb.wipe(); } catch (e) { names.push(e.name); }
            return names;
        }";
    let script = load(&engine, source).unwrap();
    let world = Arc::new(World::default());
    let outcome = call(&engine, &script, plain_call(&world));
    assert_eq!(outcome, Ok(json!(["TypeError", "TypeError"])));
    assert_eq!(world.seen(), Vec::<String>::new());
}

fn code_in_strings_is_not_run(bench: &Bench) {
    let body = "const ways = [
            () => eval('1'), () => (0, eval)('1'), () => new Function('return 1')(), () => Function('return 1')(),
            () => (() => {}).constructor('return 1')(), () => (async () => {}).constructor('return 1')(),
            () => (function* () {}).constructor('yield 1')(), () => (async function* () {}).constructor('yield 1')(),
            () => Reflect.construct(Function, ['return 1'])(), () => class extends Function {}.constructor('1'),
            () => Object.getPrototypeOf((async () => {}).constructor)('return 1')(),
            () => new (class extends Function {})('return 1')(),
        ];
        return ways.map((way) => { try { return String(way()); } catch (e) { return e.name; } });";
    let outcome = bench.run(body).unwrap();
    for (index, found) in outcome.as_array().unwrap().iter().enumerate() {
        let refused = ["EvalError", "TypeError"].contains(&found.as_str().unwrap());
        assert!(refused, "way {index}: {found}");
    }
    assert_eq!(bench.run("return (() => 1) instanceof Function;"), Ok(json!(true)));
}

fn there_is_no_way_out(bench: &Bench) {
    let names = "require process std os module exports fetch XMLHttpRequest WebSocket Worker setTimeout setInterval
        setImmediate Deno Bun global window self Atomics SharedArrayBuffer WeakRef FinalizationRegistry performance
        print load gc scriptArgs bjson Intl WebAssembly navigator native";
    let names: Vec<_> = names.split_whitespace().collect();
    let body = format!("return {}.filter((name) => name in globalThis);", json!(names));
    assert_eq!(bench.run(&body), Ok(json!([])));
}

fn the_sandbox_cannot_be_imported(bench: &Bench) {
    let body = "const found = [];
        for (const name of ['<guard>', '<bridge>', '<root>', 'std', 'os', './none.js', '../../../etc/passwd', '']) {
            try { await import(name); found.push(name); } catch {}
        }
        return found;";
    assert_eq!(bench.run(body), Ok(json!([])));
}

/// The names that the compiler reports as AIL-H015.
const MISSING: &[&str] = &[
    "fetch",
    "XMLHttpRequest",
    "WebSocket",
    "EventSource",
    "Request",
    "Response",
    "Headers",
    "FormData",
    "setTimeout",
    "setInterval",
    "setImmediate",
    "clearTimeout",
    "clearInterval",
    "clearImmediate",
    "requestAnimationFrame",
    "process",
    "Deno",
    "Bun",
    "require",
    "module",
    "exports",
    "__dirname",
    "__filename",
    "Buffer",
    "atob",
    "btoa",
    "TextEncoder",
    "TextDecoder",
    "URL",
    "URLSearchParams",
    "crypto",
    "Intl",
    "performance",
    "structuredClone",
    "AbortController",
    "AbortSignal",
    "window",
    "self",
    "global",
    "document",
    "navigator",
    "location",
    "localStorage",
    "sessionStorage",
    "alert",
    "Worker",
    "SharedArrayBuffer",
    "Atomics",
    "WeakRef",
    "FinalizationRegistry",
    "Blob",
    "File",
    "ReadableStream",
    "WebAssembly",
    "Performance",
    "DOMException",
    "Temporal",
    "gc",
    "print",
    "std",
    "os",
    "scriptArgs",
];

fn globals_of_browsers_and_node_are_not_there(bench: &Bench) {
    let body = format!("return {}.filter((name) => name in globalThis);", json!(MISSING));
    assert_eq!(bench.run(&body), Ok(json!([])));
}
