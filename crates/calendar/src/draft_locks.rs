//! One attempt at a time for each draft: what a service makes twice if it is asked twice is asked for
//! by one of them, and the others find it.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError, Weak};

use tokio::sync::{Mutex as Turn, OwnedMutexGuard};

/// The turns of those who are at work or wait.
#[derive(Debug, Clone, Default)]
pub(crate) struct DraftLocks(Arc<Mutex<HashMap<Draft, Weak<Turn<()>>>>>);

/// A conversation, and the id of its draft.
type Draft = (String, String);

impl DraftLocks {
    /// Waits until nobody else is at work on a draft. The turn ends with what is given back.
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
