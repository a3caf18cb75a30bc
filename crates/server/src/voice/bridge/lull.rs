//! How long the model may keep everybody waiting: for the end of a turn that was delivered, and for
//! anything at all of a reply. A provider may leave out either, and a turn that never ends would take
//! in what the person says next.

use aileron_contract::transport::Overdue;

/// How long after a reply was played the end of its turn may come.
const TURN_END_MS: u64 = 2000;

/// How long the model may do nothing.
const REPLY_MS: u64 = 30_000;

#[derive(Debug, Clone, Default)]
pub(crate) struct Lull {
    /// Since when more of the model is waited for.
    since: Option<u64>,
    /// Whether that is only the end of its turn.
    delivered: bool,
}

impl Lull {
    /// The model is to say something.
    pub(crate) fn asked(&mut self, now: u64) {
        self.since = Some(now);
    }

    /// The model speaks or calls.
    pub(crate) fn acts(&mut self, now: u64) {
        (self.since, self.delivered) = (Some(now), false);
    }

    /// What the model says comes in words, which may be behind the sound.
    pub(crate) fn writes(&mut self, now: u64) {
        self.since = Some(now);
    }

    /// All of a reply is there.
    pub(crate) fn delivered(&mut self, now: u64) {
        (self.since, self.delivered) = (Some(now), true);
    }

    /// The model was cut short. Something else may have been asked.
    pub(crate) fn cut_short(&mut self) {
        self.delivered = false;
    }

    /// The model's turn is over.
    pub(crate) fn over(&mut self) {
        *self = Self::default();
    }

    /// Whether more of the model is to come.
    pub(crate) fn is_waiting(&self) -> bool {
        self.since.is_some()
    }

    /// When it is overdue, if what is there plays until then.
    pub(crate) fn due(&self, playing_until: u64) -> Option<u64> {
        let patience = if self.delivered { TURN_END_MS } else { REPLY_MS };
        self.since.map(|since| since.max(playing_until).saturating_add(patience))
    }

    /// What is overdue.
    pub(crate) fn on_time(&mut self, now: u64, playing_until: u64) -> Option<Overdue> {
        self.due(playing_until).filter(|due| now >= *due)?;
        if std::mem::take(&mut self.delivered) {
            // The protocol may know better, and wait for a reply that was asked for since.
            self.since = Some(now);
            return Some(Overdue::TurnEnd);
        }
        self.over();
        Some(Overdue::Reply)
    }
}

#[cfg(test)]
#[path = "lull_tests.rs"]
mod tests;
