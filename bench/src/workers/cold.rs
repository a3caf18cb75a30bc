//! Cold starts of worker processes, and their memory when they have nothing to do.

use std::fs;
use std::time::{Duration, Instant};

use serde_json::json;
use tokio::runtime::Runtime;

use super::{ASYNC_PYTHON, NODE, loaded};
use crate::artifact::{self, Code};
use crate::pipeline::spec;
use crate::print;

/// How often each size is loaded; the median counts.
const RUNS: usize = 5;

pub(super) fn run(runtime: &Runtime) -> Result<(), String> {
    print("\n| toolset | from nothing to ready, ms | memory of the idle process, MB |");
    print("|---|---|---|");
    for (name, code, count) in [
        ("1 Node.js handler", Code::Node(NODE), 1),
        ("100 Node.js handlers", Code::Node(NODE), 100),
        ("1 Python handler", Code::Python(ASYNC_PYTHON), 1),
        ("100 Python handlers", Code::Python(ASYNC_PYTHON), 100),
    ] {
        let text = toolset(code, count)?;
        let mut runs = Vec::new();
        for _ in 0..RUNS {
            runs.push(once(runtime, &text)?);
        }
        runs.sort_by(|a, b| a.0.total_cmp(&b.0));
        let (ms, mb) = runs[RUNS / 2];
        print(&format!("| {name} | {ms:.0} | {mb:.0} |"));
    }
    Ok(())
}

fn toolset(code: Code, count: usize) -> Result<String, String> {
    let tools: Result<Vec<_>, String> = (0..count)
        .map(|number| Ok((spec(&format!("search_{number:03}"), json!({}))?, code)))
        .collect();
    artifact::text(&tools?)
}

/// The time until all handlers are loaded, and the memory of the processes a moment later, when they are idle.
fn once(runtime: &Runtime, text: &str) -> Result<(f64, f64), String> {
    let began = Instant::now();
    let registry = runtime.block_on(loaded(text.to_owned()))?;
    let ms = began.elapsed().as_secs_f64() * 1000.0;
    runtime.block_on(tokio::time::sleep(Duration::from_millis(300)));
    let mb = children_mb()?;
    drop(registry);
    runtime.block_on(tokio::time::sleep(Duration::from_millis(300)));
    Ok((ms, mb))
}

/// The memory of all processes that this one started, shared pages divided among their users.
fn children_mb() -> Result<f64, String> {
    let own = std::process::id().to_string();
    let entries = fs::read_dir("/proc").map_err(|error| error.to_string())?;
    let names = entries.filter_map(|entry| entry.ok()?.file_name().into_string().ok());
    let mut kilobytes = 0.0;
    for process in names.filter(|name| name.bytes().all(|byte| byte.is_ascii_digit())) {
        let stat = fs::read_to_string(format!("/proc/{process}/stat")).unwrap_or_default();
        let parent = stat.rsplit_once(')').and_then(|(_, rest)| rest.split_whitespace().nth(1));
        if parent == Some(&own) {
            let rollup = fs::read_to_string(format!("/proc/{process}/smaps_rollup"));
            let rollup = rollup.unwrap_or_default();
            let line = rollup.lines().find_map(|line| line.strip_prefix("Pss:"));
            let size =
                line.and_then(|line| line.trim().strip_suffix("kB")?.trim().parse::<f64>().ok());
            kilobytes += size.unwrap_or_default();
        }
    }
    Ok(kilobytes / 1024.0)
}
