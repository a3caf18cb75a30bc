//! Counters of the memory store.

use std::collections::{HashMap, VecDeque};

use crate::rate::{Counted, Counter, Room};

/// The calls that are counted, oldest first, by the name of their counter.
#[derive(Debug, Default)]
pub(super) struct Rates {
    counters: HashMap<String, VecDeque<Call>>,
}

#[derive(Debug)]
struct Call {
    time: u64,
    /// When it leaves the window.
    until: u64,
}

impl Rates {
    pub(super) fn count(&mut self, counter: &Counter, now: u64) -> Counted {
        if let Some(wait_ms) = self.wait(counter, 0, now) {
            return Counted::Full { wait_ms };
        }
        let until = now.saturating_add(counter.window_ms);
        let call = Call { time: now, until };
        self.counters.entry(counter.name.clone()).or_default().push_back(call);
        Counted::Within
    }

    pub(super) fn wait(&self, counter: &Counter, more: u64, now: u64) -> Option<u64> {
        let place = match counter.room(more) {
            Room::Never => return Some(counter.window_ms),
            Room::After(place) => usize::try_from(place).ok()?,
        };
        let calls = self.counters.get(&counter.name)?;
        let waits = calls.iter().rev().map(|call| counter.wait_for(call.time, now));
        waits.filter(|wait| *wait > 0).nth(place)
    }

    /// Forgets the calls whose window is over.
    pub(super) fn expire(&mut self, now: u64) {
        self.counters.retain(|_, calls| {
            calls.retain(|call| call.until > now);
            !calls.is_empty()
        });
    }
}
