//! A lock for each conversation, so that it runs one turn at a time.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use aileron_contract::ConversationId;
use tokio::sync::OwnedMutexGuard;

type Seats = BTreeMap<ConversationId, Arc<tokio::sync::Mutex<()>>>;

/// The locks of the conversations that have a turn in this process.
#[derive(Debug, Default)]
pub(crate) struct TurnLocks(Mutex<Seats>);

/// The lock of a conversation, released on drop.
#[derive(Debug)]
pub(crate) struct TurnGuard {
    turns: Arc<TurnLocks>,
    conversation: ConversationId,
    held: Option<OwnedMutexGuard<()>>,
}

impl TurnLocks {
    /// Waits for the lock, in order of arrival.
    pub(crate) async fn take(self: &Arc<Self>, conversation: &ConversationId) -> TurnGuard {
        let turn_guard = self.lock().entry(conversation.clone()).or_default().clone();
        let mut taken =
            TurnGuard { turns: self.clone(), conversation: conversation.clone(), held: None };
        taken.held = Some(turn_guard.lock_owned().await);
        taken
    }

    fn lock(&self) -> MutexGuard<'_, Seats> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for TurnGuard {
    /// The last user of a lock removes it from the map.
    fn drop(&mut self) {
        let mut turn_locks = self.turns.lock();
        self.held = None;
        if turn_locks
            .get(&self.conversation)
            .is_some_and(|turn_guard| Arc::strong_count(turn_guard) == 1)
        {
            turn_locks.remove(&self.conversation);
        }
    }
}

#[cfg(test)]
#[path = "turn_lock_tests.rs"]
mod tests;
