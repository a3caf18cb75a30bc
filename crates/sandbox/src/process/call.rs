//! One call in a worker process: passes messages between it, the host and the caller, and keeps the time.

use std::io;
use std::time::Duration;

use serde_json::Value;
use tokio::sync::mpsc::UnboundedReceiver;
use tokio::time::{Instant, sleep_until};

use super::frame::{FromWorker, ToWorker, WorkerRequest};
use super::worker::Worker;
use crate::call_request::CallRequest;
use crate::fault::SandboxFault;
use crate::host::{CapabilityShape, HostFault, contained};
use crate::host_bridge::{
    MethodCall, MethodReply, MethodRequest, SandboxEvent, host_failed, refusal,
};
use crate::interrupt::StopReason;
use crate::options::Options;

/// What the caller says.
pub(super) enum FromCaller {
    Reply(MethodReply),
    Stop(StopReason),
}

/// How a worker came out of a call.
pub(super) enum WorkerState {
    Usable,
    /// It holds on to the call past every limit, or said nothing for long.
    Unusable,
}

/// How often a worker that is not done may have got no processor before it is replaced.
const MOST_LOOKS: u32 = 20;

pub(super) struct WorkerCall<'a> {
    worker: &'a mut Worker,
    order: &'a CallRequest,
    options: &'a Options,
    /// Whether the caller has its answer; the worker is only waited for.
    over: bool,
    /// When patience ends: the deadline, then some time for the worker to obey.
    alarm: Instant,
    /// How often a worker that should be done was looked at, and how long it had run by then.
    looks: u32,
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
        Self { worker, order, options, over: false, alarm, looks: 0, had_run: None, text_left }
    }

    /// Hands the call over. A worker that was not told all of it runs none of it.
    pub(super) async fn begin(&mut self) -> io::Result<()> {
        let time_left = self.order.deadline.saturating_duration_since(std::time::Instant::now());
        let ask = WorkerRequest { input: self.order.input.clone(), time_left };
        self.worker.tell(&ToWorker::Call(ask)).await
    }

    /// Sees the call through and answers it. An error means that the worker is gone.
    pub(super) async fn hold(
        &mut self,
        caller: &mut UnboundedReceiver<FromCaller>,
    ) -> io::Result<WorkerState> {
        loop {
            tokio::select! {
                biased;
                said = caller.recv(), if !self.over => self.obey(said).await?,
                message = self.worker.hear() => match message? {
                    FromWorker::Done { outcome, usable } => {
                        self.answer(outcome);
                        return Ok(if usable { WorkerState::Usable } else { WorkerState::Unusable });
                    }
                    message => self.serve(message).await?,
                },
                () = sleep_until(self.alarm) => {
                    if !self.over {
                        self.answer(Err(SandboxFault::Deadline));
                    } else if self.is_given_up() {
                        return Ok(WorkerState::Unusable);
                    }
                }
            }
        }
    }

    /// Whether a worker that should be done is given up. One that ran all the while is; one that got no processor
    /// has more time.
    fn is_given_up(&mut self) -> bool {
        let has_run = self.worker.processor_time();
        let before = self.had_run.replace(has_run);
        if before.is_some_and(|before| has_run.saturating_sub(before) >= self.options.grace / 2) {
            return true;
        }
        self.looks += 1;
        self.alarm = Instant::now() + self.options.grace;
        self.looks > MOST_LOOKS
    }

    /// Answers the call, once. The worker has some more time to say that it is done.
    pub(super) fn answer(&mut self, outcome: Result<Value, SandboxFault>) {
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

    /// Does what the worker asks, as far as the tool may ask it.
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
            FromWorker::Log { .. } | FromWorker::Progress(_) => Ok(()),
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
