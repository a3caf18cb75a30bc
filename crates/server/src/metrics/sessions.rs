//! Sessions: a session is the time from the first use of a conversation in this process until its last use
//! before it is unloaded.

use std::collections::HashMap;
use std::sync::{Mutex, MutexGuard, PoisonError};

use aileron_contract::{ConversationId, Mode};

use super::figure::{Counter, Histogram};

/// Figures of sessions.
#[derive(Debug, Default)]
pub struct SessionFigures {
    /// Sessions that began, by the mode they began in.
    pub text: Counter,
    pub voice: Counter,
    pub ended: Counter,
    pub duration_ms: Histogram,
    pub turns: Histogram,
    pub calls: Histogram,
    /// The answered calls of each open session.
    open: Mutex<HashMap<ConversationId, u64>>,
}

impl SessionFigures {
    pub(crate) fn began(&self, conversation: &ConversationId, mode: Mode) {
        self.begun(mode).add(1);
        self.lock().insert(conversation.clone(), 0);
    }

    /// A call was answered. A call that outlives its session counts for none.
    pub(super) fn call_answered(&self, conversation: &ConversationId) {
        if let Some(calls) = self.lock().get_mut(conversation) {
            *calls += 1;
        }
    }

    pub(crate) fn ended(&self, conversation: &ConversationId, duration_ms: u64, turns: u64) {
        let Some(calls) = self.lock().remove(conversation) else { return };
        self.ended.add(1);
        self.duration_ms.record(duration_ms);
        self.turns.record(turns);
        self.calls.record(calls);
    }

    pub(super) fn begun(&self, mode: Mode) -> &Counter {
        match mode {
            Mode::Text => &self.text,
            Mode::Voice => &self.voice,
        }
    }

    fn lock(&self) -> MutexGuard<'_, HashMap<ConversationId, u64>> {
        self.open.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
