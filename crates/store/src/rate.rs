//! Counters of calls within a window of time, for rate limits. The caller decides which calls a
//! counter counts.

/// A counter and its limit.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Counter {
    /// The same name is the same counter, in all processes.
    pub name: String,
    /// The maximum number of calls in a window.
    pub calls: u64,
    pub window_ms: u64,
}

/// The result of counting a call.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CountResult {
    /// The call was within the limit and is counted.
    Within,
    /// The limit is reached; another call fits after this time.
    Full { wait_ms: u64 },
}

/// When the next call fits under a counter's limit.
pub(crate) enum RateRoom {
    /// No call fits, however long it waits.
    Never,
    /// A call fits once the counted call at this index, counted from the newest, has left the
    /// window.
    After(u64),
}

impl Counter {
    /// Which counted call has to leave the window first, if `more` calls come before the next one.
    pub(crate) fn room(&self, more: u64) -> RateRoom {
        match self.calls.checked_sub(more) {
            None | Some(0) => RateRoom::Never,
            Some(free) => RateRoom::After(free - 1),
        }
    }

    /// How long a call waits until the call counted at `time` leaves the window.
    pub(crate) fn wait_for(&self, time: u64, now: u64) -> u64 {
        time.saturating_add(self.window_ms).saturating_sub(now)
    }
}
