//! Refuses calls of a tool whose earlier calls block threads.
//!
//! A thread that a built-in blocks beyond all limits cannot be killed. Further calls of that tool
//! by the same caller are refused, for a time that doubles with each repetition; other callers are
//! not affected. The tool is refused to all callers only while it blocks several threads. Both end
//! after a time, or as soon as the threads return. Worker processes are killed instead, so they
//! cause no quarantine.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use aileron_capability::handler::{Quarantine, QuarantineScope};
use aileron_contract::Backoff;

/// How long the first quarantine lasts, and the longest.
const LENGTH: Backoff = Backoff { base: Duration::from_secs(10), max: Duration::from_secs(3600) };

/// Time after a quarantine in which the next one counts as a repetition.
const REMEMBERED: Duration = Duration::from_secs(3600);

/// Number of blocked threads from which on a tool is refused to all callers.
const MOST_HELD: usize = 3;

/// The quarantines of one tool.
#[derive(Debug, Default)]
pub(crate) struct Quarantines(Mutex<State>);

#[derive(Debug, Default)]
struct State {
    callers: HashMap<Arc<str>, QuarantineTerm>,
    everybody: Option<QuarantineTerm>,
    held: usize,
}

/// The end of a refusal, and the number of repetitions.
#[derive(Debug, Clone, Copy)]
struct QuarantineTerm {
    times: u32,
    until: Instant,
}

impl QuarantineTerm {
    /// The refusal that follows an earlier one.
    fn after(earlier: Option<Self>, now: Instant) -> Self {
        let times = earlier.map_or(0, |earlier| earlier.times) + 1;
        Self { times, until: now + LENGTH.wait(times) }
    }

    fn time_left(&self, now: Instant) -> Option<Duration> {
        Some(self.until.saturating_duration_since(now)).filter(|left| !left.is_zero())
    }
}

impl Quarantines {
    /// Records a blocked thread. There is no caller if it was preparing a sandbox.
    pub(crate) fn hold(&self, caller: Option<&Arc<str>>, now: Instant) {
        let mut state = self.state();
        state.held += 1;
        state.callers.retain(|_, term| now < term.until + REMEMBERED);
        if let Some(caller) = caller {
            let earlier = state.callers.get(caller).copied();
            state.callers.insert(caller.clone(), QuarantineTerm::after(earlier, now));
        }
        if caller.is_none() || state.held >= MOST_HELD {
            state.everybody = Some(QuarantineTerm::after(state.everybody, now));
        }
    }

    /// Records that a blocked thread has returned.
    pub(crate) fn release(&self, caller: Option<&Arc<str>>, now: Instant) {
        let mut state = self.state();
        state.held = state.held.saturating_sub(1);
        if let Some(term) = caller.and_then(|caller| state.callers.get_mut(caller)) {
            term.until = now;
        }
        if state.held < MOST_HELD
            && let Some(term) = &mut state.everybody
        {
            term.until = now;
        }
    }

    /// The quarantine that refuses a call of this caller.
    pub(crate) fn refusal(&self, caller: &str, now: Instant) -> Option<Quarantine> {
        let state = self.state();
        let own = state.callers.get(caller).and_then(|term| term.time_left(now));
        state.everybody(now).or_else(|| state.quarantine(own?, QuarantineScope::Callers))
    }

    /// The longest active quarantine, if there is one.
    pub(crate) fn standing(&self, now: Instant) -> Option<Quarantine> {
        let state = self.state();
        let longest = state.callers.values().filter_map(|term| term.time_left(now)).max();
        state.everybody(now).or_else(|| state.quarantine(longest?, QuarantineScope::Callers))
    }

    /// Whether the tool blocks a thread.
    pub(crate) fn holds_threads(&self) -> bool {
        self.state().held > 0
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl State {
    fn everybody(&self, now: Instant) -> Option<Quarantine> {
        let left = self.everybody.as_ref()?.time_left(now)?;
        self.quarantine(left, QuarantineScope::Everybody)
    }

    fn quarantine(&self, left: Duration, scope: QuarantineScope) -> Option<Quarantine> {
        Some(Quarantine { left, scope, threads_held: self.held })
    }
}

#[cfg(test)]
#[path = "quarantine_tests.rs"]
mod tests;
