//! One call on the threads: it runs in slices and is parked while it waits.

use aileron_capability::foreign::HandlerFault;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Instant;

use serde_json::Value;

use super::ThreadsShared;
use super::queue::Job;
use crate::call_request::{CallControl, CallRequest};
use crate::host_bridge::{AttachedCall, MethodReply, SandboxEvent};
use crate::instance::Instance;
use crate::interrupt::{StopReason, TimeLimits};
use crate::script::Script;

pub(super) struct Task {
    pub(super) id: u64,
    pub(super) script: Script,
    pub(super) caller: Arc<str>,
    pub(super) attached_call: Arc<AttachedCall>,
    pub(super) input: String,
    pub(super) deadline: Instant,
    shared: Arc<ThreadsShared>,
    state: Mutex<TaskState>,
    answered: AtomicBool,
}

#[derive(Default)]
struct TaskState {
    /// The sandbox, between slices.
    parked: Option<Instance>,
    inbox: Vec<MethodReply>,
    /// Whether a thread runs the call or is scheduled for it.
    scheduled: bool,
    begun: bool,
    over: bool,
}

/// The next action of a thread for the call.
pub(super) enum NextSlice {
    Begin,
    Resume(Instance, Vec<MethodReply>),
    Over(Option<Instance>),
}

impl Task {
    pub(super) fn new(shared: Arc<ThreadsShared>, script: Script, order: CallRequest) -> Self {
        static NEXT: AtomicU64 = AtomicU64::new(0);
        let time_limits = Arc::new(TimeLimits::new(order.deadline, shared.options.limits.cpu));
        let CallRequest { host, shapes, events, runtime, caller, .. } = order;
        Self {
            id: NEXT.fetch_add(1, Ordering::Relaxed),
            script,
            caller,
            attached_call: Arc::new(AttachedCall { host, shapes, events, time_limits, runtime }),
            input: order.input,
            deadline: order.deadline,
            shared,
            state: Mutex::default(),
            answered: AtomicBool::new(false),
        }
    }

    pub(super) fn time_limits(&self) -> &Arc<TimeLimits> {
        &self.attached_call.time_limits
    }

    /// Requests a thread, unless one is scheduled.
    pub(super) fn schedule(self: &Arc<Self>) {
        let mut state = self.state();
        if state.over || std::mem::replace(&mut state.scheduled, true) {
            return;
        }
        drop(state);
        if self.shared.queue.push(Job::Step(self.clone())).is_err() {
            self.fail_as_lost();
        }
    }

    /// The next action, for a thread that took the call.
    pub(super) fn turn(&self) -> NextSlice {
        let mut state = self.state();
        let instance = state.parked.take();
        let begun = std::mem::replace(&mut state.begun, true);
        state.over |= self.time_limits().stopped().is_some();
        match instance {
            instance if state.over => NextSlice::Over(instance),
            Some(instance) => NextSlice::Resume(instance, std::mem::take(&mut state.inbox)),
            None if begun => NextSlice::Over(None),
            None => NextSlice::Begin,
        }
    }

    /// Parks the waiting code, or schedules it again if a reply has arrived. Returns the sandbox if
    /// the call is over.
    pub(super) fn park(self: &Arc<Self>, instance: Instance) -> Option<Instance> {
        let mut state = self.state();
        state.scheduled = false;
        if state.over || self.time_limits().stopped().is_some() {
            return Some(instance);
        }
        state.parked = Some(instance);
        let more = !state.inbox.is_empty();
        drop(state);
        if more {
            self.schedule();
        }
        None
    }

    /// Answers the call. Only the first answer counts.
    pub(super) fn finish(&self, outcome: Result<Value, HandlerFault>) {
        self.state().over = true;
        if self.answered.swap(true, Ordering::AcqRel) {
            return;
        }
        self.shared.watchdog.forget(self.id);
        let _ = self.attached_call.events.send(SandboxEvent::Done(outcome));
    }

    /// Answers a call that no thread will continue. If it had started, its side effects are
    /// unknown.
    pub(super) fn fail_as_lost(&self) {
        let begun = self.state().begun;
        self.finish(Err(if begun { HandlerFault::LostMidway } else { HandlerFault::EngineLost }));
    }

    /// Answers the call for this reason and stops its code, whether it runs, waits or has not begun.
    pub(super) fn stop_for(self: &Arc<Self>, why: StopReason) {
        self.time_limits().close(why);
        self.schedule();
        self.finish(Err(why.into()));
    }

    fn state(&self) -> MutexGuard<'_, TaskState> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl CallControl for Arc<Task> {
    fn reply(&self, reply: MethodReply) {
        self.state().inbox.push(reply);
        self.schedule();
    }

    fn stop(&self, why: StopReason) {
        self.stop_for(why);
    }
}
