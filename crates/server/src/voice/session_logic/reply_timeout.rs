//! Detects a missing reply, or a missing end of a turn whose reply was delivered. A provider may omit that end,
//! and the next input of the person would be added to a turn that never ends.

/// How long after a reply was played the end of its turn may come.
const TURN_END_MS: u64 = 2000;

/// How long a model that was given a late result may be silent before its turn counts as ended.
const LATE_REPLY_MS: u64 = 6000;

#[derive(Debug, Clone, Default)]
pub(crate) struct ReplyTimeout {
    /// Whether output of the model is expected.
    is_expected: bool,
    /// Since when only the end of the turn is expected.
    delivered_at: Option<u64>,
    /// Since when the model has had a late result without any output.
    late_result_since: Option<u64>,
}

impl ReplyTimeout {
    /// The model was given an input that it is to reply to.
    pub(crate) fn on_input(&mut self, now: u64) {
        self.is_expected = true;
        self.delivered_at = self.delivered_at.map(|_| now);
    }

    /// The model speaks or calls.
    pub(crate) fn on_model_acts(&mut self) {
        *self = Self { is_expected: true, delivered_at: None, late_result_since: None };
    }

    /// The reply was delivered in full.
    pub(crate) fn on_delivered(&mut self, now: u64) {
        (self.is_expected, self.delivered_at) = (true, Some(now));
    }

    /// The model was given a late result.
    pub(crate) fn on_late_result(&mut self, now: u64) {
        (self.is_expected, self.late_result_since) = (true, Some(now));
    }

    /// The model was interrupted. A later input may still need a reply.
    pub(crate) fn on_interrupted(&mut self) {
        self.delivered_at = None;
    }

    /// The model's turn is over.
    pub(crate) fn on_turn_ended(&mut self) {
        *self = Self::default();
    }

    /// Whether output of the model is expected.
    pub(crate) fn is_waiting(&self) -> bool {
        self.is_expected
    }

    /// When the end of the turn is overdue, if the audio plays until then.
    pub(crate) fn due(&self, playing_until: u64) -> Option<u64> {
        let after = |since: u64, time: u64| since.max(playing_until).saturating_add(time);
        let delivered = self.delivered_at.map(|since| after(since, TURN_END_MS));
        let late_result_since = self.late_result_since.map(|since| after(since, LATE_REPLY_MS));
        delivered.into_iter().chain(late_result_since).min()
    }

    /// Whether the end of the turn is overdue; returns true once.
    pub(crate) fn is_overdue(&mut self, now: u64, playing_until: u64) -> bool {
        let overdue = self.due(playing_until).is_some_and(|due| now >= due);
        if overdue && self.delivered_at.take().is_none() {
            self.late_result_since = None;
        }
        overdue
    }
}

#[cfg(test)]
#[path = "reply_timeout_tests.rs"]
mod tests;
