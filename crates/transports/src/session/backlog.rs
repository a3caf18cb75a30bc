//! What is to be told to the provider once there is a connection.

use std::collections::VecDeque;

use aileron_contract::transport::CallResult;

/// The most texts of the person that wait; answers to calls are never dropped.
const MOST_TEXTS: usize = 32;

/// Something that can wait.
#[derive(Debug, Clone, PartialEq)]
pub enum Held {
    /// What the person wrote.
    Text(String),
    /// The answer to a call. On a connection that does not know the call it is told in words.
    Result(CallResult),
}

/// What waits, in order, and what was sent but may not have arrived.
#[derive(Debug, Clone, Default, PartialEq)]
pub(super) struct Backlog {
    held: VecDeque<Held>,
    /// Sent since the model last finished a turn. Until it does, a drop may have swallowed it, and
    /// so may a handle that is older.
    unsettled: Vec<Held>,
}

impl Backlog {
    pub(super) fn push(&mut self, held: Held) {
        let is_text = |held: &Held| matches!(held, Held::Text(_));
        if is_text(&held) && self.held.iter().filter(|held| is_text(held)).count() >= MOST_TEXTS {
            let oldest = self.held.iter().position(is_text);
            oldest.map(|at| self.held.remove(at));
        }
        self.held.push_back(held);
    }

    /// What is sent. It stays unsettled until the model has finished a turn.
    pub(super) fn take(&mut self) -> Vec<Held> {
        let held: Vec<_> = self.held.drain(..).collect();
        self.unsettled.extend(held.iter().cloned());
        held
    }

    /// The model has finished a turn: it knows what it was told.
    pub(super) fn settle(&mut self) {
        self.unsettled.clear();
    }

    /// The connection is gone: what is unsettled has to be told again, and comes first.
    pub(super) fn recover(&mut self) -> &[Held] {
        for held in self.unsettled.drain(..).rev() {
            self.held.push_front(held);
        }
        self.held.make_contiguous()
    }
}
