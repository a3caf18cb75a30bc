//! One call in a worker process: passes messages between it, the host and the caller, and enforces
//! the deadline.

use aileron_capability::foreign::{CapabilityShape, HandlerFault, HostFault, contained};
use std::io;
use std::time::Duration;

use serde_json::Value;
use tokio::sync::mpsc::UnboundedReceiver;
use tokio::time::{Instant, sleep_until};

use super::frame::{FromWorker, ToWorker, WorkerRequest};
use super::worker::Worker;
use crate::call_request::CallRequest;
use crate::host_bridge::{
    MethodCall, MethodReply, MethodRequest, SandboxEvent, host_failed, refusal,
};
use crate::interrupt::StopReason;
use crate::options::Options;

/// A message of the caller.
pub(super) enum FromCaller {
    Reply(MethodReply),
    Stop(StopReason),
}

/// The state of a worker after a call.
pub(super) enum WorkerState {
    Usable,
    /// It does not end the call, or sent no message for too long.
    Unusable,
}

/// How often an overdue worker may be found starved of CPU before it is replaced.
const MAX_CHECKS: u32 = 20;

pub(super) struct WorkerCall<'a> {
    worker: &'a mut Worker,
    order: &'a CallRequest,
    options: &'a Options,
    /// Whether the caller has its result and only the worker's end is awaited.
    over: bool,
    /// The next timeout: the deadline, then some time for the worker to stop.
    alarm: Instant,
    /// How often an overdue worker was checked, and its CPU time at the last check.
    checks: u32,
    had_run: Option<Duration>,
    /// Text that may still be logged.
    text_left: usize,
}

impl<'a> WorkerCall<'a> {
    pub(super) fn new(
        worker: &'a mut Worker,
        order: &'a CallRequest,
        options: &'a Options,
    ) -> Self {
        let alarm = Instant::from_std(order.deadline);
        let text_left = options.limits.log_bytes;
        Self { worker, order, options, over: false, alarm, checks: 0, had_run: None, text_left }
    }

    /// Sends the call. A worker that does not receive it completely does not run it.
    pub(super) async fn begin(&mut self) -> io::Result<()> {
        let time_left = self.order.deadline.saturating_duration_since(std::time::Instant::now());
        let ask = WorkerRequest { input: self.order.input.clone(), time_left };
        self.worker.tell(&ToWorker::Call(ask)).await
    }

    /// Runs the call to its end and answers it. An error means that the worker is gone.
    pub(super) async fn hold(
        &mut self,
        caller: &mut UnboundedReceiver<FromCaller>,
    ) -> io::Result<WorkerState> {
        loop {
            tokio::select! {
                biased;
                said = caller.recv(), if !self.over => self.obey(said).await?,
                message = self.worker.receive() => match message? {
                    FromWorker::Done { outcome, usable } => {
                        self.answer(outcome);
                        return Ok(if usable { WorkerState::Usable } else { WorkerState::Unusable });
                    }
                    message => self.serve(message).await?,
                },
                () = sleep_until(self.alarm) => {
                    if !self.over {
                        self.answer(Err(HandlerFault::Deadline));
                    } else if self.is_given_up() {
                        return Ok(WorkerState::Unusable);
                    }
                }
            }
        }
    }

    /// Whether to abandon an overdue worker: yes if it ran all the time; one that was starved of
    /// CPU gets more time.
    fn is_given_up(&mut self) -> bool {
        let has_run = self.worker.processor_time();
        let before = self.had_run.replace(has_run);
        if before.is_some_and(|before| has_run.saturating_sub(before) >= self.options.grace / 2) {
            return true;
        }
        self.checks += 1;
        self.alarm = Instant::now() + self.options.grace;
        self.checks > MAX_CHECKS
    }

    /// Answers the call, once. The worker gets some more time to report its end.
    pub(super) fn answer(&mut self, outcome: Result<Value, HandlerFault>) {
        if !std::mem::replace(&mut self.over, true) {
            self.alarm = Instant::now() + self.options.grace * 2;
            let _ = self.order.events.send(SandboxEvent::Done(outcome));
        }
    }

    async fn obey(&mut self, said: Option<FromCaller>) -> io::Result<()> {
        let stop = match said {
            Some(FromCaller::Reply(MethodReply { id, answer })) => {
                let answer = answer.and_then(|text| read_back(&text));
                return self.worker.tell(&ToWorker::Reply { id, answer }).await;
            }
            Some(FromCaller::Stop(why)) => why,
            None => StopReason::Cancelled,
        };
        self.answer(Err(stop.into()));
        self.worker.tell(&ToWorker::Stop).await
    }

    /// Serves a request of the worker, if the tool declares the capability.
    async fn serve(&mut self, message: FromWorker) -> io::Result<()> {
        match message {
            FromWorker::Request { id, capability, method, args } => {
                let request =
                    MethodRequest { id, asked: MethodCall::Named { capability, method, args } };
                let _ = self.order.events.send(SandboxEvent::Request(request));
                Ok(())
            }
            FromWorker::Sync { capability, method, args } => {
                let answer = self.call_sync((&capability, &method), args);
                self.worker.tell(&ToWorker::Answer(answer)).await
            }
            FromWorker::Now => {
                let now = contained(0, || self.order.host.now_ms());
                self.worker.tell(&ToWorker::Answer(Ok(now.into()))).await
            }
            FromWorker::Log { level, text } if self.may_say(text.len()) => {
                contained((), || self.order.host.log(level, &text));
                Ok(())
            }
            FromWorker::Progress(update) if self.may_say(1) => {
                contained((), || self.order.host.progress(update));
                Ok(())
            }
            FromWorker::Partial(data) if self.may_say(1) => {
                contained((), || self.order.host.partial(data));
                Ok(())
            }
            FromWorker::Log { .. } | FromWorker::Progress(_) | FromWorker::Partial(_) => Ok(()),
            FromWorker::Ready | FromWorker::Loaded(_) | FromWorker::Done { .. } => {
                Err(io::ErrorKind::InvalidData.into())
            }
        }
    }

    fn call_sync(&self, asked: (&str, &str), args: Vec<Value>) -> Result<Value, HostFault> {
        if self.over {
            return Err(refusal("ENDED", "the call has ended"));
        }
        if !CapabilityShape::any_has(&self.order.shapes, asked, |shape| &shape.sync) {
            return Err(refusal("UNDECLARED", "the tool does not declare this capability"));
        }
        let panicked = Err(host_failed());
        contained(panicked, || self.order.host.call_sync(asked.0, asked.1, args))
    }

    fn may_say(&mut self, length: usize) -> bool {
        let left = self.text_left.checked_sub(length).filter(|_| !self.over);
        self.text_left = left.unwrap_or(self.text_left);
        left.is_some()
    }
}

fn read_back(text: &str) -> Result<Value, HostFault> {
    serde_json::from_str(text).map_err(|error| refusal("ARGUMENTS", &error.to_string()))
}
