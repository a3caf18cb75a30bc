//! What clients may resume: conversations by the handles they were given.

use std::collections::{HashMap, VecDeque};
use std::sync::{Mutex, MutexGuard, PoisonError};

use crate::simulated_model::HistoryItem;

/// How many handles are kept; the oldest is forgotten first.
const MOST: usize = 1_000;

/// The conversations that can be taken up again.
#[derive(Debug, Default)]
pub(crate) struct Sessions {
    kept: Mutex<KeptSessions>,
}

#[derive(Debug, Default)]
struct KeptSessions {
    order: VecDeque<String>,
    items: HashMap<String, Vec<HistoryItem>>,
}

impl Sessions {
    /// Keeps what was said so far under a handle.
    pub(crate) fn keep(&self, handle: String, items: Vec<HistoryItem>) {
        let mut kept = self.kept();
        if kept.order.len() >= MOST
            && let Some(oldest) = kept.order.pop_front()
        {
            kept.items.remove(&oldest);
        }
        kept.order.push_back(handle.clone());
        kept.items.insert(handle, items);
    }

    /// What was said before the handle was given; nothing if nobody was given it.
    pub(crate) fn resume(&self, handle: &str) -> Option<Vec<HistoryItem>> {
        self.kept().items.get(handle).cloned()
    }

    fn kept(&self) -> MutexGuard<'_, KeptSessions> {
        self.kept.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
