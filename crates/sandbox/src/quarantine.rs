//! Which calls of a tool are refused because earlier ones hold threads that cannot be taken back.
//!
//! A thread that a built-in holds past every limit cannot be killed. The caller on whose behalf it is held is refused
//! further calls of that tool, for a time that doubles with each repetition; other callers are not. The tool is
//! refused to everybody only while it holds several threads at once. Both end by themselves, and at once when the
//! threads come back. Worker processes are killed instead and quarantine nothing.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use aileron_capability::handler::{Quarantine, QuarantineScope};
use aileron_contract::Backoff;

/// How long the first quarantine lasts, and the longest.
const LENGTH: Backoff = Backoff { base: Duration::from_secs(10), max: Duration::from_secs(3600) };

/// How long after the end of a quarantine the next one counts as a repetition.
const REMEMBERED: Duration = Duration::from_secs(3600);

/// Threads that a tool holds at once before it is refused to everybody.
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

/// How long somebody is refused, and how often that has happened.
#[derive(Debug, Clone, Copy)]
struct QuarantineTerm {
    times: u32,
    until: Instant,
}

impl QuarantineTerm {
    /// The sentence that follows an earlier one.
    fn after(earlier: Option<Self>, now: Instant) -> Self {
        let times = earlier.map_or(0, |earlier| earlier.times) + 1;
        Self { times, until: now + LENGTH.wait(times) }
    }

    fn left(&self, now: Instant) -> Option<Duration> {
        Some(self.until.saturating_duration_since(now)).filter(|left| !left.is_zero())
    }
}

impl Quarantines {
    /// A thread is held on behalf of a caller; nobody's, if it was preparing a sandbox.
    pub(crate) fn hold(&self, caller: Option<&Arc<str>>, now: Instant) {
        let mut state = self.state();
        state.held += 1;
        state.callers.retain(|_, sentence| now < sentence.until + REMEMBERED);
        if let Some(caller) = caller {
            let earlier = state.callers.get(caller).copied();
            state.callers.insert(caller.clone(), QuarantineTerm::after(earlier, now));
        }
        if caller.is_none() || state.held >= MOST_HELD {
            state.everybody = Some(QuarantineTerm::after(state.everybody, now));
        }
    }

    /// A thread that was held has come back.
    pub(crate) fn release(&self, caller: Option<&Arc<str>>, now: Instant) {
        let mut state = self.state();
        state.held = state.held.saturating_sub(1);
        if let Some(sentence) = caller.and_then(|caller| state.callers.get_mut(caller)) {
            sentence.until = now;
        }
        if state.held < MOST_HELD
            && let Some(sentence) = &mut state.everybody
        {
            sentence.until = now;
        }
    }

    /// The quarantine that refuses a call of this caller.
    pub(crate) fn refusal(&self, caller: &str, now: Instant) -> Option<Quarantine> {
        let state = self.state();
        let own = state.callers.get(caller).and_then(|sentence| sentence.left(now));
        state.everybody(now).or_else(|| state.quarantine(own?, QuarantineScope::Callers))
    }

    /// The quarantine that lasts longest, if there is any.
    pub(crate) fn standing(&self, now: Instant) -> Option<Quarantine> {
        let state = self.state();
        let longest = state.callers.values().filter_map(|sentence| sentence.left(now)).max();
        state.everybody(now).or_else(|| state.quarantine(longest?, QuarantineScope::Callers))
    }

    /// Whether the tool holds any thread.
    pub(crate) fn holds_threads(&self) -> bool {
        self.state().held > 0
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl State {
    fn everybody(&self, now: Instant) -> Option<Quarantine> {
        let left = self.everybody.as_ref()?.left(now)?;
        self.quarantine(left, QuarantineScope::Everybody)
    }

    fn quarantine(&self, left: Duration, scope: QuarantineScope) -> Option<Quarantine> {
        Some(Quarantine { left, scope, threads_held: self.held })
    }
}

#[cfg(test)]
#[path = "quarantine_tests.rs"]
mod tests;
