//! One call on a worker: serves its requests until it ends, and ends it at its deadline or when its
//! caller gives up.

mod begin;
mod drain;
mod requests;

use std::sync::Arc;
use std::time::Duration;

use aileron_capability::foreign::{
    CapabilityShape, ContextHost, HandlerFault, Host, WorkerEnd, contained, thrown_fault,
};
use aileron_capability::{Capability, Context};
use aileron_contract::ToolSpec;
use futures_util::stream::{FuturesUnordered, StreamExt};
use serde_json::Value;
use tokio::runtime::Handle;
use tokio::sync::mpsc::UnboundedReceiver;
use tokio::time::{Instant, sleep_until};

use crate::lease::Lease;
use crate::message::{CallEnd, CallMessage, ReplyAnswer, ToWorker};
use crate::options::WorkerOptions;
use crate::pool::Pool;
use crate::tool_code::ToolCode;
use crate::worker::CallEvent;

/// How many workers may end before a call has begun, until it is given up.
const ATTEMPTS: usize = 3;

/// The parts of a call that do not change while it runs.
pub(crate) struct CallInput<'a> {
    pub(crate) spec: &'a ToolSpec,
    pub(crate) args: &'a Value,
    pub(crate) context: &'a Context,
    pub(crate) host: Arc<ContextHost>,
}

/// Why a call has no result on one worker.
enum AttemptFault {
    Fault(HandlerFault),
    /// The worker ended before the handler ran, so another worker may run it.
    NotBegun,
}

/// Runs one call to its end.
pub(crate) async fn run(
    pool: &Pool,
    code: &ToolCode,
    is_alone: bool,
    input: CallInput<'_>,
    options: &Arc<WorkerOptions>,
    runtime: &Handle,
) -> Result<Value, HandlerFault> {
    let context = input.context;
    let left = Duration::from_millis(context.deadline().saturating_sub(context.now()));
    if left.is_zero() {
        return Err(HandlerFault::Deadline);
    }
    let deadline = Instant::now() + left;
    let cancelled = context.cancellation().cancelled();
    tokio::select! {
        biased;
        () = cancelled => Err(HandlerFault::Cancelled),
        outcome = attempts(pool, code, is_alone, &input, options, runtime) => outcome,
        () = sleep_until(deadline) => Err(HandlerFault::Deadline),
    }
}

async fn attempts(
    pool: &Pool,
    code: &ToolCode,
    is_alone: bool,
    input: &CallInput<'_>,
    options: &Arc<WorkerOptions>,
    runtime: &Handle,
) -> Result<Value, HandlerFault> {
    for _ in 0..ATTEMPTS {
        let taken = pool.take(code, is_alone, input.context.depth()).await;
        let lease = taken.map_err(HandlerFault::NoWorker)?;
        let outcome = match WorkerCall::begin(lease, code, input, options, runtime) {
            Ok(mut call) => call.converse(&code.shapes, &input.host).await,
            Err(fault) => Err(fault),
        };
        match outcome {
            Ok(value) => return Ok(value),
            Err(AttemptFault::Fault(fault)) => return Err(fault),
            Err(AttemptFault::NotBegun) => {}
        }
    }
    let why = format!("{ATTEMPTS} worker processes ended before they began the call");
    Err(HandlerFault::NoWorker(why))
}

/// A call that a worker has received. Dropped before its end, it is cancelled, and a worker that
/// does not end it is replaced.
struct WorkerCall {
    id: String,
    /// Absent once the call has ended on the worker.
    open: Option<OpenCall>,
    options: Arc<WorkerOptions>,
    runtime: Handle,
    /// Text that may still be logged or shown.
    text_left: usize,
    /// Whether the worker has told that the handler runs. It does so before it runs it.
    has_begun: bool,
}

struct OpenCall {
    lease: Lease,
    events: UnboundedReceiver<CallEvent>,
}

impl WorkerCall {
    /// Serves the requests of the call until it ends.
    async fn converse(
        &mut self,
        shapes: &[CapabilityShape],
        host: &Arc<ContextHost>,
    ) -> Result<Value, AttemptFault> {
        let mut running = FuturesUnordered::new();
        loop {
            let Some(open) = &mut self.open else { return Err(self.lost(WorkerEnd::default())) };
            tokio::select! {
                biased;
                Some((request, answer)) = running.next(), if !running.is_empty() => {
                    self.reply(request, answer);
                }
                event = open.events.recv() => match event {
                    Some(CallEvent::Message(CallMessage::Done(end))) => {
                        self.open = None;
                        return ended(end).map_err(AttemptFault::Fault);
                    }
                    Some(CallEvent::Message(CallMessage::Request(request))) => {
                        self.has_begun = true;
                        match running.len() < self.options.requests {
                            true => running.push(requests::answer(host, shapes, request)),
                            false => self.reply(request.request, requests::too_many()),
                        }
                    }
                    Some(CallEvent::Message(message)) => {
                        self.has_begun = true;
                        self.tell(host, shapes, message);
                    }
                    Some(CallEvent::Ended(end)) => return Err(self.lost(end)),
                    None => return Err(self.lost(WorkerEnd::default())),
                },
            }
        }
    }

    /// The worker ended.
    fn lost(&mut self, end: WorkerEnd) -> AttemptFault {
        self.open = None;
        match self.has_begun {
            true => AttemptFault::Fault(HandlerFault::WorkerEnded(end)),
            false => AttemptFault::NotBegun,
        }
    }

    fn reply(&self, request: u64, answer: ReplyAnswer) {
        if let Some(open) = &self.open {
            let _ = open.lease.worker().send(&ToWorker::Reply { id: &self.id, request, answer });
        }
    }

    /// Passes on a message that needs no work.
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
            CallMessage::UnreadableRequest(request, why) => {
                self.reply(request, requests::unreadable(&why));
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
            self.runtime.spawn(drain::drain(open, self.options.grace));
        }
    }
}

fn ended(end: CallEnd) -> Result<Value, HandlerFault> {
    match end {
        CallEnd::Result(value) => Ok(value),
        CallEnd::Unreadable(why) => Err(HandlerFault::BadResult(why)),
        CallEnd::TooLarge => Err(HandlerFault::ResultTooLarge),
        CallEnd::Fault(description) => Err(thrown_fault(description)),
    }
}

/// The names of the declared secrets.
pub(crate) fn secret_names(declared: &[Capability]) -> Vec<String> {
    let name = |capability: &Capability| match capability {
        Capability::Secret(name) => Some(name.clone()),
        _ => None,
    };
    declared.iter().filter_map(name).collect()
}
