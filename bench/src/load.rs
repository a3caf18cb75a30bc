//! Loading a registry: read, checked, every schema compiled, every handler bound.

use std::sync::Arc;
use std::time::Instant;

use aileron_compiler::{Options, compile_folder, emit};
use aileron_runtime::{Handlers, Registry};
use aileron_sandbox::JsEngine;

use crate::{generate, print};

/// How often each size is loaded; the best counts.
const RUNS: usize = 5;

pub(crate) fn run() -> Result<(), String> {
    print("| tools | MB | rules alone, ms | with JavaScript handlers, ms |");
    print("|---|---|---|---|");
    for size in [10, 100, 1000] {
        let text = artifact(size)?;
        let rules = best(|| load_rules(&text))?;
        let all = best(|| load(&text))?;
        let mb = text.len() as f64 / 1e6;
        print(&format!("| {size} | {mb:.2} | {rules:.1} | {all:.1} |"));
    }
    Ok(())
}

fn best(load: impl Fn() -> Result<f64, String>) -> Result<f64, String> {
    let times: Result<Vec<_>, _> = (0..RUNS).map(|_| load()).collect();
    Ok(times?.into_iter().fold(f64::INFINITY, f64::min))
}

fn load_rules(text: &str) -> Result<f64, String> {
    let began = Instant::now();
    let registry = Registry::load_rules(text).map_err(|error| error.to_string())?;
    let ms = began.elapsed().as_secs_f64() * 1000.0;
    drop(registry);
    Ok(ms)
}

fn artifact(size: usize) -> Result<String, String> {
    let folder = tempfile::tempdir().map_err(|error| error.to_string())?;
    generate::toolset(folder.path(), size).map_err(|error| error.to_string())?;
    let compilation = compile_folder(folder.path(), &Options::default(), &|_, _| {});
    let mut text = Vec::new();
    emit::write(&compilation.tools, &emit::BuildStamp::default(), &mut text)
        .map_err(|error| error.to_string())?;
    String::from_utf8(text).map_err(|error| error.to_string())
}

fn load(text: &str) -> Result<f64, String> {
    let engine =
        JsEngine::new(aileron_sandbox::Options::default()).map_err(|error| error.to_string())?;
    let handlers = Handlers { engine: Some(Arc::new(engine)), ..Handlers::default() };
    let began = Instant::now();
    let registry = Registry::load(text, &handlers).map_err(|error| error.to_string())?;
    let ms = began.elapsed().as_secs_f64() * 1000.0;
    drop(registry);
    Ok(ms)
}
