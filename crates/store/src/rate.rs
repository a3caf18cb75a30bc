//! Calls that are counted: so many in a window of time. What a counter stands for is the caller's
//! business.

/// A counter and its limit.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Counter {
    /// The same name is the same counter, in all processes.
    pub name: String,
    /// How many calls are counted in a window at most.
    pub calls: u64,
    pub window_ms: u64,
}

/// The answer to counting a call.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CountResult {
    /// There was room, and the call has taken it.
    Within,
    /// As many as may be were counted; one more may be in this time.
    Full { wait_ms: u64 },
}

/// What the limit of a counter comes to for the next call.
pub(crate) enum RateRoom {
    /// No call fits, however long it waits.
    Never,
    /// A call fits once the call of this place, from the newest on, is out of the window.
    After(u64),
}

impl Counter {
    /// Which of the calls that are counted stands in the way, if `more` come now before the next.
    pub(crate) fn room(&self, more: u64) -> RateRoom {
        match self.calls.checked_sub(more) {
            None | Some(0) => RateRoom::Never,
            Some(free) => RateRoom::After(free - 1),
        }
    }

    /// How long a call waits for one that was counted at `time` to leave the window.
    pub(crate) fn wait_for(&self, time: u64, now: u64) -> u64 {
        time.saturating_add(self.window_ms).saturating_sub(now)
    }
}
