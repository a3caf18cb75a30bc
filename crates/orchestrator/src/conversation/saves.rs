//! The saves of a conversation that nobody waited for. Before a turn begins it is known how they
//! went: what failed is saved again with the turn, and what another process saved is taken over.
//! Turns that two processes begin at the same time may share a number.

use aileron_store::{Commit, Saved};
use futures_util::FutureExt;

use super::Shared;
use super::document::Document;
use crate::state::Standing;

/// Which version the store has, as far as that is known.
#[derive(Debug)]
pub(crate) struct Saves {
    /// The version the next save goes on from.
    version: u64,
    /// The latest version the store has confirmed.
    confirmed: u64,
    under_way: Vec<Commit<Saved>>,
}

impl Saves {
    /// Nothing is under way; the store has this version.
    pub(super) fn at(version: u64) -> Self {
        Self { version, confirmed: version, under_way: Vec::new() }
    }

    pub(super) fn version(&self) -> u64 {
        self.version
    }

    pub(super) fn push(&mut self, save: Commit<Saved>) {
        self.under_way.push(save);
        self.version += 1;
    }

    /// Looks at what has come to its end; says whether another process saved something newer.
    fn look(&mut self) -> bool {
        let (mut ours, mut found) = (self.confirmed, self.confirmed);
        self.under_way.retain_mut(|save| match save.now_or_never() {
            None => true,
            Some(Ok(Saved::At(version))) => {
                (ours, found) = (version, version);
                false
            }
            // It was not used for so long that it was forgotten, and is kept from here on again.
            Some(Ok(Saved::Conflict { found: 0 })) => {
                self.confirmed = 0;
                (ours, found) = (0, 0);
                false
            }
            Some(Ok(Saved::Conflict { found: version })) => {
                found = version;
                false
            }
            // It is saved again, with all that happened since.
            Some(Err(_)) => false,
        });
        self.confirm(found);
        found > ours
    }

    /// Takes note of what the store has. What is under way is looked at the next time.
    fn confirm(&mut self, found: u64) {
        self.confirmed = self.confirmed.max(found);
        if self.under_way.is_empty() {
            self.version = self.confirmed;
        }
    }
}

impl Shared {
    /// Learns how the saves went that have come to their end; nobody waits for the others.
    pub(super) async fn catch_up(&self) {
        if self.lock().saves.look() {
            self.take_over().await;
        }
    }

    /// Another process held the conversation meanwhile: turns go on after its last one, what the
    /// person decided there is decided, a move is a move and an end is an end.
    async fn take_over(&self) {
        let Ok(Some(saved)) = self.core.store.load_conversation(&self.id).await else { return };
        let Ok(theirs) = Document::read(&saved.body) else { return };
        let mut inner = self.lock();
        inner.memory.turn = inner.memory.turn.max(theirs.turn);
        for decided in theirs.lasting.decided {
            inner.memory.take_over(decided);
        }
        let moved = theirs.lasting.state.mode() != inner.memory.mode();
        if moved || theirs.lasting.state.standing() != Standing::Active {
            inner.memory.state = theirs.lasting.state;
            inner.memory.follow_mode();
        }
        inner.saves.confirm(saved.version);
    }
}
