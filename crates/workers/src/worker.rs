//! One worker: sends it messages, passes its messages on to their calls, and counts its calls. The
//! process behind it is watched by `watch`.

mod lines;
mod outbox;
mod state;
mod watch;

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use aileron_capability::foreign::WorkerEnd;
use tokio::sync::mpsc::UnboundedSender;
use tokio::sync::{Notify, oneshot};
use tokio::time::timeout;

use self::outbox::Outbox;
use self::state::WorkerState;
use crate::message::{self, CallMessage, FromWorker, LoadFault, Loaded, ToWorker};
use crate::tool_code::ToolCode;

const UNREAD: &str = "the worker process did not read its messages and was stopped";
const FALSE_ANSWER: &str =
    "the worker process answered a call that it does not run, and is replaced";

const UNLOADED: &str = "the worker process was replaced because it could not load a handler";

/// How long a failed load is remembered before another process tries it.
const RELOAD: Duration = Duration::from_secs(10);

/// An event of a call on its worker.
#[derive(Debug)]
pub(crate) enum CallEvent {
    Message(CallMessage),
    Ended(WorkerEnd),
}

/// Why a handler is not loaded.
#[derive(Debug, Clone)]
pub(crate) enum LoadFailure {
    Fault(LoadFault),
    /// The worker ended while it loaded the handler, for this reason.
    Ended(String),
    /// The worker takes no calls any more; another one may load the handler.
    Gone,
}

/// The outcome of a load.
#[derive(Debug)]
struct LoadedCode {
    outcome: Result<bool, LoadFault>,
    since: Instant,
}

/// The place of a worker in its pool.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Rank {
    /// The least nesting depth of the calls that it runs.
    pub(crate) depth: usize,
    /// Whether it goes on when it has nothing to do.
    pub(crate) stays: bool,
}

/// A worker that runs, or has ended.
#[derive(Debug)]
pub(crate) struct Worker {
    pub(crate) rank: Rank,
    outbox: Outbox,
    state: Mutex<WorkerState>,
    /// The handlers that it has loaded. The lock is held while one is being loaded.
    loaded: tokio::sync::Mutex<HashMap<String, LoadedCode>>,
    /// Asks the watcher to kill the process.
    kill: Notify,
    pong: Notify,
    /// Wakes tasks that wait for a free worker.
    freed: Arc<Notify>,
}

impl Worker {
    /// Sends a message without waiting. A worker that does not read is killed.
    pub(crate) fn send(&self, message: &ToWorker<'_>) -> Result<(), String> {
        let line = message::encode(message).map_err(|error| error.to_string())?;
        self.outbox.send(&line).map_err(|_| {
            self.kill(UNREAD);
            UNREAD.to_owned()
        })
    }

    /// Loads a handler, once. Whether it may run several calls at once.
    pub(crate) async fn load(
        &self,
        code: &ToolCode,
        limit: Duration,
        grace: Duration,
    ) -> Result<bool, LoadFailure> {
        let mut loaded = self.loaded.lock().await;
        match loaded.get(&code.tool) {
            // A process that could not load a handler once never can.
            Some(LoadedCode { outcome: Err(_), since }) if since.elapsed() > RELOAD => {
                self.retire(UNLOADED);
            }
            Some(known) => return known.outcome.clone().map_err(LoadFailure::Fault),
            None => {}
        }
        let (sender, receiver) = oneshot::channel();
        if !self.state().begin_load(&code.tool, sender) {
            return Err(LoadFailure::Gone);
        }
        let outcome = self.load_now(code, receiver, limit, grace).await?;
        let since = Instant::now();
        loaded.insert(code.tool.clone(), LoadedCode { outcome: outcome.clone(), since });
        outcome.map_err(LoadFailure::Fault)
    }

    async fn load_now(
        &self,
        code: &ToolCode,
        receiver: oneshot::Receiver<Loaded>,
        limit: Duration,
        grace: Duration,
    ) -> Result<Result<bool, LoadFault>, LoadFailure> {
        let ToolCode { tool, entry, shapes, has_typescript: typescript, .. } = code;
        let typescript = *typescript;
        let sent = self.send(&ToWorker::Load { tool, entry, capabilities: shapes, typescript });
        sent.map_err(LoadFailure::Ended)?;
        Ok(match timeout(limit, receiver).await {
            Ok(Ok(Loaded { fault: None, concurrent, .. })) => Ok(concurrent),
            Ok(Ok(Loaded { fault: Some(fault), .. })) => Err(fault),
            Ok(Err(_)) => return Err(LoadFailure::Ended(self.end_reason())),
            Err(_) => {
                let why = format!("its top level did not finish within {} s", limit.as_secs_f32());
                self.replace(&format!("the worker process was replaced: {why}"), grace).await;
                Err(LoadFault::top_level(why))
            }
        })
    }

    /// Enters a call, so that its messages reach it; false if the worker has ended.
    pub(crate) fn enter(&self, id: &str, events: UnboundedSender<CallEvent>) -> bool {
        self.state().enter(id, events)
    }

    /// Reserves the worker for one more call, if it takes one.
    pub(crate) fn reserve(&self, is_alone: bool, most: usize) -> bool {
        self.state().reserve(is_alone, most)
    }

    /// Returns a reservation.
    pub(crate) fn release(&self) {
        let kill = self.state().release();
        self.stop_if(kill);
    }

    /// A call that must be alone begins to wait.
    pub(crate) fn begin_wait(&self) {
        self.state().waiting += 1;
    }

    pub(crate) fn end_wait(&self) {
        let mut state = self.state();
        state.waiting -= 1;
        let is_free = state.waiting == 0;
        drop(state);
        if is_free {
            self.freed.notify_waiters();
        }
    }

    /// Calls whose callers wait; `None` if it takes no further calls.
    pub(crate) fn load_count(&self) -> Option<usize> {
        self.state().load_count()
    }

    pub(crate) fn has_ended(&self) -> bool {
        self.state().ended.is_some()
    }

    /// Gives it no further calls, and kills it when its calls have ended.
    pub(crate) fn retire(&self, why: &str) {
        let kill = self.state().retire(why);
        self.stop_if(kill);
    }

    /// Kills it now.
    pub(crate) fn kill(&self, why: &str) {
        self.state().retiring = Some(why.to_owned());
        self.stop_if(true);
    }

    /// Retires it, or kills it if it does not even answer: its other calls cannot go on either.
    pub(crate) async fn replace(&self, why: &str, grace: Duration) {
        self.retire(why);
        if !self.is_responsive(grace).await {
            self.kill(why);
        }
    }

    async fn is_responsive(&self, within: Duration) -> bool {
        let pong = self.pong.notified();
        self.send(&ToWorker::Ping).is_ok() && timeout(within, pong).await.is_ok()
    }

    fn stop_if(&self, kill: bool) {
        if kill {
            self.kill.notify_one();
        }
        self.freed.notify_waiters();
    }

    fn end_reason(&self) -> String {
        let ended = self.state().ended.clone();
        ended.map_or_else(|| "the worker process ended".to_owned(), |end| end.to_string())
    }

    /// Tells its calls that it has ended.
    fn end(&self, end: &WorkerEnd) {
        for events in self.state().end(end) {
            let _ = events.send(CallEvent::Ended(end.clone()));
        }
        self.freed.notify_waiters();
    }

    /// Passes a message on; an error is a breach of the protocol.
    fn receive(&self, message: FromWorker) -> Result<(), String> {
        match message {
            FromWorker::Call(id, message) => {
                let is_done = matches!(message, CallMessage::Done(_));
                let events = self.state().events_of(&id, is_done);
                match events {
                    Some(events) => drop(events.send(CallEvent::Message(message))),
                    // The ids of calls are random, so no other call is answered by it.
                    None if is_done => self.retire(FALSE_ANSWER),
                    None => {}
                }
            }
            FromWorker::Loaded(loaded) => {
                if !self.state().end_load(loaded) {
                    return Err("the end of a load that it was not asked for".to_owned());
                }
            }
            FromWorker::Pong => self.pong.notify_waiters(),
            FromWorker::Retire(reason) => self.retire(&reason),
            FromWorker::Hello(_) => return Err("its first message again".to_owned()),
        }
        Ok(())
    }

    fn state(&self) -> MutexGuard<'_, WorkerState> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
