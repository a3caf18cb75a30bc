//! Validation alone, compared with Ajv 8 in Node: the same schema and values, defaults filled, all
//! faults as text.

use std::hint::black_box;
use std::process::Command;
use std::time::Instant;

use aileron_capability::{Native, Natives, success};
use aileron_contract::Arguments;
use aileron_runtime::{Handlers, Registry, Tool};
use serde_json::{Map, Value, json};

use crate::artifact::{self, Code};
use crate::compile::{install_node, node_folder};
use crate::print;

const SEARCH: &str = include_str!("../../tools/kb-search/schema.json");
const BATCH: u32 = 10;
const BATCHES: u32 = 20_000;
const RUNS: usize = 5;

pub(crate) fn run() -> Result<(), String> {
    install_node()?;
    let schema: Value = serde_json::from_str(SEARCH).map_err(|error| error.to_string())?;
    let registry = registry(schema.clone())?;
    let tool = registry.tool("kb_search").ok_or("the tool is gone")?;
    let theirs = ajv(&schema["parameters"])?;
    print("| value | aileron ns | Ajv 8 ns | times as fast |");
    print("|---|---|---|---|");
    for (name, value) in &values() {
        let ours = nanoseconds(tool, value);
        let theirs = theirs[name].as_f64().ok_or("Ajv measured nothing")?;
        print(&format!("| {name} | {ours:.0} | {theirs:.0} | {:.1} |", theirs / ours));
    }
    Ok(())
}

fn values() -> Map<String, Value> {
    let values = json!({
        "valid, small": { "query": "lighting lead" },
        "valid, full": {
            "query": "lighting lead", "namespace": "studio", "top_k": 3, "include_snippets": true,
            "filters": {
                "type": "person", "tags": ["team", "lighting"],
                "date_range": { "start": "2026-01-01T00:00:00Z", "end": "2026-02-01T00:00:00Z" }
            },
            "return_fields": ["snippet", "url"]
        },
        "invalid, two faults": { "query": "", "top_k": 11 },
        "invalid, nine faults": {
            "query": 7, "namespace": "elsewhere", "top_k": 2.5, "include_snippets": "yes",
            "filters": { "type": "cat", "tags": ["", 5], "date_range": { "start": "yesterday" } },
            "return_fields": ["nothing"], "extra": 1
        },
    });
    values.as_object().cloned().unwrap_or_default()
}

/// The time of one validation, without creating the value or freeing the result: in Node the
/// garbage collector does the latter.
fn nanoseconds(tool: &Tool, value: &Value) -> f64 {
    let whole = best(value, |value| tool.prepare(Arguments::Value(value)));
    let passing_on = best(value, |value| value);
    whole - passing_on
}

/// Values are created in small batches before the clock starts: reading a value that is not in the
/// cache yet costs time that a real call does not take.
fn best<T>(value: &Value, work: impl Fn(Value) -> T) -> f64 {
    let batch = || {
        let values: Vec<_> = (0..BATCH).map(|_| value.clone()).collect();
        let mut outcomes = Vec::with_capacity(values.len());
        let began = Instant::now();
        for value in values {
            outcomes.push(black_box(work(black_box(value))));
        }
        began.elapsed().as_nanos() as f64
    };
    let run = || (0..BATCHES).map(|_| batch()).sum::<f64>() / f64::from(BATCH * BATCHES);
    (0..RUNS).map(|_| run()).fold(f64::INFINITY, f64::min)
}

fn registry(spec: Value) -> Result<std::sync::Arc<Registry>, String> {
    let mut spec = spec;
    spec.as_object_mut().map(|fields| fields.remove("$schema"));
    let text = artifact::text(&[(spec, Code::Native)])?;
    let natives = Natives::new([Native {
        tool: "kb_search",
        hash: artifact::NATIVE_HASH,
        run: |args, _| Box::pin(async move { success(std::sync::Arc::unwrap_or_clone(args)) }),
    }]);
    Registry::load(&text, &Handlers { natives, ..Handlers::default() })
        .map_err(|error| error.to_string())
}

fn ajv(schema: &Value) -> Result<Value, String> {
    let folder = tempfile::tempdir().map_err(|error| error.to_string())?;
    let file = folder.path().join("values.json");
    let text = json!({ "schema": schema, "values": values() }).to_string();
    std::fs::write(&file, text).map_err(|error| error.to_string())?;
    let output = Command::new("node")
        .arg(node_folder().join("validate.mjs"))
        .arg(&file)
        .output()
        .map_err(|error| format!("node could not be started: {error}"))?;
    let failure = || String::from_utf8_lossy(&output.stderr).into_owned();
    serde_json::from_slice(&output.stdout).map_err(|_| failure())
}
