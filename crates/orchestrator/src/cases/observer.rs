//! Records the events that help the author of a case when it fails.

use std::sync::{Mutex, PoisonError};

use crate::event::{ConversationEvent, EventSource, Observer};

/// Records log lines, defects and refused intents.
#[derive(Debug, Default)]
pub(super) struct RecordingObserver(Mutex<Vec<String>>);

impl RecordingObserver {
    /// The recorded lines, in order.
    pub(super) fn notes(&self) -> Vec<String> {
        std::mem::take(&mut *self.0.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

impl Observer for RecordingObserver {
    fn on_event(&self, _: EventSource<'_>, event: ConversationEvent) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).extend(event.line());
    }
}
