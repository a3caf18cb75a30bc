//! Detects that the microphone was switched off. The client just sends no more audio then, and a provider that
//! waits for silence would never end the utterance.

/// Time without audio after which the microphone counts as off.
const PAUSE_MS: u64 = 1000;

#[derive(Debug, Clone, Default)]
pub(crate) struct Microphone {
    heard: u64,
    /// When to check whether audio still comes.
    due: Option<u64>,
}

impl Microphone {
    /// Audio came. The check stays where it is, so that no timer is set for each frame.
    pub(crate) fn on_audio(&mut self, now: u64) {
        self.heard = now;
        if self.due.is_none() {
            self.due = Some(now.saturating_add(PAUSE_MS));
        }
    }

    pub(crate) fn due(&self) -> Option<u64> {
        self.due
    }

    /// Whether the microphone was switched off; returns true once.
    pub(crate) fn take_switched_off(&mut self, now: u64) -> bool {
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
