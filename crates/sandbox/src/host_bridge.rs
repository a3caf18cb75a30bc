//! The bridge between a sandbox and its host: requests of the code, and its outcome.
//!
//! Each sandbox has one bridge. A call is attached to it while it runs; requests before and after
//! are refused.

use aileron_capability::foreign::{
    CapabilityShape, HandlerFault, Host, HostFault, LogLevel, contained,
};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::task::{Context, Poll, Waker};
use std::time::{SystemTime, UNIX_EPOCH};

use futures_util::future::BoxFuture;
use serde_json::Value;
use tokio::runtime::Handle;
use tokio::sync::mpsc::UnboundedSender;

use super::interrupt::TimeLimits;
use super::json::{self, TextFault};
use super::limits::SandboxLimits;

/// Events of a sandbox for its call.
pub(crate) enum SandboxEvent {
    /// A request to run an asynchronous method; the reply has the same number.
    Request(MethodRequest),
    /// The call is over. Nothing follows.
    Done(Result<Value, HandlerFault>),
}

/// One call of an asynchronous method.
pub(crate) struct MethodRequest {
    pub(crate) id: u32,
    pub(crate) asked: MethodCall,
}

pub(crate) enum MethodCall {
    Named {
        capability: String,
        method: String,
        args: Vec<Value>,
    },
    /// The host has started the method, which is not finished yet.
    Begun(BoxFuture<'static, Answer>),
}

/// The result of a host's method.
type Answer = Result<Value, HostFault>;

/// The answer to a request: JSON text, or the fault.
#[derive(Debug)]
pub(crate) struct MethodReply {
    pub(crate) id: u32,
    pub(crate) answer: Result<String, HostFault>,
}

impl MethodReply {
    pub(crate) fn new(id: u32, answer: Answer) -> Self {
        Self { id, answer: answer.map(|value| value.to_string()) }
    }
}

/// The call that is attached to a bridge.
pub(crate) struct AttachedCall {
    pub(crate) host: Arc<dyn Host>,
    pub(crate) shapes: Arc<[CapabilityShape]>,
    pub(crate) events: UnboundedSender<SandboxEvent>,
    pub(crate) time_limits: Arc<TimeLimits>,
    /// The caller's tokio runtime, if it has one.
    pub(crate) runtime: Option<Handle>,
}

pub(crate) struct HostBridge {
    limits: SandboxLimits,
    state: Mutex<BridgeState>,
    rng_state: AtomicU64,
}

#[derive(Default)]
struct BridgeState {
    attached_call: Option<Arc<AttachedCall>>,
    outcome: Option<Result<Value, HandlerFault>>,
    requests: u32,
    unanswered: u32,
    /// Replies that the host gave immediately.
    ready: Vec<MethodReply>,
    logged: usize,
}

const ENDED: &str = "the call has ended";

impl HostBridge {
    pub(crate) fn new(limits: SandboxLimits, seed: u64) -> Self {
        Self { limits, state: Mutex::default(), rng_state: AtomicU64::new(seed) }
    }

    /// Memory of the whole sandbox.
    pub(crate) fn memory_bytes(&self) -> usize {
        self.limits.memory_bytes
    }

    /// Attaches a call.
    pub(crate) fn open(&self, attached_call: Arc<AttachedCall>) {
        self.state().attached_call = Some(attached_call);
    }

    /// Records that a request was answered.
    pub(crate) fn answered(&self) {
        let mut state = self.state();
        state.unanswered = state.unanswered.saturating_sub(1);
    }

    /// The replies that have already arrived.
    pub(crate) fn take_ready(&self) -> Vec<MethodReply> {
        std::mem::take(&mut self.state().ready)
    }

    pub(crate) fn is_waiting(&self) -> bool {
        self.state().unanswered > 0
    }

    /// The outcome of the code, if it has ended; returned once.
    pub(crate) fn take_outcome(&self) -> Option<Result<Value, HandlerFault>> {
        self.state().outcome.take()
    }

    /// Records how the code ended. Later outcomes are ignored.
    pub(crate) fn end(&self, outcome: Result<Value, HandlerFault>) {
        self.state().outcome.get_or_insert(outcome);
    }

    /// The code returned a value, written as JSON.
    pub(crate) fn returned(&self, text: &str) {
        self.end(json::read(text, self.limits.result_bytes).map_err(|fault| match fault {
            TextFault::TooLong => HandlerFault::ResultTooLarge,
            TextFault::Unreadable(why) => HandlerFault::BadResult(why),
        }));
    }

    /// Starts a request at the host, directly or through the call, and returns its number.
    pub(crate) fn request(&self, asked: (&str, &str), args: &str) -> Result<u32, HostFault> {
        let args = self.arguments(args)?;
        let attached_call = self.seat_with(asked, |shape| &shape.methods)?;
        let id = self.next_request()?;
        match attached_call.begin(asked, args) {
            MethodStart::Answered(answer) => self.state().ready.push(MethodReply::new(id, answer)),
            MethodStart::Asked(asked) => {
                let sent =
                    attached_call.events.send(SandboxEvent::Request(MethodRequest { id, asked }));
                sent.map_err(|_| refusal("ENDED", ENDED))?;
            }
        }
        self.state().unanswered += 1;
        Ok(id)
    }

    fn next_request(&self) -> Result<u32, HostFault> {
        let mut state = self.state();
        if state.requests >= self.limits.host_calls {
            return Err(refusal("LIMIT", "too many calls of capabilities"));
        }
        state.requests += 1;
        Ok(state.requests - 1)
    }

    /// Runs a synchronous method.
    pub(crate) fn request_sync(&self, asked: (&str, &str), args: &str) -> Result<Value, HostFault> {
        let args = self.arguments(args)?;
        let attached_call = self.seat_with(asked, |shape| &shape.sync)?;
        let panicked = Err(host_failed());
        contained(panicked, || attached_call.host.call_sync(asked.0, asked.1, args))
    }

    fn arguments(&self, text: &str) -> Result<Vec<Value>, HostFault> {
        match json::read(text, self.limits.result_bytes) {
            Ok(Value::Array(args)) => Ok(args),
            Ok(_) => Err(refusal("ARGUMENTS", "expected a list of arguments")),
            Err(TextFault::TooLong) => Err(refusal("LIMIT", "the arguments are too long")),
            Err(TextFault::Unreadable(why)) => Err(refusal("ARGUMENTS", &why)),
        }
    }

    /// The host's time; the system's time while no call is attached.
    pub(crate) fn now_ms(&self) -> u64 {
        match self.attached_call() {
            Some(attached_call) => contained(0, || attached_call.host.now_ms()),
            None => SystemTime::now()
                .duration_since(UNIX_EPOCH)
                .map_or(0, |time| u64::try_from(time.as_millis()).unwrap_or(u64::MAX)),
        }
    }

    pub(crate) fn log(&self, level: LogLevel, text: &str) {
        if let Some(attached_call) = self.call_for_text(text) {
            contained((), || attached_call.host.log(level, text));
        }
    }

    pub(crate) fn progress(&self, text: &str) {
        if let Some(attached_call) = self.call_for_text(text)
            && let Ok(update) = json::read(text, self.limits.log_bytes)
        {
            contained((), || attached_call.host.progress(update));
        }
    }

    pub(crate) fn partial(&self, text: &str) {
        if let Some(attached_call) = self.call_for_text(text)
            && let Ok(data) = json::read(text, self.limits.log_bytes)
        {
            contained((), || attached_call.host.partial(data));
        }
    }

    /// Whether the code still runs although its call is over.
    pub(crate) fn is_stopped(&self) -> bool {
        self.attached_call().is_none()
    }

    /// A number from 0 up to 1: splitmix64, seeded by the machine for each sandbox. Not for secrets.
    pub(crate) fn random(&self) -> f64 {
        let state = self.rng_state.fetch_add(0x9e37_79b9_7f4a_7c15, Ordering::Relaxed);
        let mixed = (state ^ (state >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        let bits = (mixed ^ (mixed >> 31)) >> 11;
        bits as f64 / (1_u64 << 53) as f64
    }

    /// The attached call, unless it was stopped.
    fn attached_call(&self) -> Option<Arc<AttachedCall>> {
        self.state()
            .attached_call
            .clone()
            .filter(|attached_call| attached_call.time_limits.stopped().is_none())
    }

    fn seat_with(
        &self,
        asked: (&str, &str),
        pick: fn(&CapabilityShape) -> &[String],
    ) -> Result<Arc<AttachedCall>, HostFault> {
        let attached_call = self.attached_call().ok_or_else(|| refusal("ENDED", ENDED))?;
        if CapabilityShape::any_has(&attached_call.shapes, asked, pick) {
            return Ok(attached_call);
        }
        Err(refusal("UNDECLARED", "the tool does not declare this capability"))
    }

    /// The attached call, if its log budget is not exhausted.
    fn call_for_text(&self, text: &str) -> Option<Arc<AttachedCall>> {
        let attached_call = self.attached_call()?;
        let mut state = self.state();
        state.logged = state.logged.saturating_add(text.len());
        (state.logged <= self.limits.log_bytes).then_some(attached_call)
    }

    fn state(&self) -> MutexGuard<'_, BridgeState> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The state of a request that was started on the sandbox's thread.
enum MethodStart {
    Answered(Answer),
    Asked(MethodCall),
}

impl AttachedCall {
    /// Starts the request on this thread if the capability is prompt, so that an answer from memory
    /// crosses no threads. The time does not count as the tool's CPU time.
    fn begin(&self, asked: (&str, &str), args: Vec<Value>) -> MethodStart {
        let (capability, method) = asked;
        let Some(runtime) = self.runtime.as_ref().filter(|_| self.host.is_prompt(capability))
        else {
            let (capability, method) = (capability.to_owned(), method.to_owned());
            return MethodStart::Asked(MethodCall::Named { capability, method, args });
        };
        let panicked = MethodStart::Answered(Err(host_failed()));
        self.time_limits.leave();
        let begun = contained(panicked, || {
            let _inside = runtime.enter();
            let mut running = self.host.call(capability, method, args);
            match running.as_mut().poll(&mut Context::from_waker(Waker::noop())) {
                Poll::Ready(answer) => MethodStart::Answered(answer),
                // The next poll registers its own waker.
                Poll::Pending => MethodStart::Asked(MethodCall::Begun(running)),
            }
        });
        self.time_limits.enter();
        begun
    }
}

/// A host that panicked, as the handler sees it.
pub(crate) fn host_failed() -> HostFault {
    refusal("HOST", "the capability failed")
}

/// A fault of the engine, in the form of a capability's fault.
pub(crate) fn refusal(code: &str, message: &str) -> HostFault {
    HostFault { code: code.into(), message: message.into(), is_diagnosis: true }
}

#[cfg(test)]
#[path = "host_bridge_tests.rs"]
mod tests;
