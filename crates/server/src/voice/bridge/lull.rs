//! What the model still owes: a reply that was asked for, or only the end of a turn whose reply was
//! delivered. A provider may leave that end out, and a turn that never ends would take in what the
//! person says next.

/// How long after a reply was played the end of its turn may come.
const TURN_END_MS: u64 = 2000;

#[derive(Debug, Clone, Default)]
pub(crate) struct Lull {
    /// Whether more of the model is to come.
    waiting: bool,
    /// Since when that is only the end of its turn.
    delivered: Option<u64>,
}

impl Lull {
    /// The model is to say something.
    pub(crate) fn asked(&mut self, now: u64) {
        self.waiting = true;
        self.delivered = self.delivered.map(|_| now);
    }

    /// The model speaks or calls.
    pub(crate) fn acts(&mut self) {
        *self = Self { waiting: true, delivered: None };
    }

    /// All of a reply is there.
    pub(crate) fn delivered(&mut self, now: u64) {
        *self = Self { waiting: true, delivered: Some(now) };
    }

    /// The model was cut short. Something else may have been asked.
    pub(crate) fn cut_short(&mut self) {
        self.delivered = None;
    }

    /// The model's turn is over.
    pub(crate) fn over(&mut self) {
        *self = Self::default();
    }

    /// Whether more of the model is to come.
    pub(crate) fn is_waiting(&self) -> bool {
        self.waiting
    }

    /// When the end of the turn is overdue, if what is there plays until then.
    pub(crate) fn due(&self, playing_until: u64) -> Option<u64> {
        self.delivered.map(|since| since.max(playing_until).saturating_add(TURN_END_MS))
    }

    /// Says once that the end of the turn is overdue.
    pub(crate) fn is_overdue(&mut self, now: u64, playing_until: u64) -> bool {
        let overdue = self.due(playing_until).is_some_and(|due| now >= due);
        if overdue {
            self.delivered = None;
        }
        overdue
    }
}

#[cfg(test)]
#[path = "lull_tests.rs"]
mod tests;
