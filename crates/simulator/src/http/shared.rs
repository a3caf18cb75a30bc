//! The shared state of the endpoints: the model, the faults and the stored replies.

use std::collections::VecDeque;
use std::collections::hash_map::RandomState;
use std::hash::BuildHasher;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use super::faults::HttpFaults;
use crate::simulated_model::{HistoryItem, SimulatedModel};

/// Maximum number of stored replies.
const KEPT: usize = 1_000;

/// The provider behind the endpoints.
#[derive(Debug)]
pub struct HttpWorld {
    pub model: Arc<dyn SimulatedModel>,
    pub faults: HttpFaults,
    /// The delay before each event of a stream.
    pub pace: Duration,
    seed: u64,
    requests: AtomicUsize,
    kept: Mutex<VecDeque<StoredReply>>,
}

/// A reply that a client may refer to.
#[derive(Debug, Clone)]
pub(crate) struct StoredReply {
    pub(crate) id: String,
    /// Everything said up to the reply and in it.
    pub(crate) items: Vec<HistoryItem>,
    /// The items of the reply by id.
    pub(crate) named: Vec<(String, Option<HistoryItem>)>,
}

/// The number of a request and the stem of its ids.
#[derive(Debug, Clone)]
pub(crate) struct NumberedRequest {
    pub(crate) number: usize,
    pub(crate) stem: String,
}

impl HttpWorld {
    /// A provider without faults that answers as fast as it can.
    pub fn new(model: Arc<dyn SimulatedModel>) -> Self {
        Self::with(model, HttpFaults::default(), Duration::ZERO)
    }

    /// A provider with faults, at this pace.
    pub fn with(model: Arc<dyn SimulatedModel>, faults: HttpFaults, pace: Duration) -> Self {
        let seed = RandomState::new().hash_one("simulator");
        let (requests, kept) = (AtomicUsize::new(0), Mutex::default());
        Self { model, faults, pace, seed, requests, kept }
    }

    /// Ids differ between processes, because a client may treat equal ids as the same call.
    pub(crate) fn number(&self) -> NumberedRequest {
        let number = self.requests.fetch_add(1, Ordering::Relaxed);
        NumberedRequest { number, stem: format!("{:012x}{number:04x}", self.seed >> 16) }
    }

    pub(crate) fn keep(&self, reply: StoredReply) {
        let mut kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        if kept.len() == KEPT {
            kept.pop_front();
        }
        kept.push_back(reply);
    }

    pub(crate) fn recall(&self, id: &str) -> Option<StoredReply> {
        let kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        kept.iter().rev().find(|reply| reply.id == id).cloned()
    }

    /// The stored item of an id; `Some(None)` for one that the model does not see.
    pub(crate) fn recall_item(&self, id: &str) -> Option<Option<HistoryItem>> {
        let kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        let named = kept.iter().rev().flat_map(|reply| &reply.named);
        named.into_iter().find(|(known, _)| known == id).map(|(_, item)| item.clone())
    }
}
