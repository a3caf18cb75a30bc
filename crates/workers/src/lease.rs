//! The right to run one call on a worker, and the wait for a worker without calls.

use std::sync::Arc;

use crate::worker::Worker;

/// A reservation, returned when it is dropped.
#[derive(Debug)]
pub(crate) struct Lease {
    worker: Arc<Worker>,
    /// Whether its call runs alone on the worker.
    pub(crate) is_alone: bool,
}

impl Lease {
    /// Reserves a worker, if it takes one more call.
    pub(crate) fn take(worker: &Arc<Worker>, is_alone: bool, most: usize) -> Option<Self> {
        worker.reserve(is_alone, most).then(|| Self { worker: worker.clone(), is_alone })
    }

    pub(crate) fn worker(&self) -> &Arc<Worker> {
        &self.worker
    }
}

impl Drop for Lease {
    fn drop(&mut self) {
        self.worker.release();
    }
}

/// Keeps a worker from taking further calls until it is empty, or the wait is given up.
#[derive(Debug)]
pub(crate) struct EmptyWait(Arc<Worker>);

impl EmptyWait {
    pub(crate) fn new(worker: &Arc<Worker>) -> Self {
        worker.begin_wait();
        Self(worker.clone())
    }
}

impl Drop for EmptyWait {
    fn drop(&mut self) {
        self.0.end_wait();
    }
}
