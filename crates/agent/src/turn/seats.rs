//! One turn at a time: whoever holds a conversation's seat may answer in it.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use aileron_contract::ConversationId;
use tokio::sync::OwnedMutexGuard;

type Seats = BTreeMap<ConversationId, Arc<tokio::sync::Mutex<()>>>;

/// The seats of the conversations that are being answered in this process.
#[derive(Debug, Default)]
pub(crate) struct Turns(Mutex<Seats>);

/// The one seat of a conversation; it is given up when this is dropped.
#[derive(Debug)]
pub(crate) struct Seat {
    turns: Arc<Turns>,
    conversation: ConversationId,
    held: Option<OwnedMutexGuard<()>>,
}

impl Turns {
    /// Waits for the seat. Those who wait get it in the order they came.
    pub(crate) async fn take(self: &Arc<Self>, conversation: &ConversationId) -> Seat {
        let seat = self.lock().entry(conversation.clone()).or_default().clone();
        let mut taken =
            Seat { turns: self.clone(), conversation: conversation.clone(), held: None };
        taken.held = Some(seat.lock_owned().await);
        taken
    }

    fn lock(&self) -> MutexGuard<'_, Seats> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for Seat {
    /// The last one who had to do with the seat takes it off the list.
    fn drop(&mut self) {
        let mut seats = self.turns.lock();
        self.held = None;
        if seats.get(&self.conversation).is_some_and(|seat| Arc::strong_count(seat) == 1) {
            seats.remove(&self.conversation);
        }
    }
}

#[cfg(test)]
#[path = "seats_tests.rs"]
mod tests;
