//! The calls of a worker, and whether it takes more.

use std::collections::HashMap;
use std::time::{Duration, Instant};

use aileron_capability::foreign::WorkerEnd;
use tokio::sync::mpsc::UnboundedSender;
use tokio::sync::oneshot;

use super::CallEvent;
use crate::message::Loaded;

/// A load whose caller gave up may be asked for again before it is answered.
#[derive(Debug, Default)]
struct PendingLoad {
    asked: usize,
    waiting: Option<oneshot::Sender<Loaded>>,
}

#[derive(Debug)]
pub(super) struct WorkerState {
    calls: HashMap<String, UnboundedSender<CallEvent>>,
    /// The loads that it was asked for and has not answered, by tool.
    loading: HashMap<String, PendingLoad>,
    /// Reservations: calls that run, or that were cancelled and have not ended yet.
    live: usize,
    /// Whether a call runs that must be alone.
    is_exclusive: bool,
    /// Calls that must be alone and wait for it: other calls are refused until it is empty.
    pub(super) waiting: usize,
    /// When the last call ended.
    idle_since: Instant,
    /// Why it gets no further calls.
    pub(super) retiring: Option<String>,
    pub(super) ended: Option<WorkerEnd>,
}

impl WorkerState {
    pub(super) fn new() -> Self {
        Self {
            calls: HashMap::new(),
            loading: HashMap::new(),
            live: 0,
            is_exclusive: false,
            waiting: 0,
            idle_since: Instant::now(),
            retiring: None,
            ended: None,
        }
    }

    fn takes_calls(&self) -> bool {
        self.ended.is_none() && self.retiring.is_none()
    }

    pub(super) fn begin_load(&mut self, tool: &str, sender: oneshot::Sender<Loaded>) -> bool {
        let takes = self.takes_calls();
        if takes {
            let pending = self.loading.entry(tool.to_owned()).or_default();
            pending.asked += 1;
            pending.waiting = Some(sender);
        }
        takes
    }

    /// Passes the end of a load on; false if it was not asked for. Its caller may be gone.
    pub(super) fn end_load(&mut self, loaded: Loaded) -> bool {
        let Some(pending) = self.loading.get_mut(&loaded.tool) else { return false };
        pending.asked -= 1;
        let waiting = pending.waiting.take();
        if pending.asked == 0 {
            self.loading.remove(&loaded.tool);
        }
        waiting.into_iter().for_each(|waiting| drop(waiting.send(loaded.clone())));
        true
    }

    pub(super) fn enter(&mut self, id: &str, events: UnboundedSender<CallEvent>) -> bool {
        let runs = self.ended.is_none();
        if runs {
            self.calls.insert(id.to_owned(), events);
        }
        runs
    }

    pub(super) fn reserve(&mut self, is_alone: bool, most: usize) -> bool {
        let is_taken = match is_alone {
            true => self.live > 0,
            false => self.live >= most || self.waiting > 0,
        };
        if !self.takes_calls() || self.is_exclusive || is_taken {
            return false;
        }
        self.live += 1;
        self.is_exclusive = is_alone;
        true
    }

    /// Whether the process is to be killed.
    pub(super) fn release(&mut self) -> bool {
        self.live = self.live.saturating_sub(1);
        self.is_exclusive = false;
        if self.live == 0 {
            self.idle_since = Instant::now();
        }
        self.live == 0 && self.retiring.is_some()
    }

    /// Whether the process is to be killed.
    pub(super) fn retire(&mut self, why: &str) -> bool {
        self.retiring.get_or_insert_with(|| why.to_owned());
        self.live == 0
    }

    pub(super) fn load_count(&self) -> Option<usize> {
        self.takes_calls().then_some(self.live)
    }

    pub(super) fn is_idle_for(&self, time: Duration) -> bool {
        self.live == 0 && self.loading.is_empty() && self.idle_since.elapsed() > time
    }

    /// The receiver of a call's messages. The last message removes it.
    pub(super) fn events_of(
        &mut self,
        id: &str,
        is_last: bool,
    ) -> Option<UnboundedSender<CallEvent>> {
        if is_last { self.calls.remove(id) } else { self.calls.get(id).cloned() }
    }

    /// Enters the end; the receivers of all calls.
    pub(super) fn end(&mut self, end: &WorkerEnd) -> Vec<UnboundedSender<CallEvent>> {
        self.ended.get_or_insert_with(|| end.clone());
        self.loading.clear();
        self.calls.drain().map(|(_, events)| events).collect()
    }
}
