//! Unique ids: a random prefix of this process and a number. A repeated call id would count as the
//! same call.

use std::sync::atomic::{AtomicU64, Ordering};

/// Makes ids.
#[derive(Debug)]
pub(crate) struct Ids {
    stamp: u32,
    next: AtomicU64,
}

impl Ids {
    /// A generator with a random prefix; without a source of randomness, the prefix is constant.
    pub(crate) fn new() -> Self {
        Self::stamped(getrandom::u32().unwrap_or_default())
    }

    pub(crate) fn stamped(stamp: u32) -> Self {
        Self { stamp, next: AtomicU64::new(1) }
    }

    /// The next id, with a prefix that says of what.
    pub(crate) fn next(&self, prefix: &str) -> String {
        let number = self.next.fetch_add(1, Ordering::Relaxed);
        format!("{prefix}{:08x}{number:06}", self.stamp)
    }
}
