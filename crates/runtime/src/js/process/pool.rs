//! The worker processes that run: at most so many, each for one tool, plus one in reserve.

use std::ffi::OsString;
use std::io;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio::time::timeout;

use super::frame::FromWorker;
use super::worker::Worker;
use crate::js::fault::{Fault, LoadError};
use crate::js::options::Options;

/// How long a worker may take to load a tool, its own limits on the top level aside.
const LONGEST_LOAD: Duration = Duration::from_secs(20);

pub(super) struct Pool {
    pub(super) options: Options,
    command: Vec<OsString>,
    workers: usize,
    places: Arc<Semaphore>,
    kept: Mutex<Kept>,
}

#[derive(Default)]
struct Kept {
    /// Workers without a call, the longest unused first.
    idle: Vec<Worker>,
    /// A worker without a tool, so that a tool's first call need not wait for a process to start.
    reserve: Option<Worker>,
}

/// A worker with the place it takes.
pub(super) struct Seated {
    pub(super) worker: Worker,
    place: OwnedSemaphorePermit,
}

impl Pool {
    pub(super) fn new(options: Options, command: Vec<OsString>) -> Self {
        let workers = options.workers.max(1);
        let places = Arc::new(Semaphore::new(workers));
        Self { options, command, workers, places, kept: Mutex::default() }
    }

    /// Starts the first process.
    pub(super) async fn open(&self) -> io::Result<()> {
        let worker = self.start().await?;
        self.kept().reserve = Some(worker);
        Ok(())
    }

    /// A worker that has loaded the script, as soon as there is a place.
    pub(super) async fn take(
        self: &Arc<Self>,
        script: u64,
        load: &[u8],
    ) -> Result<Seated, LoadFault> {
        let place = self.places.clone().acquire_owned().await.map_err(|_| LoadFault::Lost)?;
        if let Some(worker) = self.take_idle(script) {
            return Ok(Seated { worker, place });
        }
        let mut worker = self.take_blank().await.map_err(|_| LoadFault::Lost)?;
        loaded(&mut worker, load).await?;
        worker.script = Some(script);
        Ok(Seated { worker, place })
    }

    /// The worker that ran the script last. Those that died meanwhile are dropped on the way.
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

    /// A worker without a tool. The longest unused worker makes room for it if there are too many.
    async fn take_blank(self: &Arc<Self>) -> io::Result<Worker> {
        let reserve = {
            let mut kept = self.kept();
            let busy = self.workers - self.places.available_permits();
            let excess = (kept.idle.len() + busy).saturating_sub(self.workers);
            kept.idle.drain(..excess);
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
    pub(super) fn put_back(&self, seated: Seated) {
        let Seated { worker, place } = seated;
        self.kept().idle.push(worker);
        drop(place);
    }

    async fn start(&self) -> io::Result<Worker> {
        let longest = self.options.limits.result_bytes.saturating_mul(2).saturating_add(1 << 16);
        Worker::start(&self.command, longest).await
    }

    fn kept(&self) -> MutexGuard<'_, Kept> {
        self.kept.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Why there is no worker that has loaded the script.
pub(super) enum LoadFault {
    Refused(LoadError),
    Lost,
}

impl From<LoadFault> for Fault {
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
        worker.hear().await
    });
    match answer.await {
        Ok(Ok(FromWorker::Loaded(outcome))) => outcome.map_err(LoadFault::Refused),
        _ => Err(LoadFault::Lost),
    }
}
