//! Node.js and Python handlers that await one capability: calls through the whole pipeline beside a
//! micro-service with the same handler, cold starts, and the memory of idle processes.

mod cold;
mod service;

use std::sync::Arc;
use std::time::{Duration, Instant};

use aileron_runtime::{Handlers, Registry};
use aileron_store::MemoryStore;
use aileron_workers::{WorkerOptions, Workers};
use serde_json::json;

use crate::artifact::{self, Code};
use crate::pipeline::{Turn, many_threads, open, orchestrator, spec};
use crate::print;
use crate::process::Child;
use crate::samples::Samples;

const SPAN: Duration = Duration::from_secs(4);

/// Calls before the measurement, so that just-in-time compilers have done their work.
const WARM_UP: usize = 2000;

/// The pause between two calls, so that each finds its process asleep, as in a conversation.
const PAUSE: Duration = Duration::from_millis(1);

const NODE: &str = "
export async function execute({ args, context }) {
  const hits = await context.kb.search({ query: args.query, namespace: args.namespace, topK: args.top_k });
  return { ok: true, data: { hits, total: args.top_k } };
}
";

const PYTHON: &str = r#"
def execute(args, context):
    hits = context.kb.search(query=args["query"], namespace=args["namespace"], topK=args["top_k"])
    return {"ok": True, "data": {"hits": hits, "total": args["top_k"]}}
"#;

const ASYNC_PYTHON: &str = r#"
async def execute(args, context):
    hits = await context.kb.search(query=args["query"], namespace=args["namespace"], topK=args["top_k"])
    return {"ok": True, "data": {"hits": hits, "total": args["top_k"]}}
"#;

pub(crate) fn run() -> Result<(), String> {
    let runtime = many_threads()?;
    runtime.block_on(calls())?;
    cold::run(&runtime)
}

async fn calls() -> Result<(), String> {
    let host = service::host().await?.to_string();
    let node = Child::script("node", "node/service.mjs", &[&host])?;
    let node = service::measured(&node).await?;
    let python = Child::script("python3", "python/service.py", &[&host])?;
    let python = service::measured(&python).await?;
    print("| handler | p50 µs | p99 µs | micro-service p50 µs | p99 µs | times as fast |");
    print("|---|---|---|---|---|---|");
    for (name, code, beside) in [
        ("Node.js", Code::Node(NODE), &node),
        ("Python, plain function", Code::Python(PYTHON), &python),
        ("Python, coroutine", Code::Python(ASYNC_PYTHON), &python),
    ] {
        let ours = measured(code).await?;
        print(&format!(
            "| {name} | {:.0} | {:.0} | {:.0} | {:.0} | {:.1} |",
            ours.p50_us(),
            ours.p99_us(),
            beside.p50_us(),
            beside.p99_us(),
            beside.p50_us() / ours.p50_us(),
        ));
    }
    Ok(())
}

/// A call from JSON text to JSON text, with all policies.
async fn measured(code: Code) -> Result<Samples, String> {
    let text = artifact::text(&[(spec("search_one", json!({}))?, code)])?;
    let orchestrator = orchestrator(Arc::new(MemoryStore::new()));
    orchestrator.install(loaded(text).await?).map_err(|error| error.to_string())?;
    let conversation = open(&orchestrator, 0).await?;
    let mut turn = Turn::new("search_one", 1);
    for _ in 0..WARM_UP {
        turn.run(&conversation).await?;
    }
    let mut samples = Samples::default();
    let until = Instant::now() + SPAN;
    while Instant::now() < until {
        let began = Instant::now();
        turn.run(&conversation).await?;
        samples.push(began.elapsed());
        tokio::time::sleep(PAUSE).await;
    }
    Ok(samples)
}

/// Loads a registry with an engine of its own. Loading blocks its thread.
async fn loaded(text: String) -> Result<Arc<Registry>, String> {
    let load = move || Registry::load(&text, &handlers()).map_err(|error| error.to_string());
    tokio::task::spawn_blocking(load).await.map_err(|error| error.to_string())?
}

fn handlers() -> Handlers {
    let workers = Workers::new(WorkerOptions::new("/nonexistent/tools".into()));
    Handlers { workers: Some(Arc::new(workers)), ..Handlers::default() }
}
