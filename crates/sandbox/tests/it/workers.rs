//! Faults that only worker processes have: not starting, and dying.

use aileron_capability::foreign::HandlerFault;
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Arc;
use std::sync::mpsc::RecvTimeoutError;
use std::time::Duration;

use aileron_sandbox::{EngineError, Isolation, JsEngine, Options};
use serde_json::json;

use crate::sandbox::{Bench, call, handler, in_ms, load, plain_call};
use crate::world::World;

fn with_command(command: &[&str]) -> Options {
    let command = command.iter().map(OsString::from).collect();
    Options { isolation: Isolation::Process { command }, ..Bench::processes().options }
}

#[test]
fn a_command_that_does_not_exist_is_named() {
    let error = JsEngine::new(with_command(&["/nowhere/worker"])).unwrap_err();
    assert!(
        matches!(&error, EngineError::Worker { command, .. } if command == "/nowhere/worker"),
        "{error}"
    );
    assert!(JsEngine::new(with_command(&[])).is_err());
}

#[test]
fn a_command_that_is_no_worker_is_named() {
    let error = JsEngine::new(with_command(&["/bin/sh", "-c", "exit 0"])).unwrap_err();
    assert!(matches!(error, EngineError::NoWorker { .. }), "{error}");
    let error = JsEngine::new(with_command(&["/bin/sh", "-c", "echo hello there"])).unwrap_err();
    assert!(matches!(error, EngineError::NoWorker { .. }), "{error}");
}

/// The system kills the worker after a second of processor time; the call is lost and the next one is not.
#[test]
fn a_worker_that_dies_loses_only_its_call() {
    let worker = env!("CARGO_BIN_EXE_aileron-js-worker");
    let mut options = with_command(&["/bin/sh", "-c", "ulimit -t 1; exec \"$0\"", worker]);
    options.limits.cpu = Duration::from_secs(60);
    let engine = JsEngine::new(options).unwrap();
    let world = Arc::new(World::default());
    let mortal = load(&engine, &handler("while (args.spin); return 1;")).unwrap();
    let spin = aileron_sandbox::SandboxCall { args: json!({ "spin": true }), ..plain_call(&world) };
    assert_eq!(call(&engine, &mortal, spin), Err(HandlerFault::LostMidway));
    assert_eq!(call(&engine, &mortal, plain_call(&world)), Ok(json!(1)));
}

/// An engine whose workers write their process ids into a list.
fn listed(name: &str) -> (JsEngine, PathBuf) {
    let worker = env!("CARGO_BIN_EXE_aileron-js-worker");
    let list = format!("{name}-{}", std::process::id());
    let list = Path::new(env!("CARGO_TARGET_TMPDIR")).join(list);
    let start = "echo $$ >> \"$1\"; exec \"$0\"";
    let command = ["/bin/sh", "-c", start, worker, list.to_str().unwrap()];
    (JsEngine::new(with_command(&command)).unwrap(), list)
}

/// A tool is to blame for a worker that holds on to a call, and not for one that got no processor.
#[test]
fn a_worker_that_is_suspended_does_not_cost_its_tool_anything() {
    let (engine, list) = listed("suspended");
    let world = Arc::new(World::default());
    let script = load(&engine, &handler("return 1;")).unwrap();
    assert_eq!(call(&engine, &script, plain_call(&world)), Ok(json!(1)));
    let pids = started(&list, 2);
    pids.iter().for_each(|pid| signal("-STOP", pid));
    let late = aileron_sandbox::SandboxCall { deadline: in_ms(100), ..plain_call(&world) };
    assert_eq!(call(&engine, &script, late), Err(HandlerFault::Deadline));
    // Much longer than a worker that runs is waited for.
    let (_open, nobody) = std::sync::mpsc::channel::<()>();
    let waited = nobody.recv_timeout(10 * Bench::processes().options.grace);
    assert_eq!(waited, Err(RecvTimeoutError::Timeout));
    assert!(script.quarantine().is_none());
    pids.iter().for_each(|pid| signal("-CONT", pid));
    assert_eq!(call(&engine, &script, plain_call(&world)), Ok(json!(1)));
}

/// A worker that was killed while it had nothing to do, and the one in reserve, cost no call anything.
#[test]
fn a_worker_that_died_idle_is_not_given_a_call() {
    let (engine, list) = listed("pids");
    let world = Arc::new(World::default());
    let script = load(&engine, &handler("return 1;")).unwrap();
    for round in 1..4 {
        // One that is idle and one in reserve.
        let pids = started(&list, 2 * round);
        pids[2 * (round - 1)..].iter().for_each(|pid| kill(pid));
        assert_eq!(call(&engine, &script, plain_call(&world)), Ok(json!(1)), "round {round}");
    }
}

/// The process ids in the list, once there are so many.
fn started(list: &Path, count: usize) -> Vec<String> {
    loop {
        let text = std::fs::read_to_string(list).unwrap_or_default();
        let pids: Vec<_> = text.lines().map(str::to_owned).collect();
        if pids.len() >= count {
            return pids;
        }
        std::thread::yield_now();
    }
}

fn signal(name: &str, pid: &str) {
    let _ =
        Command::new("/bin/sh").args(["-c", "kill \"$0\" \"$1\" 2>/dev/null", name, pid]).status();
}

/// Kills a process and waits until the last of its threads is gone.
fn kill(pid: &str) {
    signal("-9", pid);
    let state = || std::fs::read_to_string(format!("/proc/{pid}/stat")).unwrap_or_default();
    let threads = || std::fs::read_dir(format!("/proc/{pid}/task")).map_or(0, Iterator::count);
    while threads() > 1 || !(state().is_empty() || state().contains(") Z ")) {
        std::thread::yield_now();
    }
}

/// More tools than workers: the longest unused worker makes room.
#[test]
fn tools_take_turns_at_few_workers() {
    let engine = JsEngine::new(Options { workers: 2, ..Bench::processes().options }).unwrap();
    let world = Arc::new(World::default());
    let scripts: Vec<_> =
        (0..5).map(|n| load(&engine, &handler(&format!("return {n};"))).unwrap()).collect();
    for _ in 0..2 {
        for (n, script) in scripts.iter().enumerate() {
            assert_eq!(call(&engine, script, plain_call(&world)), Ok(json!(n)));
        }
    }
}

/// A worker gets nothing of the engine's environment.
#[test]
fn a_worker_has_no_environment() {
    let worker = env!("CARGO_BIN_EXE_aileron-js-worker");
    let check = "test -z \"$CARGO_MANIFEST_DIR$HOME$PATH_TO_SECRETS\" && exec \"$0\"";
    assert!(JsEngine::new(with_command(&["/bin/sh", "-c", check, worker])).is_ok());
}
