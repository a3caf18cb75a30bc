//! Builds toolsets of growing size, each in a separate process, compared with a Node builder.

use std::fs;
use std::path::Path;
use std::process::Command;
use std::time::Instant;

use aileron_compiler::{Options, compile_folder, emit};
use serde_json::{Value, json};

use crate::{generate, print, say};

/// How often each size is measured; the best counts.
const RUNS: usize = 3;

/// One measurement.
#[derive(Debug, Clone, Copy)]
struct Measure {
    ms: f64,
    peak_mb: f64,
}

pub(crate) fn run(sizes: &str) -> Result<(), String> {
    install_node()?;
    print("| tools | aileron ms | µs a tool | peak MB | Node ms | Node peak MB | times as fast |");
    print("|---|---|---|---|---|---|---|");
    for size in sizes.split(',') {
        let size: usize =
            size.parse().map_err(|_| format!("expected numbers such as 10,100, found {size:?}"))?;
        print(&row(size)?);
    }
    Ok(())
}

fn row(size: usize) -> Result<String, String> {
    let folder = tempfile::tempdir().map_err(|error| error.to_string())?;
    let tools = folder.path().join("tools");
    generate::toolset(&tools, size).map_err(|error| error.to_string())?;
    let out = folder.path().join("tool_registry.json");
    let ours = best(|| aileron(&tools, &out))?;
    let node = best(|| node(&tools, &out))?;
    let (per_tool, ratio) = (ours.ms * 1000.0 / size as f64, node.ms / ours.ms);
    Ok(format!(
        "| {size} | {:.1} | {per_tool:.0} | {:.0} | {:.1} | {:.0} | {ratio:.1} |",
        ours.ms, ours.peak_mb, node.ms, node.peak_mb
    ))
}

fn best(measure: impl Fn() -> Result<Measure, String>) -> Result<Measure, String> {
    let mut best: Option<Measure> = None;
    for _ in 0..RUNS {
        let next = measure()?;
        best = Some(best.filter(|best| best.ms <= next.ms).unwrap_or(next));
    }
    best.ok_or_else(|| "nothing was measured".to_owned())
}

fn aileron(tools: &Path, out: &Path) -> Result<Measure, String> {
    let program = std::env::current_exe().map_err(|error| error.to_string())?;
    measured(Command::new(program).arg("compile-once").arg(tools).arg(out))
}

fn node(tools: &Path, out: &Path) -> Result<Measure, String> {
    measured(Command::new("node").arg(node_folder().join("build.mjs")).arg(tools).arg(out))
}

/// Runs a builder that prints `{"ms", "peakKb"}` as its last line.
fn measured(command: &mut Command) -> Result<Measure, String> {
    let output = command.output().map_err(|error| format!("{command:?}: {error}"))?;
    let text = String::from_utf8_lossy(&output.stdout);
    let line = text.lines().last().unwrap_or_default();
    let value: Value = serde_json::from_str(line)
        .map_err(|_| format!("{command:?} failed: {}", String::from_utf8_lossy(&output.stderr)))?;
    let number = |key: &str| value[key].as_f64().unwrap_or_default();
    Ok(Measure { ms: number("ms"), peak_mb: number("peakKb") / 1024.0 })
}

/// One build in this process.
pub(crate) fn once(tools: &Path, out: &Path) -> Result<(), String> {
    let started = Instant::now();
    let compilation = compile_folder(tools, &Options::default(), &|_, _| {});
    if let Some(error) = compilation
        .diagnostics
        .iter()
        .find(|finding| finding.severity == aileron_compiler::Severity::Error)
    {
        return Err(format!("{}: {}", error.source.path, error.message));
    }
    emit::save(&compilation.tools, &emit::BuildStamp::default(), out)
        .map_err(|finding| finding.message)?;
    let ms = started.elapsed().as_secs_f64() * 1000.0;
    print(&json!({ "ms": ms, "peakKb": peak_kb() }).to_string());
    Ok(())
}

/// The peak memory of this process, if the system reports it.
fn peak_kb() -> Option<u64> {
    let status = fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find(|line| line.starts_with("VmHWM:"))?;
    line.split_whitespace().nth(1)?.parse().ok()
}

pub(crate) fn node_folder() -> std::path::PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("node")
}

pub(crate) fn install_node() -> Result<(), String> {
    if node_folder().join("node_modules").is_dir() {
        return Ok(());
    }
    say("npm ci (once)");
    let status = Command::new("npm").args(["ci", "--silent"]).current_dir(node_folder()).status();
    match status {
        Ok(status) if status.success() => Ok(()),
        Ok(_) => Err("npm ci failed".to_owned()),
        Err(error) => Err(format!("npm could not be started: {error}")),
    }
}
