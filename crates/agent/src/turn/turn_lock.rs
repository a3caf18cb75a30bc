//! One turn at a time: whoever holds a conversation's seat may answer in it.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use aileron_contract::ConversationId;
use tokio::sync::OwnedMutexGuard;

type Seats = BTreeMap<ConversationId, Arc<tokio::sync::Mutex<()>>>;

/// The seats of the conversations that are being answered in this process.
#[derive(Debug, Default)]
pub(crate) struct TurnLocks(Mutex<Seats>);

/// The one seat of a conversation; it is given up when this is dropped.
#[derive(Debug)]
pub(crate) struct TurnGuard {
    turns: Arc<TurnLocks>,
    conversation: ConversationId,
    held: Option<OwnedMutexGuard<()>>,
}

impl TurnLocks {
    /// Waits for the seat. Those who wait get it in the order they came.
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
    /// The last one who had to do with the seat takes it off the list.
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
