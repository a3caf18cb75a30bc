//! Options for opening a store on disk.

use std::time::Duration;

/// The options. The defaults fit most uses.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SqliteOptions {
    /// How long to wait for the write lock while another process holds it.
    pub busy_timeout: Duration,
    /// The longest time until an operation without a waiter is on disk, and until changes of
    /// another process are seen.
    pub tick: Duration,
    /// From this many operations in the queue on, callers wait for room.
    pub queue: usize,
    /// The maximum size of the database file.
    pub max_bytes: Option<u64>,
    /// The estimated memory, in bytes, that stored answers may take for replay; older ones are read
    /// from disk.
    pub memory_bytes: usize,
}

impl Default for SqliteOptions {
    fn default() -> Self {
        Self {
            busy_timeout: Duration::from_secs(5),
            tick: Duration::from_millis(25),
            queue: 8192,
            max_bytes: None,
            memory_bytes: 32 * 1024 * 1024,
        }
    }
}
