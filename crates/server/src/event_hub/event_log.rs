//! The newest events of all conversations: a bounded log in memory, from which a stream resumes.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use tokio::sync::watch;

use super::server_event::{EventContent, ServerEvent};
use aileron_contract::{ConversationId, UserId};

/// How many events are kept.
const MAX_EVENTS: usize = 4096;

/// The newest events. A reader holds only a position, so a slow one costs nothing.
#[derive(Debug)]
pub(crate) struct EventLog {
    events: Mutex<Ring>,
    /// The number of the newest event; readers wait for it to change.
    newest: watch::Sender<u64>,
}

#[derive(Debug, Default)]
struct Ring {
    newest: u64,
    events: VecDeque<Arc<ServerEvent>>,
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
        Self { events: Mutex::default(), newest: watch::Sender::new(0) }
    }
}

impl EventLog {
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
        ring.events.push_back(Arc::new(ServerEvent { seq, time, conversation, content }));
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
