//! The public interface of the engine: load a tool, call it.

use aileron_capability::foreign::{CapabilityShape, HandlerFault, Host, HostFault, contained};
use std::fmt;
use std::panic::AssertUnwindSafe;
use std::sync::Arc;
use std::time::Instant;

use futures_util::FutureExt;
use futures_util::future::BoxFuture;
use futures_util::stream::{FuturesUnordered, StreamExt};
use serde_json::Value;
use tokio::runtime::Handle;
use tokio::sync::mpsc::{UnboundedReceiver, unbounded_channel};

use super::call_request::{CallControl, CallRequest};
use super::fault::{EngineError, LoadError};
use super::host_bridge::{
    MethodCall, MethodReply, MethodRequest, SandboxEvent, host_failed, refusal,
};
use super::interrupt::StopReason;
use super::options::{Isolation, Options};
use super::process::Processes;
use super::sandbox_call::SandboxCall;
use super::script::Script;
use super::sources::Sources;
use super::threads::{AwaitedLoad, Threads};

/// Runs the JavaScript of tools. It has its own threads and is shared by reference.
pub struct JsEngine {
    backend: Backend,
}

enum Backend {
    Threads(Threads),
    Processes(Processes),
}

impl fmt::Debug for JsEngine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Engine").finish_non_exhaustive()
    }
}

impl JsEngine {
    /// Starts the threads or the first worker process.
    pub fn new(options: Options) -> Result<Self, EngineError> {
        let backend = match options.isolation.clone() {
            Isolation::Thread => Backend::Threads(Threads::new(options)?),
            Isolation::Process { command } => Backend::Processes(Processes::new(options, command)?),
        };
        Ok(Self { backend })
    }

    /// Checks a tool's modules and prepares them to be called. Blocks while the top level of the modules runs.
    pub fn load(&self, sources: Sources) -> Result<Script, LoadError> {
        match &self.backend {
            Backend::Threads(threads) => threads.begin(sources).wait(),
            Backend::Processes(processes) => processes.load(&sources),
        }
    }

    /// Begins to load a tool, so that many load concurrently. With process isolation the work
    /// happens in `wait`.
    pub(crate) fn begin(self: &Arc<Self>, sources: Sources) -> PendingLoad {
        match &self.backend {
            Backend::Threads(threads) => PendingLoad::OnThread(threads.begin(sources)),
            Backend::Processes(_) => PendingLoad::Later(self.clone(), sources),
        }
    }

    /// Calls a tool's `execute` in a new sandbox. Dropping the future ends the call.
    ///
    /// Capability calls run concurrently inside this future. A capability call that the handler
    /// does not await is started, and dropped when `execute` returns.
    pub async fn call(&self, script: &Script, call: SandboxCall) -> Result<Value, HandlerFault> {
        if let Some(refusal) = script.quarantines().refusal(&call.caller, Instant::now()) {
            return Err(HandlerFault::Quarantined(refusal));
        }
        if call.cancel.is_cancelled() {
            return Err(HandlerFault::Cancelled);
        }
        if call.deadline <= Instant::now() {
            return Err(HandlerFault::Deadline);
        }
        let (sender, events) = unbounded_channel();
        let shapes = script.capabilities();
        let order = CallRequest {
            input: format!(r#"{{"args":{},"context":{}}}"#, call.args, call.context),
            shapes: shapes.clone(),
            host: call.host.clone(),
            events: sender,
            deadline: call.deadline,
            depth: call.depth,
            caller: call.caller.clone(),
            runtime: Handle::try_current().ok(),
        };
        let line = StopOnDrop(match &self.backend {
            Backend::Threads(threads) => threads.submit(script, order),
            Backend::Processes(processes) => processes.submit(script, order),
        });
        let conversation = converse(&line, events, shapes, &call.host);
        tokio::select! {
            biased;
            outcome = conversation => outcome,
            () = call.cancel.cancelled() => Err(HandlerFault::Cancelled),
        }
    }
}

/// A load in progress.
pub(crate) enum PendingLoad {
    OnThread(AwaitedLoad),
    Later(Arc<JsEngine>, Sources),
}

impl PendingLoad {
    /// Waits until the tool is loaded.
    pub(crate) fn wait(self) -> Result<Script, LoadError> {
        match self {
            Self::OnThread(awaited) => awaited.wait(),
            Self::Later(engine, sources) => engine.load(sources),
        }
    }
}

impl JsEngine {
    /// Waits until no call runs, except on abandoned threads. Not needed with process isolation.
    pub(crate) fn wait_until_idle(&self) {
        if let Backend::Threads(threads) = &self.backend {
            threads.wait_until_idle();
        }
    }
}

/// Ends the call when its future is dropped; has no effect on a finished call.
struct StopOnDrop(Box<dyn CallControl>);

impl Drop for StopOnDrop {
    fn drop(&mut self) {
        self.0.stop(StopReason::Cancelled);
    }
}

/// Serves the requests of the sandbox until the call ends.
async fn converse(
    line: &StopOnDrop,
    mut events: UnboundedReceiver<SandboxEvent>,
    shapes: &[CapabilityShape],
    host: &Arc<dyn Host>,
) -> Result<Value, HandlerFault> {
    let mut running = FuturesUnordered::new();
    loop {
        tokio::select! {
            biased;
            Some(reply) = running.next(), if !running.is_empty() => line.0.reply(reply),
            event = events.recv() => match event {
                Some(SandboxEvent::Request(request)) => running.push(answer(host, shapes, request)),
                Some(SandboxEvent::Done(outcome)) => return outcome,
                None => return Err(HandlerFault::LostMidway),
            },
        }
    }
}

/// Runs one method of a capability, if the tool declares it; requests of a sandbox are not trusted.
fn answer(
    host: &Arc<dyn Host>,
    shapes: &[CapabilityShape],
    request: MethodRequest,
) -> BoxFuture<'static, MethodReply> {
    let MethodRequest { id, asked } = request;
    let (capability, method, args) = match asked {
        MethodCall::Named { capability, method, args } => (capability, method, args),
        MethodCall::Begun(running) => return Box::pin(answered(id, running)),
    };
    if !CapabilityShape::any_has(shapes, (&capability, &method), |shape| &shape.methods) {
        let fault = refusal("UNDECLARED", "the tool does not declare this capability");
        return Box::pin(async move { MethodReply { id, answer: Err(fault) } });
    }
    let failed = std::future::ready(Err(host_failed()));
    let running = contained(failed.boxed(), || host.call(&capability, &method, args));
    Box::pin(answered(id, running))
}

/// A panic of the host fails only this request.
async fn answered(id: u32, running: BoxFuture<'static, Result<Value, HostFault>>) -> MethodReply {
    let answer = AssertUnwindSafe(running).catch_unwind().await;
    MethodReply::new(id, answer.unwrap_or_else(|_| Err(host_failed())))
}
