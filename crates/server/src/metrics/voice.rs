//! The figures of voice.

use std::collections::BTreeMap;
use std::sync::{Mutex, MutexGuard, PoisonError};

use aileron_contract::transport::RateLimit;

use super::figure::Counter;
use crate::voice::REASONS;

/// What happened in all voice sessions.
#[derive(Debug, Default)]
pub struct VoiceMetrics {
    pub sessions: Counter,
    /// Connections that found no place.
    pub over_capacity: Counter,
    /// Connections that were not let in.
    pub refused: Counter,
    /// Calls of models.
    pub calls: Counter,
    /// Answers to calls, as many as calls.
    pub answers: Counter,
    pub reconnects: Counter,
    /// Frames of providers that could not be read.
    pub malformed: Counter,
    pub audio_dropped_up: Counter,
    pub audio_dropped_down: Counter,
    /// As providers count them.
    pub tokens_in: Counter,
    pub tokens_out: Counter,
    /// Conversations whose window was nine tenths full.
    pub nearly_full: Counter,
    ended: [Counter; REASONS.len()],
    quotas: Mutex<BTreeMap<String, Quota>>,
}

/// What a provider last said of one of its quotas.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Quota {
    pub limit: u64,
    pub remaining: u64,
}

/// Providers have a few quotas; names beyond this many are a fault of theirs.
const MOST_QUOTAS: usize = 16;

impl VoiceMetrics {
    pub(crate) fn ended(&self, reason: &str) {
        if let Some(at) = REASONS.iter().position(|known| *known == reason) {
            self.ended[at].add(1);
        }
    }

    /// A provider said what is left of a quota.
    pub(crate) fn quota(&self, limit: &RateLimit) {
        let mut quotas = self.lock();
        if quotas.len() < MOST_QUOTAS || quotas.contains_key(&limit.name) {
            let quota = Quota { limit: limit.limit, remaining: limit.remaining };
            quotas.insert(limit.name.clone(), quota);
        }
    }

    /// What is left of each quota, by its provider's name for it.
    pub fn quotas(&self) -> BTreeMap<String, Quota> {
        self.lock().clone()
    }

    fn lock(&self) -> MutexGuard<'_, BTreeMap<String, Quota>> {
        self.quotas.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// How often sessions ended, by reason.
    pub fn endings(&self) -> impl Iterator<Item = (&'static str, u64)> {
        REASONS.into_iter().zip(&self.ended).map(|(reason, counter)| (reason, counter.count()))
    }
}
