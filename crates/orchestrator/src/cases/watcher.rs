//! Keeps what a case's author may want to know when a case fails.

use std::sync::{Mutex, PoisonError};

use aileron_contract::ConversationId;

use crate::event::{Audience, Event};

/// Notes down what handlers and rules have to say: log lines, defects, refused intents.
#[derive(Debug, Default)]
pub(super) struct Watcher(Mutex<Vec<String>>);

impl Watcher {
    /// What was noted, in order.
    pub(super) fn notes(&self) -> Vec<String> {
        std::mem::take(&mut *self.0.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

impl Audience for Watcher {
    fn see(&self, _: &ConversationId, event: Event) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).extend(event.line());
    }
}
