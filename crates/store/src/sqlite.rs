//! A store in an SQLite file, shared by the processes of one machine.
//! Calls are answered from memory; one thread writes, and many operations share one fsync. Another
//! process sees at once that a confirmation was taken, sees a block or a finished call within a
//! tick, and never starts a write that this process has started. Each conversation has one owner
//! among the processes, see `leases`.

mod answer_cache;
mod audit;
mod background_tasks;
mod blocks;
mod calls;
mod claim;
mod commits;
mod confirmations;
mod connection;
mod conversations;
mod counting;
mod fault;
mod file_identity;
mod instance;
mod leases;
mod messages;
mod options;
mod queue;
mod rates;
mod recovery;
mod retention;
mod rows;
mod schema;
mod shared;
mod store;
mod task;
mod writer;

use std::path::Path;
use std::sync::{Arc, Mutex};
use std::thread::{self, JoinHandle};

pub use self::audit::AuditLog;
pub use self::options::SqliteOptions;

use self::counting::Counting;
use self::file_identity::FileIdentity;
use self::instance::Instance;
use self::leases::Leases;
use self::queue::Queue;
use self::shared::StoreShared;
use self::writer::StoreWriter;
use crate::blocks::Blocks;
use crate::error::StoreError;
use crate::ledger_cache::{EntryBacking, LedgerCache};
use crate::store::Store;

/// State in a file. Dropping it writes the queued tasks and closes the file.
#[derive(Debug)]
pub struct SqliteStore {
    shared: Arc<StoreShared>,
    writer: Option<JoinHandle<()>>,
}

impl SqliteStore {
    /// Opens the store at `path`, creates it if it does not exist, migrates it to the newest
    /// format, and closes the calls of processes that died.
    pub fn open(path: impl AsRef<Path>, options: SqliteOptions) -> Result<Self, StoreError> {
        let path = path.as_ref();
        let connection = connection::writer(path, &options)?;
        let reader = Mutex::new(connection::reader(path, options.busy_timeout)?);
        let shared = Arc::new(StoreShared {
            path: path.to_owned(),
            file: FileIdentity::of(path),
            cache: LedgerCache::new(EntryBacking::Disk),
            blocks: Blocks::default(),
            counting: Counting::default(),
            leases: Leases::default(),
            queue: Queue::new(options.queue, options.tick),
            instance: Instance::register(path)?,
            reader,
            options,
        });
        let writer = StoreWriter::new(connection, shared.clone())?;
        let thread = thread::Builder::new().name("aileron-store".to_owned());
        let thread = thread.spawn(move || writer.run()).map_err(|error| {
            StoreError::Unwritable { why: format!("the writer's thread cannot start: {error}") }
        })?;
        let store = Self { shared, writer: Some(thread) };
        match store.recover().wait() {
            // Recovery is repeated later if the store cannot be written; reads work already.
            Ok(_) | Err(StoreError::Unwritable { .. }) => Ok(store),
            Err(error) => Err(error),
        }
    }
}

impl Drop for SqliteStore {
    fn drop(&mut self) {
        self.shared.queue.close();
        if let Some(writer) = self.writer.take() {
            // A writer that panicked has already answered all waiters.
            let _ = writer.join();
        }
    }
}
