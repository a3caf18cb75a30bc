//! Memory, processor time, stack and talk are bounded, and a call that goes too far hurts only itself.

use aileron_capability::foreign::HandlerFault;
use std::sync::Arc;
use std::time::Duration;

use serde_json::json;

use crate::sandbox::{Bench, call, handler, load, over_both, plain_call};
use crate::world::World;

over_both!(
    memory_is_bounded,
    memory_that_was_refused_may_be_done_without,
    an_oversized_reply_is_out_of_memory,
    processor_time_is_bounded,
    processor_time_adds_up_over_waits,
    the_stack_is_bounded,
    calls_of_capabilities_are_bounded,
    arguments_of_capabilities_are_bounded,
    talk_is_bounded,
);

/// Runs each body in one engine, and a harmless call after it.
fn each(bench: &Bench, bodies: &[&str], expected: &HandlerFault) {
    let engine = bench.engine();
    let world = Arc::new(World::default());
    let harmless = load(&engine, &handler("return 1;")).unwrap();
    for body in bodies {
        let script = load(&engine, &handler(body)).unwrap();
        let outcome = call(&engine, &script, plain_call(&world));
        assert_eq!(outcome.as_ref(), Err(expected), "{body}");
        assert!(script.quarantine().is_none(), "{body}");
        assert_eq!(call(&engine, &harmless, plain_call(&world)), Ok(json!(1)), "after {body}");
    }
}

fn memory_is_bounded(bench: &Bench) {
    let bench = bench.limited(|limits| limits.cpu = Duration::from_secs(20));
    let bodies = [
        "const a = []; while (true) a.push({ a });",
        "const a = []; while (true) a.push('x' + a.length);",
        "const a = []; while (true) a.push(new Uint8Array(100_000));",
        "const a = []; while (true) a.push(() => a);",
        "const o = {}; for (let i = 0; ; i++) o['k' + i] = {};",
        "const m = new Map(); for (let i = 0; ; i++) m.set({}, i);",
        "let s = 'ab'; while (true) s += s;",
        "let s = 'ab'; for (let i = 0; i < 24; i++) s += s; const a = []; while (true) a.push(s + a.length + s.slice(1));",
        "return new Uint8Array(1e9);",
        "return new ArrayBuffer(0, { maxByteLength: 1e9 }).resize(1e9);",
        "return 'a'.repeat(5e8);",
        "return Array(1e8).fill(1);",
        "const a = []; while (true) a.push(Promise.resolve(a).then(() => a));",
        "const a = []; while (true) a.push((async () => { await a; })());",
        "function* g() { yield g; } const a = []; while (true) { const i = g(); i.next(); a.push(i); }",
        "let n = 0; const grow = () => { n += 1; return Promise.all([grow2(), grow2()]); };
         const grow2 = async () => { await n; return grow(); }; await grow();",
    ];
    each(&bench, &bodies, &HandlerFault::OutOfMemory);
}

fn memory_that_was_refused_may_be_done_without(bench: &Bench) {
    let body = "let refused = 0;
        for (let i = 0; i < 20; i++) { try { new Uint8Array(1e9); } catch { refused += 1; } }
        const a = []; try { while (true) a.push(new Uint8Array(10_000)); } catch { a.length = 0; }
        return refused;";
    assert_eq!(bench.run(body), Ok(json!(20)));
}

fn an_oversized_reply_is_out_of_memory(bench: &Bench) {
    let bench = bench.limited(|limits| {
        limits.memory_bytes = 2 << 20;
        limits.result_bytes = 8 << 20;
    });
    let body = "const text = 'x'.repeat(700_000);
        return (await Promise.all([context.kb.echo(text), context.kb.echo(text)])).length;";
    assert_eq!(bench.run(body), Err(HandlerFault::OutOfMemory));
}

fn processor_time_is_bounded(bench: &Bench) {
    let bodies = [
        "while (true);",
        "for (;;) { try { while (true); } catch {} finally { continue; } }",
        "const spin = () => { Promise.resolve().then(spin); }; spin(); await new Promise(() => {});",
        "const spin = async () => { try { while (true); } catch {} return spin(); }; return spin();",
        "return /^(a+)+$/.test('a'.repeat(40) + '!');",
        "return /(?:a|aa)+$/.test('a'.repeat(60) + '!');",
        "return /(.*)*x/.test('a'.repeat(30));",
        "return { toJSON() { while (true); } };",
        "return new Proxy({}, { ownKeys() { while (true); } });",
        "throw { get name() { while (true); } };",
        "return { then() { while (true); } };",
        "[3, 1, 2].sort(() => { while (true); });",
        "new Array(4e9).forEach(() => 1);",
        "[].values().map((x) => x); for (const x of (function* () { while (true) yield 1; })());",
        "queueMicrotask(function again() { queueMicrotask(again); }); await new Promise(() => {});",
    ];
    each(bench, &bodies, &HandlerFault::CpuDeadline);
}

fn processor_time_adds_up_over_waits(bench: &Bench) {
    let body = "while (true) { for (let i = 0; i < 100_000; i++); await context.kb.echo(); }";
    let bench = bench.limited(|limits| limits.host_calls = 1_000_000);
    assert_eq!(bench.run(body), Err(HandlerFault::CpuDeadline));
}

fn the_stack_is_bounded(bench: &Bench) {
    let bench = bench.limited(|limits| limits.memory_bytes = 64 << 20);
    for body in [
        "(function f() { f(); })();",
        "(function f(n) { return [n].map(f); })(1);",
        "const o = { get a() { return this.a; } }; o.a;",
        "const o = { toString() { return String(this); } }; String(o);",
        "let a = []; for (let i = 0; i < 50_000; i++) a = [a]; JSON.stringify(a); a.flat(Infinity); String(a);",
        "JSON.parse('['.repeat(100_000));",
        "let p = {}; for (let i = 0; i < 50_000; i++) p = new Proxy(p, {}); p.x;",
        "new RegExp('(?:'.repeat(50_000) + ')'.repeat(50_000));",
        "(function f() { context.kb.size(); console.log('deep'); f(); })();",
        "async function f() { await f(); } await f();",
    ] {
        let outcome = bench.run(body);
        let expected = ["RangeError", "SyntaxError", "InternalError"];
        assert!(
            matches!(&outcome, Err(HandlerFault::Error { name, .. }) if expected.contains(&name.as_str())),
            "{body}: {outcome:?}"
        );
    }
    let contained = "try { (function f() { f(); })(); } catch (e) { return e.name; }";
    assert_eq!(bench.run(contained), Ok(json!("RangeError")));
}

fn calls_of_capabilities_are_bounded(bench: &Bench) {
    let body =
        "const all = await Promise.allSettled(Array.from({ length: 60 }, () => context.kb.echo()));
        const refused = all.filter(({ status }) => status === 'rejected');
        return [refused.length, refused[0].reason.code];";
    assert_eq!(bench.run(body), Ok(json!([10, "LIMIT"])));
}

fn arguments_of_capabilities_are_bounded(bench: &Bench) {
    let body = "const codes = [];
        const cycle = {}; cycle.cycle = cycle;
        let deep = []; for (let i = 0; i < 500; i++) deep = [deep];
        for (const value of ['x'.repeat(2_000_000), cycle, 10n, deep]) {
            try { await context.kb.echo(value); } catch (e) { codes.push(e.code ?? e.name); }
            try { context.kb.size(value); } catch (e) { codes.push(e.code ?? e.name); }
        }
        return codes;";
    let (outcome, seen) = bench.observe(json!({}), body);
    let expected = json!([
        "LIMIT",
        "LIMIT",
        "TypeError",
        "TypeError",
        "TypeError",
        "TypeError",
        "ARGUMENTS",
        "ARGUMENTS"
    ]);
    assert_eq!(outcome, Ok(expected));
    assert_eq!(seen, Vec::<String>::new());
}

fn talk_is_bounded(bench: &Bench) {
    let body =
        "for (let i = 0; i < 500; i++) console.log('0123456789'); context.progress({}); return 1;";
    let (outcome, seen) = bench.observe(json!({}), body);
    assert_eq!(outcome, Ok(json!(1)));
    assert_eq!(seen.len(), 100);
    let flood = "while (true) console.log('x'.repeat(1000));";
    assert_eq!(bench.run(flood), Err(HandlerFault::CpuDeadline));
}
