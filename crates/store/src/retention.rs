//! The time by which old entries are removed: a clock that jumps must not make entries older.
//!
//! The wall clock may jump by days, and such a jump cannot be distinguished from a process that was
//! switched off for as long. So only the time counts during which a process ran, by its monotonic
//! clock. If the wall clock is ahead of that, the difference counts after processes have run for a
//! whole confirmation period with the clock still ahead. Entries are removed late rather than
//! early.

/// The progress of retention. All in milliseconds.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct Retention {
    /// The time by which entries are old, since the Unix epoch; 0 before the first check.
    pub(crate) reached: u64,
    /// The wall clock at the last check.
    pub(crate) seen: u64,
    /// How long processes have run with this store.
    pub(crate) lived: u64,
    /// By how much the wall clock was ahead when that was last noted, and the value of `lived`
    /// then.
    pub(crate) ahead: u64,
    pub(crate) ahead_at: u64,
}

/// One reading of the clocks.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RetentionCheck {
    /// The wall clock, in milliseconds since the Unix epoch.
    pub now: u64,
    /// How long this process has run since its last check, by its monotonic clock; 0 at the first.
    pub lived_ms: u64,
    /// How long the wall clock has to stay ahead before the difference counts.
    pub confirm_ms: u64,
}

impl Retention {
    /// The initial state for a store whose newest entry has this time.
    pub(crate) fn begin(newest: Option<u64>, now: u64) -> Self {
        let reached = newest.map_or(now, |newest| newest.min(now));
        Self { reached, seen: now, ..Self::default() }
    }

    /// Advances retention by one reading of the clocks; returns the time by which entries are old.
    pub(crate) fn advance(
        &mut self,
        RetentionCheck { now, lived_ms, confirm_ms }: RetentionCheck,
    ) -> u64 {
        let since = now.saturating_sub(self.seen);
        let lived = lived_ms.min(since);
        (self.seen, self.lived) = (now, self.lived.saturating_add(lived));
        self.reached = self.reached.saturating_add(lived).min(now);
        if self.ahead > 0 && self.lived.saturating_sub(self.ahead_at) >= confirm_ms {
            self.reached = self.reached.saturating_add(self.ahead).min(now);
            self.ahead = 0;
        }
        let ahead = now - self.reached;
        if ahead == 0 {
            self.ahead = 0;
        } else if self.ahead == 0 || ahead < self.ahead {
            (self.ahead, self.ahead_at) = (ahead, self.lived);
        }
        self.reached
    }
}

#[cfg(test)]
#[path = "retention_tests.rs"]
mod tests;
