//! Resumable conversations, by their handles.

use std::collections::{HashMap, VecDeque};
use std::sync::{Mutex, MutexGuard, PoisonError};

use crate::simulated_model::HistoryItem;

/// Maximum number of handles; the oldest is dropped first.
const MOST: usize = 1_000;

/// The resumable conversations.
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
    /// Stores a conversation under a handle.
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

    /// The conversation of a handle; `None` if the handle is unknown.
    pub(crate) fn resume(&self, handle: &str) -> Option<Vec<HistoryItem>> {
        self.kept().items.get(handle).cloned()
    }

    fn kept(&self) -> MutexGuard<'_, KeptSessions> {
        self.kept.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
