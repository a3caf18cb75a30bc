//! One call on its way through the threads: it runs in slices and is parked while it waits.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Instant;

use serde_json::Value;

use super::Shared;
use super::queue::Job;
use crate::desk::{Event, Reply, Seat};
use crate::fault::Fault;
use crate::gate::{Gate, Stop};
use crate::instance::Instance;
use crate::order::{Line, Order};
use crate::script::Script;

pub(super) struct Task {
    pub(super) id: u64,
    pub(super) script: Script,
    pub(super) caller: Arc<str>,
    pub(super) seat: Arc<Seat>,
    pub(super) input: String,
    pub(super) deadline: Instant,
    shared: Arc<Shared>,
    state: Mutex<State>,
    answered: AtomicBool,
}

#[derive(Default)]
struct State {
    /// The sandbox, between slices.
    parked: Option<Instance>,
    inbox: Vec<Reply>,
    /// Whether a thread will come, or is at it.
    scheduled: bool,
    begun: bool,
    over: bool,
}

/// What a thread finds when it comes for the next slice.
pub(super) enum Turn {
    Begin,
    Resume(Instance, Vec<Reply>),
    Over(Option<Instance>),
}

impl Task {
    pub(super) fn new(shared: Arc<Shared>, script: Script, order: Order) -> Self {
        static NEXT: AtomicU64 = AtomicU64::new(0);
        let gate = Arc::new(Gate::new(order.deadline, shared.options.limits.cpu));
        let Order { host, shapes, events, runtime, caller, .. } = order;
        Self {
            id: NEXT.fetch_add(1, Ordering::Relaxed),
            script,
            caller,
            seat: Arc::new(Seat { host, shapes, events, gate, runtime }),
            input: order.input,
            deadline: order.deadline,
            shared,
            state: Mutex::default(),
            answered: AtomicBool::new(false),
        }
    }

    pub(super) fn gate(&self) -> &Arc<Gate> {
        &self.seat.gate
    }

    /// Asks for a thread, unless one is on its way.
    pub(super) fn schedule(self: &Arc<Self>) {
        let mut state = self.state();
        if state.over || std::mem::replace(&mut state.scheduled, true) {
            return;
        }
        drop(state);
        if self.shared.queue.push(Job::Step(self.clone())).is_err() {
            self.lose();
        }
    }

    /// A thread came: what it is to do.
    pub(super) fn turn(&self) -> Turn {
        let mut state = self.state();
        let instance = state.parked.take();
        let begun = std::mem::replace(&mut state.begun, true);
        state.over |= self.gate().stopped().is_some();
        match instance {
            instance if state.over => Turn::Over(instance),
            Some(instance) => Turn::Resume(instance, std::mem::take(&mut state.inbox)),
            None if begun => Turn::Over(None),
            None => Turn::Begin,
        }
    }

    /// The code waits, and goes on at once if a reply came meanwhile. Gives the sandbox back if it is over.
    pub(super) fn park(self: &Arc<Self>, instance: Instance) -> Option<Instance> {
        let mut state = self.state();
        state.scheduled = false;
        if state.over || self.gate().stopped().is_some() {
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
    pub(super) fn finish(&self, outcome: Result<Value, Fault>) {
        self.state().over = true;
        if self.answered.swap(true, Ordering::AcqRel) {
            return;
        }
        self.shared.watchdog.forget(self.id);
        let _ = self.seat.events.send(Event::Done(outcome));
    }

    /// Answers a call that nobody goes on with. If it had begun, nobody knows what it did.
    pub(super) fn lose(&self) {
        let begun = self.state().begun;
        self.finish(Err(if begun { Fault::LostMidway } else { Fault::EngineLost }));
    }

    /// Answers the call for this reason and stops its code, whether it runs, waits or has not begun.
    pub(super) fn stop_for(self: &Arc<Self>, why: Stop) {
        self.gate().close(why);
        self.schedule();
        self.finish(Err(why.into()));
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Line for Arc<Task> {
    fn reply(&self, reply: Reply) {
        self.state().inbox.push(reply);
        self.schedule();
    }

    fn stop(&self, why: Stop) {
        self.stop_for(why);
    }
}
