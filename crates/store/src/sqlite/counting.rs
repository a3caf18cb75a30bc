//! Calls whose count is being written, so that a concurrent check of the limit includes them.

use std::sync::atomic::{AtomicI64, Ordering};
use std::sync::{Arc, Mutex};

use rusqlite::Connection;

use super::rates;
use super::shared::StoreShared;
use super::task::{AfterCommit, Task, WriteBatch};
use crate::error::StoreError;
use crate::pending_write::WriteCompleter;
use crate::rate::{CountResult, Counter};
use crate::shared_once::lock;

/// The row of a call that is not written yet.
const UNWRITTEN: i64 = 0;

/// The row of a call that exceeded the limit and is not written.
const NONE: i64 = -1;

/// The calls of this process whose count is being written.
#[derive(Debug, Default)]
pub(super) struct Counting(Mutex<Vec<Arc<PendingCount>>>);

/// A call whose count is being written.
#[derive(Debug)]
struct PendingCount {
    counter: String,
    /// Set when the row is written, which is before it is committed.
    row: AtomicI64,
}

impl Counting {
    fn add(&self, counter: &Counter) -> Arc<PendingCount> {
        let row = AtomicI64::new(UNWRITTEN);
        let place = Arc::new(PendingCount { counter: counter.name.clone(), row });
        lock(&self.0).push(place.clone());
        place
    }

    fn remove(&self, place: &Arc<PendingCount>) {
        lock(&self.0).retain(|other| !Arc::ptr_eq(other, place));
    }

    /// How long a call has to wait that comes after `more` others and all calls that are being
    /// counted. The disk is read in one snapshot, and no call leaves the list meanwhile, so that
    /// each call is counted once.
    pub(super) fn wait(
        &self,
        connection: &Connection,
        counter: &Counter,
        more: u64,
        now: u64,
    ) -> rusqlite::Result<Option<u64>> {
        let places = lock(&self.0);
        let moment = connection.unchecked_transaction()?;
        let newest = rates::newest(&moment)?;
        let unseen = places.iter().filter(|place| place.is_unseen(counter, newest)).count() as u64;
        rates::wait(&moment, counter, more.saturating_add(unseen), now)
    }
}

impl PendingCount {
    /// Whether a snapshot up to the `newest` row does not include this call of the counter.
    fn is_unseen(&self, counter: &Counter, newest: i64) -> bool {
        let row = self.row.load(Ordering::Acquire);
        self.counter == counter.name && (row == UNWRITTEN || row > newest)
    }
}

/// Counts a call before it runs; the caller waits for it.
pub(super) struct CountCall {
    counter: Counter,
    now: u64,
    place: Arc<PendingCount>,
    reply: WriteCompleter<CountResult>,
    counted: Option<CountResult>,
}

impl CountCall {
    pub(super) fn new(
        counter: Counter,
        now: u64,
        counting: &Counting,
        reply: WriteCompleter<CountResult>,
    ) -> Self {
        let place = counting.add(&counter);
        Self { counter, now, place, reply, counted: None }
    }
}

impl Task for CountCall {
    fn apply(&mut self, batch: &mut WriteBatch<'_>) -> rusqlite::Result<()> {
        let counted = rates::count(batch.connection, &self.counter, self.now)?;
        let row = match counted {
            CountResult::Within => batch.connection.last_insert_rowid(),
            CountResult::Full { .. } => NONE,
        };
        self.place.row.store(row, Ordering::Release);
        self.counted = Some(counted);
        Ok(())
    }

    fn committed(self: Box<Self>, after: &mut AfterCommit<'_>) {
        after.shared.counting.remove(&self.place);
        if let Some(counted) = self.counted {
            self.reply.send(Ok(counted));
        }
    }

    fn failed(self: Box<Self>, shared: &StoreShared, error: &StoreError) -> Option<Box<dyn Task>> {
        shared.counting.remove(&self.place);
        self.reply.send(Err(error.clone()));
        None
    }
}
