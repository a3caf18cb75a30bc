//! The saves of a conversation that nobody waited for. Before a turn begins it is known how they
//! went: what failed is saved again with the turn, and what another process saved is taken over.
//! Turns that two processes begin at the same time may share a number.

use aileron_store::{Commit, Saved};
use serde::Deserialize;

use super::Shared;
use super::document::Document;
use crate::refused::Refused;
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

    /// Takes note of what the store has. What was asked for meanwhile is looked at the next time.
    fn confirm(&mut self, found: u64) {
        self.confirmed = self.confirmed.max(found);
        if self.under_way.is_empty() {
            self.version = self.confirmed;
        }
    }
}

impl Shared {
    /// Learns how the saves went that are under way.
    pub(super) async fn catch_up(&self) {
        let (under_way, confirmed) = {
            let saves = &mut self.lock().saves;
            (std::mem::take(&mut saves.under_way), saves.confirmed)
        };
        let (mut ours, mut found) = (confirmed, confirmed);
        for save in under_way {
            match save.await {
                Ok(Saved::At(version)) => (ours, found) = (version, version),
                Ok(Saved::Conflict { found: version }) => found = version,
                // It is saved again, with all that happened since.
                Err(_) => {}
            }
        }
        if found > ours {
            self.take_over().await;
        }
        self.lock().saves.confirm(found);
    }

    /// Another process held the conversation meanwhile: turns go on after its last one, what
    /// the person decided there is decided, and an end is an end.
    async fn take_over(&self) {
        let Ok(Some(saved)) = self.core.store.load_conversation(&self.id).await else { return };
        let Ok(theirs) = Document::deserialize(&*saved.body) else { return };
        let mut inner = self.lock();
        let memory = &mut inner.memory;
        memory.turn = memory.turn.max(theirs.turn);
        memory.answered.merge(theirs.answered);
        memory.questions.sweep(&memory.answered);
        // What calls were told to wait for may have been decided.
        memory.refused = Refused::default();
        if theirs.state.standing() != Standing::Active {
            memory.state = theirs.state;
        }
        inner.saves.confirm(saved.version);
    }
}
