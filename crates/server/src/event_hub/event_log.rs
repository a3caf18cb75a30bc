//! The newest events of all conversations: a bounded log in memory, from which a stream resumes. While nobody
//! reads it, and nobody has read it for a while, it keeps nothing.

use std::collections::VecDeque;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use tokio::sync::watch;

use super::server_event::{EventContent, ServerEvent};
use aileron_contract::{ConversationId, UserId};

/// How many events are kept.
const MAX_EVENTS: usize = 4096;

/// How long events are kept after the last reader left, so that it can resume.
const RESUME_WINDOW_MS: u64 = 5 * 60 * 1000;

/// The newest events. A reader holds only a position, so a slow one costs nothing.
#[derive(Debug)]
pub(crate) struct EventLog {
    events: Mutex<Ring>,
    /// The number of the newest event; readers wait for it to change.
    newest: watch::Sender<u64>,
    /// Events before this time are kept: [`u64::MAX`] while there is a reader.
    kept_until: AtomicU64,
    /// Whether an event was not kept since the last reader connected.
    has_skipped: AtomicBool,
}

#[derive(Debug, Default)]
struct Ring {
    newest: u64,
    events: VecDeque<Arc<ServerEvent>>,
    readers: usize,
}

/// The events after a position.
#[derive(Debug, PartialEq)]
pub(crate) enum EventsAfter {
    Found(Vec<Arc<ServerEvent>>),
    /// Some of them are no longer kept.
    Missed {
        newest: u64,
    },
}

impl Default for EventLog {
    fn default() -> Self {
        Self {
            events: Mutex::default(),
            newest: watch::Sender::new(0),
            kept_until: AtomicU64::new(0),
            has_skipped: AtomicBool::new(false),
        }
    }
}

impl EventLog {
    /// A reader connects. Events that were not kept count as one number, so that every earlier position has
    /// missed them.
    pub(crate) fn enter(&self) {
        let mut ring = self.lock();
        ring.readers += 1;
        self.kept_until.store(u64::MAX, Ordering::SeqCst);
        if self.has_skipped.swap(false, Ordering::SeqCst) {
            ring.newest += 1;
            ring.events.clear();
        }
    }

    /// A reader left.
    pub(crate) fn leave(&self, now: u64) {
        let mut ring = self.lock();
        ring.readers = ring.readers.saturating_sub(1);
        if ring.readers == 0 {
            self.kept_until.store(now.saturating_add(RESUME_WINDOW_MS), Ordering::SeqCst);
        }
    }

    /// Whether an event of this time has to be pushed. If not, it is remembered that one was skipped. Costs two
    /// loads from memory while nobody reads.
    pub(crate) fn keeps(&self, now: u64) -> bool {
        if now < self.kept_until.load(Ordering::SeqCst) {
            return true;
        }
        if !self.has_skipped.load(Ordering::SeqCst) {
            self.has_skipped.store(true, Ordering::SeqCst);
            self.lock().events.clear();
        }
        // A reader that connects at this moment sees the mark, or is seen here.
        now < self.kept_until.load(Ordering::SeqCst)
    }

    pub(crate) fn push(
        &self,
        time: u64,
        conversation: Option<(ConversationId, Option<UserId>)>,
        content: EventContent,
    ) {
        let mut ring = self.lock();
        ring.newest += 1;
        let seq = ring.newest;
        if ring.events.len() == MAX_EVENTS {
            ring.events.pop_front();
        }
        ring.events.push_back(Arc::new(ServerEvent::new(seq, time, conversation, content)));
        drop(ring);
        self.newest.send_replace(seq);
    }

    /// The number of the newest event.
    pub(crate) fn newest(&self) -> u64 {
        self.lock().newest
    }

    /// The events after this number.
    pub(crate) fn after(&self, seq: u64) -> EventsAfter {
        let ring = self.lock();
        let newest = ring.newest;
        let wanted = usize::try_from(newest.saturating_sub(seq)).unwrap_or(usize::MAX);
        if seq > newest || wanted > ring.events.len() {
            return EventsAfter::Missed { newest };
        }
        let start = ring.events.len() - wanted;
        EventsAfter::Found(ring.events.range(start..).cloned().collect())
    }

    /// Changes with every event.
    pub(crate) fn changes(&self) -> watch::Receiver<u64> {
        self.newest.subscribe()
    }

    fn lock(&self) -> MutexGuard<'_, Ring> {
        self.events.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
#[path = "event_log_tests.rs"]
mod tests;
