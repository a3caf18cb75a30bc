//! Memory that runs out at any point ends the call, never the process.

use aileron_capability::foreign::HandlerFault;
use std::sync::Arc;
use std::time::Duration;

use aileron_sandbox::SandboxCall;
use serde_json::json;

use crate::sandbox::{Bench, call, handler, load, over_both, plain_call};
use crate::world::World;

over_both!(memory_may_run_out_anywhere, caught_exhaustion_may_go_on, arguments_may_be_too_large,);

/// Grow until nothing is left, each by another part of the engine.
const GREEDY: [&str; 16] = [
    "const o = {}; for (let i = 0; ; i++) o['k' + i] = {};",
    "const a = []; while (true) a.push({ x: 1, y: [a] });",
    "const a = []; while (true) a.push('x' + a.length);",
    "const a = []; while (true) a.push(class A { #p = 1; static s = {}; get x() { return this.#p; } });",
    "const m = new Map(); for (let i = 0; ; i++) m.set({ i }, i);",
    "const a = []; while (true) a.push(JSON.parse('{\"a\":[1,2,{\"b\":3}]}'));",
    "const a = []; while (true) a.push(JSON.stringify({ a: a.length, b: [1, 2, 3] }));",
    "const a = []; while (true) a.push(/(a+)(?<n>b)/u.exec('aaab'));",
    "const a = []; while (true) a.push(new RegExp('a' + a.length));",
    "const a = []; while (true) a.push(new Error('x' + a.length));",
    "const a = []; while (true) a.push(Promise.all([1, Promise.resolve(a)]));",
    "const a = []; while (true) a.push(context.kb.never(a.length));",
    "const a = []; while (true) a.push(await context.kb.echo({ n: a.length, text: 'x'.repeat(1000) }));",
    "const a = []; while (true) a.push(Object.fromEntries([['a', 1], ['b' + a.length, {}]]));",
    "const a = []; while (true) a.push([1, [2, [a.length]]].flat(2).concat(['x', 'y']).sort().join('-'));",
    "const a = []; while (true) { try { null.x; } catch (e) { a.push(e.stack, e); } }",
];

fn tight(bench: &Bench, memory_bytes: usize) -> Bench {
    bench.limited(|limits| {
        limits.memory_bytes = memory_bytes;
        limits.cpu = Duration::from_secs(20);
        limits.host_calls = 1_000_000;
    })
}

fn memory_may_run_out_anywhere(bench: &Bench) {
    for step in 0..6 {
        let engine = tight(bench, (1 << 20) + step * 50_021).engine();
        for body in GREEDY {
            let script = load(&engine, &handler(body)).unwrap();
            let outcome = call(&engine, &script, plain_call(&Arc::new(World::default())));
            assert_eq!(outcome, Err(HandlerFault::OutOfMemory), "{body}");
        }
    }
}

fn caught_exhaustion_may_go_on(bench: &Bench) {
    for step in 0..4 {
        let engine = tight(bench, (1 << 20) + step * 70_001).engine();
        for body in GREEDY {
            let again = format!(
                "for (let n = 0; n < 5; n++) {{ try {{ {body} }} catch {{}} }} return 'alive';"
            );
            let script = load(&engine, &handler(&again)).unwrap();
            let outcome = call(&engine, &script, plain_call(&Arc::new(World::default())));
            assert!(
                matches!(outcome, Ok(_) | Err(HandlerFault::OutOfMemory)),
                "{body}: {outcome:?}"
            );
        }
    }
}

fn arguments_may_be_too_large(bench: &Bench) {
    let engine = tight(bench, 2 << 20).engine();
    let script = load(&engine, &handler("return 1;")).unwrap();
    let args = json!({ "text": "x".repeat(5_000_000) });
    let outcome =
        call(&engine, &script, SandboxCall { args, ..plain_call(&Arc::new(World::default())) });
    assert_eq!(outcome, Err(HandlerFault::OutOfMemory));
    assert_eq!(call(&engine, &script, plain_call(&Arc::new(World::default()))), Ok(json!(1)));
}
