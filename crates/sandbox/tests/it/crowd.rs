//! Many calls at a time.

use std::sync::Arc;

use aileron_sandbox::SandboxCall;
use serde_json::json;

use crate::sandbox::{Bench, handler, load, over_both, plain_call};
use crate::world::World;

over_both!(many_calls_do_not_mix);

fn many_calls_do_not_mix(bench: &Bench) {
    let engine = bench.engine();
    let script = load(
        &engine,
        &handler(
            "globalThis.own = args.n; await context.kb.later();
        const [n] = await context.kb.echo(globalThis.own); return [args.n, n, globalThis.own];",
        ),
    )
    .unwrap();
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .worker_threads(2)
        .enable_time()
        .build()
        .unwrap();
    runtime.block_on(async {
        let calls = (0..64).map(|n| {
            let (engine, script) = (engine.clone(), script.clone());
            let call =
                SandboxCall { args: json!({ "n": n }), ..plain_call(&Arc::new(World::default())) };
            tokio::spawn(async move { (n, engine.call(&script, call).await) })
        });
        for call in calls.collect::<Vec<_>>() {
            let (n, outcome) = call.await.unwrap();
            assert_eq!(outcome, Ok(json!([n, n, n])));
        }
    });
}
