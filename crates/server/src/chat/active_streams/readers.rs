//! The readers of an answer, and whether each still takes data.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use tokio::time::Instant;

/// The readers of one answer, each with the time at which it was given data; `None` while it waits for data.
#[derive(Debug, Default, Clone)]
pub(super) struct Readers(Arc<Mutex<ReaderPlaces>>);

#[derive(Debug, Default)]
struct ReaderPlaces {
    next: u64,
    given: BTreeMap<u64, Option<Instant>>,
}

/// A guard: the reader is removed when this is dropped.
#[derive(Debug)]
pub(super) struct StreamReader {
    readers: Readers,
    number: u64,
}

impl Readers {
    pub(super) fn enter(&self) -> StreamReader {
        let mut places = self.lock();
        let number = places.next;
        places.next += 1;
        places.given.insert(number, None);
        StreamReader { readers: self.clone(), number }
    }

    /// Whether any reader has taken its data within `stalled_after`.
    pub(super) fn any(&self, stalled_after: Duration) -> bool {
        let reads = |given: &Option<Instant>| given.is_none_or(|at| at.elapsed() < stalled_after);
        self.lock().given.values().any(reads)
    }

    fn lock(&self) -> MutexGuard<'_, ReaderPlaces> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl StreamReader {
    pub(super) fn set(&self, given: Option<Instant>) {
        self.readers.lock().given.insert(self.number, given);
    }
}

impl Drop for StreamReader {
    fn drop(&mut self) {
        self.readers.lock().given.remove(&self.number);
    }
}
