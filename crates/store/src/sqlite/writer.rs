//! The one thread that writes: takes the queued tasks, applies them in one transaction, commits
//! once, then completes the waiters.

use std::sync::Arc;
use std::time::{Duration, Instant};

use aileron_contract::ConversationId;
use rusqlite::{Connection, TransactionBehavior, params};

use super::answer_cache::AnswerCache;
use super::blocks;
use super::calls::EnterRunning;
use super::commits::{self, Counter};
use super::fault::{self, column};
use super::leases;
use super::queue::NextWork;
use super::shared::StoreShared;
use super::task::{AfterCommit, Durability, SizeEffect, Task, WriteBatch, WriteTask};
use crate::error::StoreError;
use crate::pending_write::PendingWrite;

type Tasks = Vec<Box<dyn Task>>;

pub(super) struct StoreWriter {
    connection: Connection,
    shared: Arc<StoreShared>,
    recent: AnswerCache,
    counter: Counter,
    /// SQLite's counter of commits that this connection did not make.
    seen_version: i64,
    /// The newest ledger row that memory knows of.
    seen_row: i64,
    /// When running reads were last entered on disk.
    entered: Instant,
}

impl StoreWriter {
    pub(super) fn new(
        connection: Connection,
        shared: Arc<StoreShared>,
    ) -> Result<Self, StoreError> {
        let recent = AnswerCache::new(shared.options.memory_bytes);
        let entered = Instant::now();
        let counter = Counter::open(&shared.path);
        let (seen_version, seen_row) = (0, 0);
        let mut writer =
            Self { connection, shared, recent, counter, seen_version, seen_row, entered };
        writer.look_around().map_err(|error| fault::reading(&error))?;
        Ok(writer)
    }

    /// Runs until the store is closed. All waiters are completed, however it ends.
    pub(super) fn run(mut self) {
        let _closing = CloseOnDrop(self.shared.clone());
        loop {
            let mut tasks = match self.shared.queue.next(self.longest_wait()) {
                NextWork::Closed => return self.finish(),
                NextWork::Tick => Vec::new(),
                NextWork::Work(tasks) => tasks,
            };
            tasks.extend(self.running_reads());
            tasks.extend(self.shared.leases.take_waiting());
            // If this read fails, memory stays as it was until the next tick. It comes before the
            // work, so that a waiter sees what other processes had written by then.
            let _ = self.look_around();
            if !tasks.is_empty() {
                self.work(tasks);
            }
        }
    }

    /// The longest wait for work; shorter than a tick while a task waits for a lease.
    fn longest_wait(&self) -> Duration {
        match self.shared.leases.has_waiting() {
            true => leases::LOOK_EVERY,
            false => self.shared.options.tick,
        }
    }

    /// Once per tick: the reads that have been running since before it.
    fn running_reads(&mut self) -> Option<Box<dyn Task>> {
        if self.entered.elapsed() < self.shared.options.tick {
            return None;
        }
        self.entered = Instant::now();
        EnterRunning::new(&self.shared.cache).map(|task| Box::new(task) as Box<dyn Task>)
    }

    /// Makes a last attempt to write the remaining tasks, then folds the write-ahead log into the
    /// database. SQLite does that only when the last connection closes.
    fn finish(&mut self) {
        let mut left = self.shared.queue.take_all(&StoreError::Closed);
        if !left.is_empty() {
            match self.transact(&mut left) {
                Ok(()) => self.tell(left),
                Err(error) => self.give_up(left, &error),
            }
        }
        // Best effort: the next process that opens the store also folds the log in.
        let fold = "PRAGMA wal_checkpoint(TRUNCATE)";
        let _ = self.connection.query_row(fold, [], |_| Ok(()));
    }

    fn work(&mut self, mut tasks: Tasks) {
        match self.transact(&mut tasks) {
            Ok(()) => self.succeed(tasks),
            Err(StoreError::Rejected { .. }) if tasks.len() > 1 => {
                // One of the tasks is at fault; applied one by one, the others succeed.
                tasks.into_iter().for_each(|task| self.work(vec![task]));
            }
            Err(error @ StoreError::Rejected { .. }) => self.give_up(tasks, &error),
            Err(error) => self.fail(tasks, error),
        }
    }

    fn transact(&mut self, tasks: &mut Tasks) -> Result<(), StoreError> {
        self.shared.file.check()?;
        let written = commit(&mut self.connection, &self.shared, tasks);
        let made = written.map_err(|error| fault::writing(&error))?;
        made.into_iter().for_each(|made| self.counter.note(made));
        Ok(())
    }

    fn succeed(&mut self, tasks: Tasks) {
        self.shared.queue.recovered();
        self.tell(tasks);
    }

    fn tell(&mut self, tasks: Tasks) {
        let mut after = AfterCommit { shared: &self.shared, recent: &mut self.recent };
        tasks.into_iter().for_each(|task| task.committed(&mut after));
    }

    /// Fails all waiting tasks with the error; keeps those that must not be lost for the next
    /// attempt.
    fn fail(&mut self, mut tasks: Tasks, error: StoreError) {
        tasks.extend(self.shared.queue.take_all(&error));
        let (freeing, others): (Tasks, Tasks) =
            tasks.into_iter().partition(|task| task.frees_space());
        let kept = others.into_iter().filter_map(|task| task.failed(&self.shared, &error));
        self.shared.queue.put_back(kept.collect(), error);
        freeing.into_iter().for_each(|task| self.make_room(task));
    }

    /// Fails the tasks for good, because a retry would not help.
    fn give_up(&self, tasks: Tasks, error: &StoreError) {
        tasks.into_iter().for_each(|task| drop(task.failed(&self.shared, error)));
    }

    /// Applies a task that frees space in a separate transaction, which may fit where the others do
    /// not.
    fn make_room(&mut self, task: Box<dyn Task>) {
        let mut alone = vec![task];
        match self.transact(&mut alone) {
            Ok(()) => self.tell(alone),
            Err(error) => self.give_up(alone, &error),
        }
    }

    /// Loads changes of other processes into memory: blocks, keys, and requests for leases.
    fn look_around(&mut self) -> rusqlite::Result<()> {
        let sql = "PRAGMA data_version";
        let version = self.connection.prepare_cached(sql)?.query_row([], |row| row.get(0))?;
        if version != self.seen_version {
            self.shared.blocks.replace(blocks::all(&self.connection)?);
            self.note_foreign_rows()?;
            self.let_go_of_wanted()?;
            self.seen_version = version;
        }
        Ok(())
    }

    /// Releases the conversations that other processes want. The lease is revoked first: a later
    /// decision has to acquire it again, and earlier decisions are written before the release.
    fn let_go_of_wanted(&self) -> rusqlite::Result<()> {
        for (conversation, epoch) in leases::wanted(&self.connection, self.shared.instance.id())? {
            self.shared.leases.revoke(&conversation);
            self.shared.leases.give_way(&conversation);
            let run = move |batch: &mut WriteBatch<'_>| leases::let_go(batch, &conversation, epoch);
            // No caller waits for it here; the process that wants the conversation sees the release
            // in the file.
            let (reply, _) = PendingWrite::pending();
            let task = WriteTask::new(run, |_: &StoreShared, ()| (), SizeEffect::Takes, reply);
            self.shared.queue.push_now(Box::new(task), Durability::Immediate);
        }
        Ok(())
    }

    fn note_foreign_rows(&mut self) -> rusqlite::Result<()> {
        let newest = self.connection.query_row(
            "SELECT ifnull((SELECT max(id) FROM ledger), 0)",
            [],
            |row| row.get(0),
        )?;
        // Memory holds no conversation before the first check.
        if self.seen_version != 0 {
            let sql = "
                SELECT conversation, key FROM ledger WHERE id > ?1 AND id <= ?2 AND instance <> ?3";
            let mut statement = self.connection.prepare_cached(sql)?;
            let me = self.shared.instance.id();
            let mut rows = statement.query(params![self.seen_row, newest, me])?;
            while let Some(row) = rows.next()? {
                let conversation = column(0, ConversationId::new(row.get::<_, String>(0)?))?;
                self.shared.cache.note_foreign(&conversation, row.get_ref(1)?.as_str()?);
            }
        }
        self.seen_row = newest;
        Ok(())
    }
}

/// Applies all tasks in one transaction, and returns its number if it changed anything. Rolls back
/// on failure.
fn commit(
    connection: &mut Connection,
    shared: &StoreShared,
    tasks: &mut Tasks,
) -> rusqlite::Result<Option<u64>> {
    let before = connection.total_changes();
    let transaction = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
    let mut batch = WriteBatch::new(&transaction, shared);
    tasks.iter_mut().try_for_each(|task| task.apply(&mut batch))?;
    batch.finish()?;
    let made = commits::count(&transaction, before)?;
    transaction.commit()?;
    Ok(made)
}

/// Closes the queue when the writer ends, also by a panic, and fails the remaining tasks.
struct CloseOnDrop(Arc<StoreShared>);

impl Drop for CloseOnDrop {
    fn drop(&mut self) {
        self.0.queue.close();
        let left = self.0.queue.take_all(&StoreError::Closed);
        left.into_iter().for_each(|task| drop(task.failed(&self.0, &StoreError::Closed)));
    }
}

#[cfg(test)]
#[path = "writer_tests.rs"]
mod tests;
