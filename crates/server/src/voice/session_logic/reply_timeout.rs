//! Detects a missing reply, or a missing end of a turn whose reply was delivered. A provider may omit that end,
//! and the next input of the person would be added to a turn that never ends.

/// How long after a reply was played the end of its turn may come.
const TURN_END_MS: u64 = 2000;

/// How long a model that was given a late result may be silent before its turn counts as ended.
const LATE_REPLY_MS: u64 = 6000;

#[derive(Debug, Clone, Default)]
pub(crate) struct ReplyTimeout {
    /// Whether output of the model is expected.
    waiting: bool,
    /// Since when only the end of the turn is expected.
    delivered: Option<u64>,
    /// Since when the model has had a late result without any output.
    told: Option<u64>,
}

impl ReplyTimeout {
    /// The model was given an input that it is to reply to.
    pub(crate) fn asked(&mut self, now: u64) {
        self.waiting = true;
        self.delivered = self.delivered.map(|_| now);
    }

    /// The model speaks or calls.
    pub(crate) fn actions(&mut self) {
        *self = Self { waiting: true, delivered: None, told: None };
    }

    /// The reply was delivered in full.
    pub(crate) fn delivered(&mut self, now: u64) {
        (self.waiting, self.delivered) = (true, Some(now));
    }

    /// The model was given a late result.
    pub(crate) fn was_told_late(&mut self, now: u64) {
        (self.waiting, self.told) = (true, Some(now));
    }

    /// The model was interrupted. A later input may still need a reply.
    pub(crate) fn cut_short(&mut self) {
        self.delivered = None;
    }

    /// The model's turn is over.
    pub(crate) fn over(&mut self) {
        *self = Self::default();
    }

    /// Whether output of the model is expected.
    pub(crate) fn is_waiting(&self) -> bool {
        self.waiting
    }

    /// When the end of the turn is overdue, if the audio plays until then.
    pub(crate) fn due(&self, playing_until: u64) -> Option<u64> {
        let after = |since: u64, time: u64| since.max(playing_until).saturating_add(time);
        let delivered = self.delivered.map(|since| after(since, TURN_END_MS));
        let told = self.told.map(|since| after(since, LATE_REPLY_MS));
        delivered.into_iter().chain(told).min()
    }

    /// Whether the end of the turn is overdue; returns true once.
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
