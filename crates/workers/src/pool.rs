//! The workers of one interpreter: started when they are needed, and replaced when they end.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Instant;

use tokio::runtime::Handle;
use tokio::sync::Notify;

use crate::backoff::StartBackoff;
use crate::interpreter::Interpreter;
use crate::lease::{EmptyWait, Lease};
use crate::load::explain;
use crate::message::LoadFault;
use crate::options::WorkerOptions;
use crate::tool_code::ToolCode;
use crate::tree::Tree;
use crate::worker::{LoadFailure, Rank, Worker};

/// Calls at once on each worker from which on another worker is started.
const CROWDED: usize = 4;

/// How many workers may end while they load a handler for a call, until the handler is blamed.
const ENDED_LOADS: usize = 2;

#[derive(Debug)]
pub(crate) struct Pool {
    interpreter: Interpreter,
    options: Arc<WorkerOptions>,
    tree: Arc<Tree>,
    workers: Mutex<Vec<Arc<Worker>>>,
    /// The declared secrets of the tools, for the environment.
    secrets: Mutex<BTreeMap<String, String>>,
    /// One worker is started at a time.
    starting: tokio::sync::Mutex<StartBackoff>,
    /// Number of workers that were started so far.
    started: AtomicUsize,
    freed: Arc<Notify>,
    /// The runtime of the engine. Its threads outlive the workers, which end with the thread that
    /// started them.
    runtime: Handle,
}

/// The outcome of a search for a free worker.
enum Search {
    Found(Lease),
    /// Another worker may be started.
    Room,
    /// All are taken. A call that must be alone keeps one from taking further calls meanwhile.
    Full(Option<EmptyWait>),
}

impl Pool {
    pub(crate) fn new(
        interpreter: Interpreter,
        options: Arc<WorkerOptions>,
        tree: Arc<Tree>,
        runtime: Handle,
    ) -> Self {
        Self {
            interpreter,
            options,
            tree,
            workers: Mutex::default(),
            secrets: Mutex::default(),
            starting: tokio::sync::Mutex::default(),
            started: AtomicUsize::new(0),
            freed: Arc::default(),
            runtime,
        }
    }

    /// Adds the secrets of a tool to the environment of workers that start from now on.
    pub(crate) fn add_secrets(&self, names: &[String]) {
        let mut secrets = self.secrets.lock().unwrap_or_else(PoisonError::into_inner);
        let values =
            names.iter().filter_map(|name| Some((name.clone(), std::env::var(name).ok()?)));
        secrets.extend(values);
    }

    /// Loads a tool, so that its faults are known before its first call. Whether it may run several
    /// calls at once, or the reason why it cannot be run.
    pub(crate) async fn first_load(&self, code: &ToolCode) -> Result<bool, String> {
        let WorkerOptions { load, grace, .. } = *self.options;
        loop {
            let Some(worker) = self.any_worker() else {
                self.start(0).await?;
                continue;
            };
            match worker.load(code, load, grace).await {
                Ok(concurrent) => return Ok(concurrent),
                Err(LoadFailure::Fault(fault)) => return Err(self.explain(code, &fault)),
                // The worker runs no calls yet, so it was the handler that ended it.
                Err(LoadFailure::Ended(why)) => {
                    return Err(self.explain(code, &LoadFault::top_level(why)));
                }
                // The top level of another handler ended the worker.
                Err(LoadFailure::Gone) => {}
            }
        }
    }

    /// A worker that has loaded the tool, with room for one more call.
    pub(crate) async fn take(
        &self,
        code: &ToolCode,
        is_alone: bool,
        depth: usize,
    ) -> Result<Lease, String> {
        let WorkerOptions { load, grace, .. } = *self.options;
        let mut ended = 0;
        loop {
            let lease = self.reserve(is_alone, depth).await?;
            match lease.worker().load(code, load, grace).await {
                Ok(_) => return Ok(lease),
                Err(LoadFailure::Gone) => {}
                // Another call may have ended the worker.
                Err(LoadFailure::Ended(_)) if ended < ENDED_LOADS => ended += 1,
                Err(LoadFailure::Ended(why)) => {
                    return Err(self.explain(code, &LoadFault::top_level(why)));
                }
                Err(LoadFailure::Fault(fault)) => return Err(self.explain(code, &fault)),
            }
        }
    }

    async fn reserve(&self, is_alone: bool, depth: usize) -> Result<Lease, String> {
        let mut waiting = None;
        loop {
            let freed = self.freed.notified();
            tokio::pin!(freed);
            freed.as_mut().enable();
            match self.find(is_alone, depth) {
                Search::Found(lease) => return Ok(lease),
                Search::Room => self.start(depth).await?,
                Search::Full(wait) => {
                    // The wait before is given up only when the next one has begun.
                    drop(std::mem::replace(&mut waiting, wait));
                    freed.await;
                }
            }
        }
    }

    /// Looks for a free worker. A call uses workers of its depth and below: calls of each depth have
    /// workers of their own, so a nested call never waits for one that a call like its parent holds.
    fn find(&self, is_alone: bool, depth: usize) -> Search {
        let mut workers = self.workers();
        workers.retain(|worker| !worker.has_ended());
        let mut free: Vec<_> = workers
            .iter()
            .filter(|worker| worker.rank.depth <= depth)
            .filter_map(|worker| Some((worker.load_count()?, worker)))
            .collect();
        free.sort_by_key(|(calls, _)| *calls);
        let own = free.iter().filter(|(_, worker)| worker.rank.depth == depth).count();
        let has_room = own < self.options.workers.max(1);
        // Rather than wait or crowd a worker, another one is started.
        let busy = if is_alone { 1 } else { CROWDED };
        if has_room && free.first().is_none_or(|(calls, _)| *calls >= busy) {
            return Search::Room;
        }
        let most = self.options.calls;
        match free.iter().find_map(|(_, worker)| Lease::take(worker, is_alone, most)) {
            Some(lease) => Search::Found(lease),
            None if has_room => Search::Room,
            None if is_alone => {
                Search::Full(free.first().map(|(_, worker)| EmptyWait::new(worker)))
            }
            None => Search::Full(None),
        }
    }

    fn any_worker(&self) -> Option<Arc<Worker>> {
        let workers = self.workers();
        let free = workers.iter().filter_map(|worker| Some((worker.load_count()?, worker)));
        free.min_by_key(|(calls, _)| *calls).map(|(_, worker)| worker.clone())
    }

    /// Starts a worker, unless another task just started one.
    async fn start(&self, depth: usize) -> Result<(), String> {
        let before = self.started.load(Ordering::Acquire);
        let mut backoff = self.starting.lock().await;
        if self.started.load(Ordering::Acquire) != before {
            return Ok(());
        }
        backoff.check(Instant::now())?;
        match self.start_now(depth).await {
            Ok(worker) => {
                self.workers().push(worker);
                self.started.fetch_add(1, Ordering::AcqRel);
                backoff.succeeded();
                Ok(())
            }
            Err(why) => {
                backoff.failed(why.clone(), Instant::now());
                Err(why)
            }
        }
    }

    async fn start_now(&self, depth: usize) -> Result<Arc<Worker>, String> {
        let stays = !self.workers().iter().any(|worker| worker.rank.stays && !worker.has_ended());
        let rank = Rank { depth, stays: stays && depth == 0 };
        let secrets = self.secrets.lock().unwrap_or_else(PoisonError::into_inner).clone();
        let (interpreter, tree) = (self.interpreter.clone(), self.tree.clone());
        let (options, freed) = (self.options.clone(), self.freed.clone());
        let started = self.runtime.spawn(async move {
            Worker::start(&interpreter, &secrets, &tree, &options, rank, freed).await
        });
        started.await.unwrap_or_else(|error| Err(error.to_string()))
    }

    fn explain(&self, code: &ToolCode, fault: &LoadFault) -> String {
        explain(fault, code, self.interpreter.runtime, &self.options.tools)
    }

    fn workers(&self) -> MutexGuard<'_, Vec<Arc<Worker>>> {
        self.workers.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
