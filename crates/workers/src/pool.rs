//! The workers of one interpreter: started when they are needed, and replaced when they end.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use tokio::runtime::Handle;
use tokio::sync::Notify;

use crate::interpreter::Interpreter;
use crate::lease::Lease;
use crate::load::explain;
use crate::message::LoadFault;
use crate::options::Options;
use crate::tool_code::ToolCode;
use crate::tree::Tree;
use crate::worker::Worker;

/// Calls at once on each worker from which on another worker is started.
const CROWDED: usize = 4;

#[derive(Debug)]
pub(crate) struct Pool {
    interpreter: Interpreter,
    options: Arc<Options>,
    tree: Arc<Tree>,
    workers: Mutex<Vec<Arc<Worker>>>,
    /// The declared secrets of the tools, for the environment.
    secrets: Mutex<BTreeMap<String, String>>,
    /// One worker is started at a time.
    starting: tokio::sync::Mutex<()>,
    freed: Arc<Notify>,
    /// The runtime of the engine. Its threads outlive the workers, which end with the thread that
    /// started them.
    runtime: Handle,
}

impl Pool {
    pub(crate) fn new(
        interpreter: Interpreter,
        options: Arc<Options>,
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
        let worker = match self.least_loaded() {
            Some(worker) => worker,
            None => self.start(1).await?,
        };
        worker.load(code, self.options.load).await.map_err(|fault| self.explain(code, &fault))
    }

    /// A worker that has loaded the tool, with room for one more call.
    pub(crate) async fn take(
        &self,
        code: &ToolCode,
        is_alone: bool,
        depth: usize,
    ) -> Result<Lease, String> {
        let lease = self.reserve(is_alone, depth).await?;
        let loaded = lease.worker().load(code, self.options.load).await;
        loaded.map_err(|fault| self.explain(code, &fault))?;
        Ok(lease)
    }

    async fn reserve(&self, is_alone: bool, depth: usize) -> Result<Lease, String> {
        // A nested call must not wait for the worker that its parent holds.
        let most = self.options.workers.max(1).saturating_mul(depth + 1);
        loop {
            let freed = self.freed.notified();
            tokio::pin!(freed);
            freed.as_mut().enable();
            let (found, count) = self.find(is_alone, most);
            if let Some(lease) = found {
                return Ok(lease);
            }
            if count < most {
                self.start(most).await?;
            } else {
                freed.await;
            }
        }
    }

    /// A free worker, and how many there are. Rather than crowd one, another is started.
    fn find(&self, is_alone: bool, most: usize) -> (Option<Lease>, usize) {
        let mut workers = self.workers();
        workers.retain(|worker| !worker.has_ended());
        let count = workers.iter().filter(|worker| worker.load_count().is_some()).count();
        let mut free: Vec<_> =
            workers.iter().filter_map(|worker| Some((worker.load_count()?, worker))).collect();
        free.sort_by_key(|(calls, _)| *calls);
        let is_crowded = free.first().is_some_and(|(calls, _)| *calls >= CROWDED);
        if is_crowded && count < most {
            return (None, count);
        }
        let lease =
            free.iter().find_map(|(_, worker)| Lease::take(worker, is_alone, self.options.calls));
        (lease, count)
    }

    fn least_loaded(&self) -> Option<Arc<Worker>> {
        let workers = self.workers();
        let free = workers.iter().filter_map(|worker| Some((worker.load_count()?, worker)));
        free.min_by_key(|(calls, _)| *calls).map(|(_, worker)| worker.clone())
    }

    /// Starts a worker, unless another task just started one and that was the last.
    async fn start(&self, most: usize) -> Result<Arc<Worker>, String> {
        let before = self.workers().len();
        let _starting = self.starting.lock().await;
        if let Some(worker) =
            self.least_loaded().filter(|_| self.count() >= most || self.workers().len() > before)
        {
            return Ok(worker);
        }
        let secrets = self.secrets.lock().unwrap_or_else(PoisonError::into_inner).clone();
        let (interpreter, tree) = (self.interpreter.clone(), self.tree.clone());
        let (options, freed) = (self.options.clone(), self.freed.clone());
        let started = self.runtime.spawn(async move {
            Worker::start(&interpreter, &secrets, &tree, &options, freed).await
        });
        let worker = started.await.unwrap_or_else(|error| Err(error.to_string()))?;
        self.workers().push(worker.clone());
        Ok(worker)
    }

    fn count(&self) -> usize {
        self.workers().iter().filter(|worker| worker.load_count().is_some()).count()
    }

    fn explain(&self, code: &ToolCode, fault: &LoadFault) -> String {
        explain(fault, code, self.interpreter.runtime, &self.options.tools)
    }

    fn workers(&self) -> MutexGuard<'_, Vec<Arc<Worker>>> {
        self.workers.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
