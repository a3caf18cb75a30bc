//! The worker process of process isolation.
//!
//! It communicates over its standard input and output, runs one tool, one call at a time, and ends
//! when its input does. Inside it is the engine on threads, so a call has the same sandbox in both
//! isolation modes.

mod pipe;
mod rlimits;

use aileron_capability::foreign::HandlerFault;
use std::io::{self, Stdin};
use std::sync::Arc;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread;
use std::time::Instant;

use tokio_util::sync::CancellationToken;

use self::pipe::Pipe;
use super::engine::JsEngine;
use super::fault::LoadError;
use super::options::{Isolation, Options};
use super::process::frame::{self, FromWorker, ToWorker, WorkerInput, WorkerRequest, WorkerTool};
use super::sandbox_call::SandboxCall;
use super::script::Script;

/// Serves the engine that started this process, until it closes the pipe. Errors are those of the
/// pipe.
pub fn run() -> io::Result<()> {
    rlimits::at_start();
    let mut input = io::stdin();
    let pipe = Arc::new(Pipe::default());
    pipe.say(&FromWorker::Ready)?;
    let ToWorker::Load(tool) = frame::read(&mut input)? else {
        return Err(io::Error::other("expected a tool first"));
    };
    rlimits::for_tool(&tool.limits);
    let (engine, script) = match load(&tool) {
        Ok(loaded) => loaded,
        Err(error) => return pipe.say(&FromWorker::Loaded(Err(error))),
    };
    pipe.say(&FromWorker::Loaded(Ok(())))?;
    serve(input, &pipe, engine, script, tool)
}

fn load(tool: &WorkerTool) -> Result<(JsEngine, Script), LoadError> {
    let options = Options {
        isolation: Isolation::Thread,
        limits: tool.limits.clone(),
        threads: 1,
        workers: 0,
        warm: 1,
        grace: tool.grace,
        most_abandoned: 0,
    };
    let sources = tool.sources.clone();
    let lost =
        |_| LoadError::TopLevel { tool: sources.tool.clone(), fault: HandlerFault::EngineLost };
    let engine = JsEngine::new(options).map_err(lost)?;
    let script = engine.load(sources)?;
    Ok((engine, script))
}

/// Dispatches messages: calls to the thread that runs them, answers to the waiting sandbox.
fn serve(
    mut input: Stdin,
    pipe: &Arc<Pipe>,
    engine: JsEngine,
    script: Script,
    tool: WorkerTool,
) -> io::Result<()> {
    let (calls, to_make) = channel();
    let own = pipe.clone();
    thread::Builder::new().spawn(move || make_calls(&to_make, &own, &engine, &script, &tool))?;
    let mut cancel = CancellationToken::new();
    while let Ok(message) = frame::read(&mut input) {
        match message {
            ToWorker::Call(ask) => cancel = begin(ask, &calls),
            ToWorker::Reply { id, answer } => pipe.reply(id, answer),
            ToWorker::Answer(answer) => pipe.answer(answer),
            ToWorker::Stop => cancel.cancel(),
            ToWorker::Load(_) => return Err(io::Error::other("expected one tool")),
        }
    }
    Ok(())
}

fn begin(
    ask: WorkerRequest,
    calls: &Sender<(WorkerRequest, CancellationToken)>,
) -> CancellationToken {
    let cancel = CancellationToken::new();
    let _ = calls.send((ask, cancel.clone()));
    cancel
}

fn make_calls(
    calls: &Receiver<(WorkerRequest, CancellationToken)>,
    pipe: &Arc<Pipe>,
    engine: &JsEngine,
    script: &Script,
    tool: &WorkerTool,
) {
    let Ok(runtime) = tokio::runtime::Builder::new_current_thread().build() else { return };
    for (ask, cancel) in calls {
        rlimits::for_call(&tool.limits);
        let outcome = match call(ask, cancel, pipe) {
            Ok(call) => runtime.block_on(engine.call(script, call)),
            Err(error) => Err(HandlerFault::error("Error", error.to_string())),
        };
        pipe.forget_requests();
        engine.wait_until_idle();
        let usable = !script.quarantines().holds_threads();
        if pipe.say(&FromWorker::Done { outcome, usable }).is_err() {
            return;
        }
    }
}

fn call(
    ask: WorkerRequest,
    cancel: CancellationToken,
    pipe: &Arc<Pipe>,
) -> serde_json::Result<SandboxCall> {
    let WorkerInput { args, context } = serde_json::from_str(&ask.input)?;
    let deadline = Instant::now() + ask.time_left;
    // The pool of workers prevents deadlocks of nested calls.
    let depth = 0;
    let caller = "".into();
    Ok(SandboxCall { args, context, host: pipe.clone(), deadline, cancel, depth, caller })
}
