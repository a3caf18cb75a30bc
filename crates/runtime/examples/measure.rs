//! Measures the sandbox: time per call, isolated, with one awaited capability, and memory over many calls.
//!
//! `cargo run --release -p aileron-runtime --example measure`, with `-- process` for worker processes.
#![allow(clippy::unwrap_used, clippy::print_stdout)]

use std::collections::BTreeMap;
use std::future::ready;
use std::sync::Arc;
use std::time::{Duration, Instant};

use aileron_runtime::js::{
    Call, CapabilityShape, Engine, Host, HostFault, Isolation, LogLevel, Options, Script,
};
use futures_util::future::BoxFuture;
use serde_json::{Value, json};
use tokio_util::sync::CancellationToken;

const HANDLER: &str = "
    import { ToolError } from 'aileron';
    export async function execute({ args, context }) {
        const hits = await context.kb.search({ query: args.query, topK: 3 });
        if (!hits) throw new ToolError('TRANSIENT', 'nothing');
        return { ok: true, data: { results: hits.map(({ id, score }) => ({ id, score })) } };
    }";

/// Answers at once, on the sandbox's own thread if it is prompt.
struct Immediate {
    prompt: bool,
}

impl Host for Immediate {
    fn call(
        &self,
        _: &str,
        _: &str,
        _: Vec<Value>,
    ) -> BoxFuture<'static, Result<Value, HostFault>> {
        Box::pin(ready(Ok(json!([{ "id": "a", "score": 0.5 }, { "id": "b", "score": 0.25 }]))))
    }

    fn is_prompt(&self, _: &str) -> bool {
        self.prompt
    }

    fn call_sync(&self, _: &str, _: &str, _: Vec<Value>) -> Result<Value, HostFault> {
        Ok(Value::Null)
    }

    fn now_ms(&self) -> u64 {
        0
    }

    fn log(&self, _: LogLevel, _: &str) {}

    fn progress(&self, _: Value) {}
}

fn call(prompt: bool) -> Call {
    Call {
        args: json!({ "query": "who wrote the first program" }),
        context: json!({ "mode": "text", "session": { "isActive": true }, "user": { "id": "u" } }),
        capabilities: vec![CapabilityShape {
            name: "kb".into(),
            methods: vec!["search".into(), "get".into()],
            sync: Vec::new(),
        }],
        host: Arc::new(Immediate { prompt }),
        deadline: Instant::now() + Duration::from_secs(10),
        cancel: CancellationToken::new(),
    }
}

fn resident_kib() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:")).unwrap_or_default();
    line.trim().trim_end_matches(" kB").parse().unwrap_or(0)
}

async fn one_by_one(engine: &Engine, script: &Script, prompt: bool, pause: Duration) {
    let count = 500;
    let mut times = Vec::with_capacity(count);
    for _ in 0..count {
        let call = call(prompt);
        let began = Instant::now();
        engine.call(script, call).await.unwrap();
        times.push(began.elapsed());
        if !pause.is_zero() {
            tokio::time::sleep(pause).await;
        }
    }
    times.sort_unstable();
    let at = |share: usize| times[(times.len() - 1) * share / 100].as_secs_f64() * 1e6;
    println!(
        "one by one, prompt {prompt}, pause {pause:?}: p50 {:.0} us, p90 {:.0} us, p99 {:.0} us",
        at(50),
        at(90),
        at(99)
    );
}

async fn side_by_side(engine: &Arc<Engine>, script: &Script, tasks: usize, each: usize) {
    let began = Instant::now();
    let running: Vec<_> = (0..tasks)
        .map(|_| {
            let (engine, script) = (engine.clone(), script.clone());
            tokio::spawn(async move {
                for _ in 0..each {
                    engine.call(&script, call(true)).await.unwrap();
                }
            })
        })
        .collect();
    for task in running {
        task.await.unwrap();
    }
    let calls = tasks * each;
    let took = began.elapsed();
    println!(
        "{calls} calls over {tasks} tasks: {took:.1?}, {:.0} calls/s, resident {} MiB",
        calls as f64 / took.as_secs_f64(),
        resident_kib() / 1024
    );
}

#[tokio::main(flavor = "multi_thread", worker_threads = 2)]
async fn main() {
    let isolation = match std::env::args().nth(1) {
        Some(worker) => Isolation::Process { command: vec![worker.into()] },
        None => Isolation::Thread,
    };
    println!("{isolation:?}");
    let engine = Arc::new(Engine::new(Options { isolation, ..Options::default() }).unwrap());
    let modules = BTreeMap::from([("kb/handler.js".to_owned(), HANDLER.to_owned())]);
    let began = Instant::now();
    let script = engine.load("kb_search", "kb/handler.js", &modules).unwrap();
    println!("load {:?}, resident {} MiB", began.elapsed(), resident_kib() / 1024);
    for pause in [Duration::ZERO, Duration::from_millis(3)] {
        one_by_one(&engine, &script, false, pause).await;
        one_by_one(&engine, &script, true, pause).await;
    }
    for _ in 0..4 {
        side_by_side(&engine, &script, 64, 2500 / 64).await;
    }
}
