//! One call on a worker: serves its requests until it ends, and ends it at its deadline or when its
//! caller gives up.

use std::collections::BTreeMap;
use std::panic::AssertUnwindSafe;
use std::sync::Arc;
use std::time::Duration;

use aileron_capability::foreign::{
    CapabilityShape, ContextHost, HandlerFault, Host, HostFault, contained, context_data,
    thrown_fault,
};
use aileron_capability::{Capability, Context, FaultCode};
use aileron_contract::ToolSpec;
use futures_util::FutureExt;
use futures_util::future::BoxFuture;
use futures_util::stream::{FuturesUnordered, StreamExt};
use serde_json::Value;
use tokio::runtime::Handle;
use tokio::sync::mpsc::{UnboundedReceiver, unbounded_channel};
use tokio::time::{Instant, sleep_until, timeout};

use crate::lease::Lease;
use crate::message::{CallEnd, CallMessage, ReplyAnswer, Request, SecretAnswer, ToWorker};
use crate::options::Options;
use crate::pool::Pool;
use crate::tool_code::ToolCode;
use crate::worker::CallEvent;

/// The parts of a call that do not change while it runs.
pub(crate) struct CallInput<'a> {
    pub(crate) spec: &'a ToolSpec,
    pub(crate) args: &'a Value,
    pub(crate) context: &'a Context,
    pub(crate) host: Arc<ContextHost>,
}

/// Runs one call to its end.
pub(crate) async fn run(
    pool: &Pool,
    code: &ToolCode,
    is_alone: bool,
    input: CallInput<'_>,
    options: &Arc<Options>,
    runtime: &Handle,
) -> Result<Value, HandlerFault> {
    let context = input.context;
    let left = Duration::from_millis(context.deadline().saturating_sub(context.now()));
    let deadline = Instant::now() + left;
    let cancelled = context.cancellation().cancelled();
    let work = async {
        let lease = pool.take(code, is_alone, context.depth()).await.map_err(|why| {
            tracing::error!(tool = code.tool, "no worker for a call: {why}");
            HandlerFault::EngineLost
        })?;
        let mut call = WorkerCall::begin(lease, code, &input, options, runtime)?;
        call.converse(&code.shapes, &input.host).await
    };
    tokio::select! {
        biased;
        outcome = work => outcome,
        () = cancelled => Err(HandlerFault::Cancelled),
        () = sleep_until(deadline) => Err(HandlerFault::Deadline),
    }
}

/// A call that a worker has received. Dropped before its end, it is cancelled, and a worker that
/// does not end it is replaced.
struct WorkerCall {
    id: String,
    /// Absent once the call has ended on the worker.
    open: Option<OpenCall>,
    options: Arc<Options>,
    runtime: Handle,
    /// Text that may still be logged or shown.
    text_left: usize,
}

struct OpenCall {
    lease: Lease,
    events: UnboundedReceiver<CallEvent>,
}

impl WorkerCall {
    fn begin(
        lease: Lease,
        code: &ToolCode,
        input: &CallInput<'_>,
        options: &Arc<Options>,
        runtime: &Handle,
    ) -> Result<Self, HandlerFault> {
        let id = fresh_id()?;
        let (sender, events) = unbounded_channel();
        if !lease.worker().enter(&id, sender) {
            return Err(HandlerFault::EngineLost);
        }
        let worker = lease.worker().clone();
        let (options, runtime) = (options.clone(), runtime.clone());
        let text_left = options.log_bytes;
        let call = Self { id, open: Some(OpenCall { lease, events }), options, runtime, text_left };
        let mut data = context_data(input.spec, input.context);
        data["now"] = input.context.now().into();
        let message = ToWorker::Call {
            id: &call.id,
            tool: &code.tool,
            args: input.args,
            context: &data,
            secrets: &secrets(&code.secrets, input.context),
            voice: input.context.voice_is_active().unwrap_or(false),
        };
        worker.send(&message).map_err(|why| HandlerFault::error("Error", why))?;
        Ok(call)
    }

    /// Serves the requests of the call until it ends.
    async fn converse(
        &mut self,
        shapes: &[CapabilityShape],
        host: &Arc<ContextHost>,
    ) -> Result<Value, HandlerFault> {
        let mut running = FuturesUnordered::new();
        loop {
            let Some(open) = &mut self.open else { return Err(HandlerFault::LostMidway) };
            tokio::select! {
                biased;
                Some((request, answer)) = running.next(), if !running.is_empty() => {
                    self.reply(request, answer);
                }
                event = open.events.recv() => match event {
                    Some(CallEvent::Message(CallMessage::Request(request))) => {
                        running.push(answer(host, shapes, request));
                    }
                    Some(CallEvent::Message(CallMessage::Done(end))) => {
                        self.open = None;
                        return ended(end);
                    }
                    Some(CallEvent::Message(message)) => self.tell(host, shapes, message),
                    Some(CallEvent::Ended(why)) => {
                        self.open = None;
                        return Err(HandlerFault::WorkerEnded(why));
                    }
                    None => return Err(HandlerFault::LostMidway),
                },
            }
        }
    }

    fn reply(&self, request: u64, answer: ReplyAnswer) {
        if let Some(open) = &self.open {
            let _ = open.lease.worker().send(&ToWorker::Reply { id: &self.id, request, answer });
        }
    }

    /// Passes on a message that needs no reply.
    fn tell(&mut self, host: &Arc<ContextHost>, shapes: &[CapabilityShape], message: CallMessage) {
        match message {
            CallMessage::Log(line) if self.may_say(line.text.len()) => {
                contained((), || host.log(line.level, &line.text));
            }
            CallMessage::Progress(update) if self.may_say(update.to_string().len()) => {
                contained((), || host.progress(update));
            }
            CallMessage::Partial(data) if self.may_say(data.to_string().len()) => {
                contained((), || host.partial(data));
            }
            CallMessage::Note { event, details }
                if CapabilityShape::any_has(shapes, ("audit", "log"), |shape| &shape.sync) =>
            {
                let noted =
                    || host.call_sync("audit", "log", vec![event.into(), details]).map(drop);
                let _ = contained(Ok(()), noted);
            }
            _ => {}
        }
    }

    fn may_say(&mut self, length: usize) -> bool {
        let left = self.text_left.checked_sub(length);
        self.text_left = left.unwrap_or(self.text_left);
        left.is_some()
    }
}

impl Drop for WorkerCall {
    fn drop(&mut self) {
        if let Some(open) = self.open.take() {
            let _ = open.lease.worker().send(&ToWorker::Cancel { id: &self.id });
            self.runtime.spawn(drain(open, self.options.grace));
        }
    }
}

/// Waits until a cancelled call has ended. A worker that goes on with it is replaced: at once if its
/// other calls cannot go on either, else when they have ended.
async fn drain(mut open: OpenCall, grace: Duration) {
    let ended = async {
        while let Some(event) = open.events.recv().await {
            if matches!(event, CallEvent::Ended(_) | CallEvent::Message(CallMessage::Done(_))) {
                return;
            }
        }
    };
    if timeout(grace, ended).await.is_ok() {
        return;
    }
    const IGNORED: &str = "the worker process was replaced because a call ignored its cancellation";
    let worker = open.lease.worker().clone();
    if open.lease.is_alone || !worker.is_responsive(grace).await {
        worker.kill(IGNORED);
    } else {
        worker.retire(IGNORED);
    }
}

/// Runs one method of a capability, if the tool declares it; a panic of the host fails only this
/// request.
fn answer(
    host: &Arc<ContextHost>,
    shapes: &[CapabilityShape],
    request: Request,
) -> BoxFuture<'static, (u64, ReplyAnswer)> {
    let Request { request, capability, method, args } = request;
    if !CapabilityShape::any_has(shapes, (&capability, &method), |shape| &shape.methods) {
        let message = "the tool does not declare this capability".to_owned();
        let fault = HostFault { code: "UNDECLARED".to_owned(), message, is_diagnosis: true };
        return std::future::ready((request, ReplyAnswer::Fault(fault))).boxed();
    }
    let failed = || Err(host_failed());
    let running =
        contained(std::future::ready(failed()).boxed(), || host.call(&capability, &method, args));
    async move {
        let answer = AssertUnwindSafe(running).catch_unwind().await;
        (request, answer.unwrap_or_else(|_| failed()).into())
    }
    .boxed()
}

fn host_failed() -> HostFault {
    let code = FaultCode::Unavailable.as_str().to_owned();
    HostFault { code, message: "the capability failed".to_owned(), is_diagnosis: true }
}

fn ended(end: CallEnd) -> Result<Value, HandlerFault> {
    match end {
        CallEnd::Result(value) => Ok(value),
        CallEnd::Unreadable(why) => Err(HandlerFault::BadResult(why)),
        CallEnd::TooLarge => Err(HandlerFault::ResultTooLarge),
        CallEnd::Fault(description) => Err(thrown_fault(description)),
    }
}

fn secrets(names: &[String], context: &Context) -> BTreeMap<String, SecretAnswer> {
    let answer = |name: &String| match context.secret(name) {
        Ok(value) => SecretAnswer::Value(value),
        Err(fault) => {
            let code = fault.code.as_str().to_owned();
            SecretAnswer::Fault(HostFault { code, message: fault.message, is_diagnosis: true })
        }
    };
    names.iter().map(|name| (name.clone(), answer(name))).collect()
}

/// The names of the declared secrets.
pub(crate) fn secret_names(declared: &[Capability]) -> Vec<String> {
    let name = |capability: &Capability| match capability {
        Capability::Secret(name) => Some(name.clone()),
        _ => None,
    };
    declared.iter().filter_map(name).collect()
}

/// An id that other calls cannot guess.
fn fresh_id() -> Result<String, HandlerFault> {
    let random = getrandom::u64().map_err(|_| HandlerFault::EngineLost)?;
    Ok(format!("{random:016x}"))
}
