//! `crash`: the steps before it run in a separate process, which is then aborted; the steps after
//! it continue from the store that it left.

use std::env;
use std::path::Path;
use std::process::Command;
use std::sync::Arc;

use aileron_script::{Script, ScriptStep, StepKind};
use aileron_store::{SqliteOptions, SqliteStore, Store};

use aileron_rehearsal::{FailedExpectation, Run, read, report};

const SCRIPT: &str = "AILERON_CRASH_SCRIPT";
const STORE: &str = "AILERON_CRASH_STORE";

/// Where the process dies, if it does.
pub(super) fn position(script: &Script) -> Option<usize> {
    script.steps.iter().position(|step| step.what == StepKind::Crash)
}

/// Runs a script that crashes at this step.
pub(super) async fn run(script: &Script, at: usize) -> Result<(), FailedExpectation> {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("store.db");
    let (before, after) = script.steps.split_at(at);
    die(script, &path, after[0].line)?;
    let mut run = Run::begin(script, store(&path)).await;
    let clock: Vec<_> = before.iter().filter(|step| is_clock(step)).cloned().collect();
    run.follow(&clock).await?;
    run.follow(&after[1..]).await?;
    run.end(script).await.map(drop)
}

fn is_clock(step: &ScriptStep) -> bool {
    matches!(step.what, StepKind::Clock(_))
}

fn store(path: &Path) -> Arc<dyn Store> {
    Arc::new(SqliteStore::open(path, SqliteOptions::default()).unwrap())
}

/// Runs the first steps in a process that is aborted after them.
fn die(script: &Script, path: &Path, line: usize) -> Result<(), FailedExpectation> {
    let output = Command::new(env::current_exe().unwrap())
        .args(["--exact", "scripts::crash::victim", "--nocapture"])
        .env(SCRIPT, &script.name)
        .env(STORE, path)
        .output()
        .unwrap();
    if output.status.code().is_none() {
        return Ok(());
    }
    let said = format!("{output:#?}");
    Err(FailedExpectation::new(line, "a process that comes this far and is aborted", said))
}

/// The process that dies. On its own it does nothing.
#[tokio::test]
async fn victim() {
    let (Ok(name), Ok(path)) = (env::var(SCRIPT), env::var(STORE)) else { return };
    let script = read(&name);
    let at = position(&script).unwrap();
    let mut run = Run::begin(&script, store(Path::new(&path))).await;
    if let Err(fault) = run.follow(&script.steps[..at]).await {
        panic!("{}", report(&name, &fault));
    }
    std::process::abort();
}
