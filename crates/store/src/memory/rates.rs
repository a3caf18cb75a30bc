//! Counters of the memory store.

use std::collections::{HashMap, VecDeque};

use crate::rate::{CountResult, Counter, RateRoom};

/// The counted calls, oldest first, by the name of their counter.
#[derive(Debug, Default)]
pub(super) struct Rates {
    counters: HashMap<String, VecDeque<CountedCall>>,
}

#[derive(Debug)]
struct CountedCall {
    time: u64,
    /// When the call leaves the window.
    until: u64,
}

impl Rates {
    pub(super) fn count(&mut self, counter: &Counter, now: u64) -> CountResult {
        if let Some(wait_ms) = self.wait(counter, 0, now) {
            return CountResult::Full { wait_ms };
        }
        let until = now.saturating_add(counter.window_ms);
        let call = CountedCall { time: now, until };
        self.counters.entry(counter.name.clone()).or_default().push_back(call);
        CountResult::Within
    }

    pub(super) fn wait(&self, counter: &Counter, more: u64, now: u64) -> Option<u64> {
        let place = match counter.room(more) {
            RateRoom::Never => return Some(counter.window_ms),
            RateRoom::After(place) => usize::try_from(place).ok()?,
        };
        let calls = self.counters.get(&counter.name)?;
        let waits = calls.iter().rev().map(|call| counter.wait_for(call.time, now));
        waits.filter(|wait| *wait > 0).nth(place)
    }

    /// Removes the calls whose window has ended.
    pub(super) fn expire(&mut self, now: u64) {
        self.counters.retain(|_, calls| {
            calls.retain(|call| call.until > now);
            !calls.is_empty()
        });
    }
}
