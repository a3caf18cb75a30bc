//! The pool of worker processes: a maximum number at each nesting depth of calls, each for one
//! tool, plus one in reserve.

use aileron_capability::foreign::HandlerFault;
use std::ffi::OsString;
use std::io;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio::time::timeout;

use super::frame::FromWorker;
use super::worker::Worker;
use crate::fault::LoadError;
use crate::options::Options;

/// Time limit for a worker to load a tool, in addition to the limits of the top level.
const LONGEST_LOAD: Duration = Duration::from_secs(20);

pub(super) struct Pool {
    pub(super) options: Options,
    command: Vec<OsString>,
    workers: usize,
    /// Slots of calls, by nesting depth. A call keeps its slot while it waits for its nested calls,
    /// which therefore use other slots.
    places: Mutex<Vec<Arc<Semaphore>>>,
    kept: Mutex<IdleWorkers>,
}

#[derive(Default)]
struct IdleWorkers {
    /// Idle workers, least recently used first.
    idle: Vec<Worker>,
    /// A worker without a tool, so that a tool's first call need not wait for a process to start.
    reserve: Option<Worker>,
}

impl IdleWorkers {
    /// Ends surplus idle workers, least recently used first.
    fn evict_idle(&mut self, busy: usize, workers: usize) {
        let excess = (self.idle.len() + busy).saturating_sub(workers);
        self.idle.drain(..excess.min(self.idle.len()));
    }
}

/// A worker with its slot.
pub(super) struct LeasedWorker {
    pub(super) worker: Worker,
    place: OwnedSemaphorePermit,
}

impl Pool {
    pub(super) fn new(options: Options, command: Vec<OsString>) -> Self {
        let workers = options.workers.max(1);
        Self { options, command, workers, places: Mutex::default(), kept: Mutex::default() }
    }

    /// Starts the first process.
    pub(super) async fn open(&self) -> io::Result<()> {
        let worker = self.start().await?;
        self.kept().reserve = Some(worker);
        Ok(())
    }

    /// The slots of a depth. The callers limit the depth.
    fn places(&self, depth: usize) -> Arc<Semaphore> {
        let mut places = self.places.lock().unwrap_or_else(PoisonError::into_inner);
        while places.len() <= depth {
            places.push(Arc::new(Semaphore::new(self.workers)));
        }
        places[depth].clone()
    }

    /// How many workers have a call.
    fn busy(&self) -> usize {
        let places = self.places.lock().unwrap_or_else(PoisonError::into_inner);
        places.iter().map(|places| self.workers - places.available_permits()).sum()
    }

    /// A worker that has loaded the script, as soon as a slot of this depth is free.
    pub(super) async fn take(
        self: &Arc<Self>,
        script: u64,
        load: &[u8],
        depth: usize,
    ) -> Result<LeasedWorker, LoadFault> {
        let place = self.places(depth).acquire_owned().await.map_err(|_| LoadFault::Lost)?;
        if let Some(worker) = self.take_idle(script) {
            return Ok(LeasedWorker { worker, place });
        }
        let mut worker = self.take_blank().await.map_err(|_| LoadFault::Lost)?;
        loaded(&mut worker, load).await?;
        worker.script = Some(script);
        Ok(LeasedWorker { worker, place })
    }

    /// The worker that ran the script last. Dead workers are dropped.
    fn take_idle(&self, script: u64) -> Option<Worker> {
        let mut kept = self.kept();
        loop {
            let at = kept.idle.iter().rposition(|worker| worker.script == Some(script))?;
            let mut worker = kept.idle.remove(at);
            if worker.is_alive() {
                return Some(worker);
            }
        }
    }

    /// A worker without a tool. If there are too many workers, the least recently used one is
    /// ended.
    async fn take_blank(self: &Arc<Self>) -> io::Result<Worker> {
        let reserve = {
            let mut kept = self.kept();
            kept.evict_idle(self.busy(), self.workers);
            kept.reserve.take().and_then(|mut worker| worker.is_alive().then_some(worker))
        };
        let pool = self.clone();
        tokio::spawn(async move { drop(pool.restock().await) });
        match reserve {
            Some(worker) => Ok(worker),
            None => self.start().await,
        }
    }

    async fn restock(&self) -> io::Result<()> {
        if self.kept().reserve.is_none() {
            let worker = self.start().await?;
            self.kept().reserve = Some(worker);
        }
        Ok(())
    }

    /// Keeps a worker that can be used again.
    pub(super) fn put_back(&self, leased: LeasedWorker) {
        let LeasedWorker { worker, place } = leased;
        let others = self.busy().saturating_sub(1);
        let mut kept = self.kept();
        kept.idle.push(worker);
        kept.evict_idle(others, self.workers);
        drop(kept);
        drop(place);
    }

    async fn start(&self) -> io::Result<Worker> {
        let longest = self.options.limits.result_bytes.saturating_mul(2).saturating_add(1 << 16);
        Worker::start(&self.command, longest).await
    }

    fn kept(&self) -> MutexGuard<'_, IdleWorkers> {
        self.kept.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Why there is no worker that has loaded the script.
pub(super) enum LoadFault {
    Refused(LoadError),
    Lost,
}

impl From<LoadFault> for HandlerFault {
    fn from(fault: LoadFault) -> Self {
        match fault {
            LoadFault::Refused(LoadError::TopLevel { fault, .. }) => fault,
            LoadFault::Refused(error) => Self::error("Error", error.to_string()),
            LoadFault::Lost => Self::EngineLost,
        }
    }
}

async fn loaded(worker: &mut Worker, load: &[u8]) -> Result<(), LoadFault> {
    let answer = timeout(LONGEST_LOAD, async {
        worker.tell_bytes(load).await?;
        worker.receive().await
    });
    match answer.await {
        Ok(Ok(FromWorker::Loaded(outcome))) => outcome.map_err(LoadFault::Refused),
        _ => Err(LoadFault::Lost),
    }
}
