//! What is to be told to the provider once there is a connection, and what it may not know yet.

use std::collections::VecDeque;

use aileron_contract::CallId;
use aileron_contract::transport::{Held, TurnEnd};

/// The most texts of the person that wait, and the most that are unsettled; answers to calls are never
/// dropped.
const MOST_TEXTS: usize = 32;

/// What waits, in order, and what was told but may not be known.
#[derive(Debug, Clone, Default, PartialEq)]
pub(super) struct Backlog {
    held: VecDeque<Held>,
    /// Told since the model last finished a turn. Until it does, a drop may have swallowed it, and
    /// so may a handle that is older.
    unsettled: Vec<Unsettled>,
}

#[derive(Debug, Clone, PartialEq)]
struct Unsettled {
    held: Held,
    reply: Reply,
}

/// How far the reply to something is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Reply {
    /// The model is in the middle of another, which still has to end.
    Behind,
    Awaited,
    Begun,
}

impl Backlog {
    pub(super) fn push(&mut self, held: Held) {
        if is_text(&held) && self.held.iter().filter(|held| is_text(held)).count() >= MOST_TEXTS {
            let oldest = self.held.iter().position(is_text);
            oldest.map(|at| self.held.remove(at));
        }
        self.held.push_back(held);
    }

    /// What is sent. It stays unsettled until the model has finished a turn.
    pub(super) fn take(&mut self, reply: Reply) -> Vec<Held> {
        let held: Vec<_> = self.held.drain(..).collect();
        held.iter().for_each(|held| self.unsettle(held.clone(), reply));
        held
    }

    /// A provider that never ends a turn must not make it grow.
    fn unsettle(&mut self, held: Held, reply: Reply) {
        let is_old = |one: &Unsettled| is_text(&one.held);
        if is_text(&held) && self.unsettled.iter().filter(|one| is_old(one)).count() >= MOST_TEXTS {
            let oldest = self.unsettled.iter().position(is_old);
            oldest.map(|at| self.unsettled.remove(at));
        }
        self.unsettled.push(Unsettled { held, reply });
    }

    /// What the person said aloud, which the provider has heard. It is told again in words if the
    /// connection is lost before the answer is complete.
    pub(super) fn heard(&mut self, text: &str, reply: Reply) {
        self.unsettle(Held::Text(text.to_owned()), reply);
    }

    /// The model says or calls something.
    pub(super) fn model_acts(&mut self) {
        let awaited = self.unsettled.iter_mut().filter(|one| one.reply == Reply::Awaited);
        awaited.for_each(|one| one.reply = Reply::Begun);
    }

    /// The model was cut short; what it was told meanwhile comes next.
    pub(super) fn cut_short(&mut self) {
        let behind = self.unsettled.iter_mut().filter(|one| one.reply == Reply::Behind);
        behind.for_each(|one| one.reply = Reply::Awaited);
    }

    /// The model's turn ended. One that finished knows what it was told. One that was cut short may
    /// have begun before it was told, but a text whose reply it was is not answered anew.
    pub(super) fn turn_ended(&mut self, end: &TurnEnd) {
        if *end == TurnEnd::Interrupted {
            self.unsettled.retain(|one| !is_text(&one.held) || one.reply != Reply::Begun);
            self.cut_short();
        } else {
            self.unsettled.clear();
        }
    }

    /// The answer to a call, if it was sent and the model may not know it yet.
    pub(super) fn unsettled_result(&self, call_id: &CallId) -> Option<Held> {
        let held = self.unsettled.iter().rev().map(|one| &one.held);
        let mut of =
            held.filter(|held| matches!(held, Held::Result(one) if one.call_id == *call_id));
        of.next().cloned()
    }

    /// The connection is gone: what is unsettled has to be told again, and comes first.
    pub(super) fn recover(&mut self) -> impl Iterator<Item = &Held> {
        let count = self.unsettled.len();
        for one in self.unsettled.drain(..).rev() {
            self.held.push_front(one.held);
        }
        self.held.iter().take(count)
    }
}

fn is_text(held: &Held) -> bool {
    matches!(held, Held::Text(_))
}
