//! One attempt at a time for each draft, so that a service without idempotency gets one request and
//! the other attempts find its result.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError, Weak};

use tokio::sync::{Mutex as Turn, OwnedMutexGuard};

/// The locks that are held or awaited.
#[derive(Debug, Clone, Default)]
pub(crate) struct DraftLocks(Arc<Mutex<HashMap<Draft, Weak<Turn<()>>>>>);

/// A conversation, and the id of its draft.
type Draft = (String, String);

impl DraftLocks {
    /// Waits until no other attempt works on a draft. Dropping the guard releases the lock.
    pub(crate) async fn take(&self, draft: Draft) -> OwnedMutexGuard<()> {
        self.of(draft).lock_owned().await
    }

    fn of(&self, draft: Draft) -> Arc<Turn<()>> {
        let mut turns = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        turns.retain(|_, turn| turn.strong_count() > 0);
        let known = turns.get(&draft).and_then(Weak::upgrade);
        known.unwrap_or_else(|| {
            let turn = Arc::default();
            turns.insert(draft, Arc::downgrade(&turn));
            turn
        })
    }
}
