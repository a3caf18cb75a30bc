//! Metrics of voice.

use std::collections::BTreeMap;
use std::sync::{Mutex, MutexGuard, PoisonError};

use aileron_contract::transport::RateLimit;

use super::figure::Counter;
use crate::voice::REASONS;

/// Counters of all voice sessions.
#[derive(Debug, Default)]
pub struct VoiceMetrics {
    pub sessions: Counter,
    /// Connections beyond the maximum number.
    pub over_capacity: Counter,
    /// Connections that were refused.
    pub refused: Counter,
    /// Calls of models.
    pub calls: Counter,
    /// Results that were sent for calls; as many as calls.
    pub answers: Counter,
    pub reconnects: Counter,
    /// Provider frames that could not be parsed.
    pub malformed: Counter,
    pub audio_dropped_up: Counter,
    pub audio_dropped_down: Counter,
    /// Conversations whose context window was 90 % full.
    pub nearly_full: Counter,
    ended: [Counter; REASONS.len()],
    quotas: Mutex<BTreeMap<String, Quota>>,
}

/// The last report of a provider about one of its quotas.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Quota {
    pub limit: u64,
    pub remaining: u64,
}

/// Maximum number of quotas; more names are a fault of the provider.
const MAX_QUOTAS: usize = 16;

impl VoiceMetrics {
    pub(crate) fn ended(&self, reason: &str) {
        if let Some(at) = REASONS.iter().position(|known| *known == reason) {
            self.ended[at].add(1);
        }
    }

    /// A provider reported a quota.
    pub(crate) fn quota(&self, limit: &RateLimit) {
        let mut quotas = self.lock();
        if quotas.len() < MAX_QUOTAS || quotas.contains_key(&limit.name) {
            let quota = Quota { limit: limit.limit, remaining: limit.remaining };
            quotas.insert(limit.name.clone(), quota);
        }
    }

    /// The last report of each quota, by the provider's name for it.
    pub fn quotas(&self) -> BTreeMap<String, Quota> {
        self.lock().clone()
    }

    fn lock(&self) -> MutexGuard<'_, BTreeMap<String, Quota>> {
        self.quotas.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// How often each event occurred, by its label.
    pub(super) fn events(&self) -> impl Iterator<Item = (&'static str, u64)> {
        let events = [
            ("sessions", &self.sessions),
            ("over_capacity", &self.over_capacity),
            ("refused", &self.refused),
            ("calls", &self.calls),
            ("answers", &self.answers),
            ("reconnects", &self.reconnects),
            ("malformed_frames", &self.malformed),
            ("audio_dropped_up", &self.audio_dropped_up),
            ("audio_dropped_down", &self.audio_dropped_down),
            ("nearly_full_windows", &self.nearly_full),
        ];
        events.into_iter().map(|(event, count)| (event, count.count()))
    }

    /// How often sessions ended, by reason.
    pub fn endings(&self) -> impl Iterator<Item = (&'static str, u64)> {
        REASONS.into_iter().zip(&self.ended).map(|(reason, counter)| (reason, counter.count()))
    }
}
