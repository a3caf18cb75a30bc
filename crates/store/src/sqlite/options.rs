//! What can be set when a store on disk is opened.

use std::time::Duration;

/// Numbers that fit most uses.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SqliteOptions {
    /// How long to wait for the write lock while another process holds it.
    pub busy_timeout: Duration,
    /// The longest that operations nobody waits for stay off the disk, and that
    /// changes of another process stay unseen.
    pub tick: Duration,
    /// From this many operations in the queue on, callers wait for room.
    pub queue: usize,
    /// The most the database file may grow to.
    pub max_bytes: Option<u64>,
    /// How much memory answers may take that are kept for replay, with all that is held for them,
    /// as it is estimated; older ones are read from disk.
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
