//! Whether the microphone is on. A client that turns it off just sends nothing more, and a provider
//! that listens for silence would wait in the middle of a word for ever.

/// How long nothing comes of a microphone that was turned off.
const PAUSE_MS: u64 = 1000;

#[derive(Debug, Clone, Default)]
pub(crate) struct Microphone {
    heard: u64,
    /// When it is looked whether it is still on.
    due: Option<u64>,
}

impl Microphone {
    /// Audio came. The next look stays where it is, so that no timer is set for each piece.
    pub(crate) fn heard(&mut self, now: u64) {
        self.heard = now;
        if self.due.is_none() {
            self.due = Some(now.saturating_add(PAUSE_MS));
        }
    }

    pub(crate) fn due(&self) -> Option<u64> {
        self.due
    }

    /// Says once that it was turned off.
    pub(crate) fn was_turned_off(&mut self, now: u64) -> bool {
        if self.due.is_none_or(|due| now < due) {
            return false;
        }
        let off = self.heard.saturating_add(PAUSE_MS);
        self.due = (now < off).then_some(off);
        self.due.is_none()
    }
}

#[cfg(test)]
#[path = "microphone_tests.rs"]
mod tests;
