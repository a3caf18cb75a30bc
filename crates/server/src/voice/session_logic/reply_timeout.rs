//! What the model still owes: a reply that was asked for, or only the end of a turn whose reply was
//! delivered. A provider may leave that end out, and a turn that never ends would take in what the
//! person says next.

/// How long after a reply was played the end of its turn may come.
const TURN_END_MS: u64 = 2000;

/// How long a model that was told a late result may be silent before whatever it is in the middle of
/// is taken as over.
const LATE_REPLY_MS: u64 = 6000;

#[derive(Debug, Clone, Default)]
pub(crate) struct ReplyTimeout {
    /// Whether more of the model is to come.
    waiting: bool,
    /// Since when that is only the end of its turn.
    delivered: Option<u64>,
    /// Since when it was told a late result and has not done anything.
    told: Option<u64>,
}

impl ReplyTimeout {
    /// The model is to say something.
    pub(crate) fn asked(&mut self, now: u64) {
        self.waiting = true;
        self.delivered = self.delivered.map(|_| now);
    }

    /// The model speaks or calls.
    pub(crate) fn actions(&mut self) {
        *self = Self { waiting: true, delivered: None, told: None };
    }

    /// All of a reply is there.
    pub(crate) fn delivered(&mut self, now: u64) {
        (self.waiting, self.delivered) = (true, Some(now));
    }

    /// The model was told a late result, which it is going to speak of.
    pub(crate) fn was_told_late(&mut self, now: u64) {
        (self.waiting, self.told) = (true, Some(now));
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
        let after = |since: u64, time: u64| since.max(playing_until).saturating_add(time);
        let delivered = self.delivered.map(|since| after(since, TURN_END_MS));
        let told = self.told.map(|since| after(since, LATE_REPLY_MS));
        delivered.into_iter().chain(told).min()
    }

    /// Says once that the end of the turn is overdue.
    pub(crate) fn is_overdue(&mut self, now: u64, playing_until: u64) -> bool {
        let overdue = self.due(playing_until).is_some_and(|due| now >= due);
        if overdue && self.delivered.take().is_none() {
            self.told = None;
        }
        overdue
    }
}

#[cfg(test)]
#[path = "reply_timeout_tests.rs"]
mod tests;
