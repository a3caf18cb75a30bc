//! Sandboxes in worker processes.
//!
//! A worker runs one tool and one call at a time, so it never has data of another tool, and killing
//! it affects no other call. Workers are reused for the calls of their tool.

mod call;
pub(crate) mod frame;
mod pool;
mod worker;

use aileron_capability::foreign::HandlerFault;
use std::ffi::OsString;
use std::sync::Arc;
use std::sync::mpsc::channel;
use std::time::Duration;

use tokio::runtime::{Builder, Runtime};
use tokio::sync::mpsc::{UnboundedReceiver, UnboundedSender, unbounded_channel};
use tokio::time::{Instant, timeout, timeout_at};

use self::call::{FromCaller, WorkerCall, WorkerState};
use self::frame::{ToWorker, WorkerTool};
use self::pool::{LeasedWorker, LoadFault, Pool};
use super::call_request::{CallControl, CallRequest};
use super::fault::{EngineError, LoadError};
use super::host_bridge::{MethodReply, SandboxEvent};
use super::interrupt::StopReason;
use super::options::Options;
use super::script::{CodeLocation, Script};
use super::sources::Sources;

/// How long the first worker may take to start.
const LONGEST_START: Duration = Duration::from_secs(10);

/// The depth of a call that is not nested.
const OUTERMOST: usize = 0;

pub(crate) struct Processes {
    pool: Arc<Pool>,
    /// Threads for the pipes, so that callers need no particular runtime.
    io: Option<Runtime>,
}

impl Processes {
    pub(crate) fn new(options: Options, command: Vec<OsString>) -> Result<Self, EngineError> {
        let shown = command.join(" ".as_ref()).to_string_lossy().into_owned();
        let mut builder = Builder::new_multi_thread();
        let builder = builder.worker_threads(2).thread_name("aileron-js-pipe").enable_all();
        let io = builder.build().map_err(EngineError::Thread)?;
        let pool = Arc::new(Pool::new(options, command));
        let (sender, opened) = channel();
        let own = pool.clone();
        io.spawn(async move { sender.send(timeout(LONGEST_START, own.open()).await) });
        let engine = Self { pool, io: Some(io) };
        match opened.recv() {
            Ok(Ok(Ok(()))) => Ok(engine),
            Ok(Ok(Err(error))) if error.kind() != std::io::ErrorKind::BrokenPipe => {
                Err(EngineError::Worker { command: shown, error })
            }
            _ => Err(EngineError::NoWorker { command: shown }),
        }
    }

    /// Lets a worker load the tool, which then waits for the tool's calls.
    pub(crate) fn load(&self, sources: &Sources) -> Result<Script, LoadError> {
        let lost =
            || LoadError::TopLevel { tool: sources.tool.clone(), fault: HandlerFault::EngineLost };
        let Options { limits, grace, .. } = self.pool.options.clone();
        let load = ToWorker::Load(WorkerTool { sources: sources.clone(), limits, grace });
        let frame: Arc<[u8]> = frame::encode(&load).map_err(|_| lost())?.into();
        let script = Script::new(sources, CodeLocation::Remote(frame.clone()));
        let (sender, loaded) = channel();
        let (pool, id) = (self.pool.clone(), script.id());
        self.spawn(async move {
            let taken = pool.take(id, &frame, OUTERMOST).await;
            let _ = sender.send(taken.map(|leased| pool.put_back(leased)));
        });
        match loaded.recv() {
            Ok(Ok(())) => Ok(script),
            Ok(Err(LoadFault::Refused(error))) => Err(error),
            _ => Err(lost()),
        }
    }

    /// Starts a call. Its events go to the channel in the request.
    pub(crate) fn submit(&self, script: &Script, order: CallRequest) -> Box<dyn CallControl> {
        let (line, caller) = unbounded_channel();
        let (pool, script) = (self.pool.clone(), script.clone());
        self.spawn(async move { run(&pool, &script, order, caller).await });
        Box::new(Pipeline(line))
    }

    fn spawn(&self, work: impl Future<Output = ()> + Send + 'static) {
        if let Some(io) = &self.io {
            io.spawn(work);
        }
    }
}

impl Drop for Processes {
    /// Kills the workers without waiting for them.
    fn drop(&mut self) {
        if let Some(io) = self.io.take() {
            io.shutdown_background();
        }
    }
}

/// Runs one call from the queue to its result.
async fn run(
    pool: &Arc<Pool>,
    script: &Script,
    order: CallRequest,
    mut caller: UnboundedReceiver<FromCaller>,
) {
    let CodeLocation::Remote(load) = script.body() else { return };
    let taking = pool.take(script.id(), load, order.depth);
    let taking = timeout_at(Instant::from_std(order.deadline), taking);
    let taken = tokio::select! {
        taken = taking => taken,
        _ = caller.recv() => return,
    };
    let fault = match taken {
        Ok(Ok(leased)) => return make_call(pool, &order, caller, leased).await,
        Ok(Err(fault)) => fault.into(),
        Err(_) => HandlerFault::Deadline,
    };
    let _ = order.events.send(SandboxEvent::Done(Err(fault)));
}

async fn make_call(
    pool: &Pool,
    order: &CallRequest,
    mut caller: UnboundedReceiver<FromCaller>,
    mut leased: LeasedWorker,
) {
    let mut conversation = WorkerCall::new(&mut leased.worker, order, &pool.options);
    if conversation.begin().await.is_err() {
        return conversation.answer(Err(HandlerFault::EngineLost));
    }
    match conversation.hold(&mut caller).await {
        Ok(WorkerState::Usable) => pool.put_back(leased),
        // Dropping the worker kills it together with the blocked call.
        Ok(WorkerState::Unusable) => {}
        Err(_) => conversation.answer(Err(HandlerFault::LostMidway)),
    }
}

struct Pipeline(UnboundedSender<FromCaller>);

impl CallControl for Pipeline {
    fn reply(&self, reply: MethodReply) {
        let _ = self.0.send(FromCaller::Reply(reply));
    }

    fn stop(&self, why: StopReason) {
        let _ = self.0.send(FromCaller::Stop(why));
    }
}
