//! What is to be told to the provider once there is a connection, and what it may not know yet.

use std::collections::VecDeque;

use aileron_contract::CallId;
use aileron_contract::transport::{DeferredInput, TurnEnd};

/// The most texts of the person that wait, and the most that are unsettled; answers to calls are never
/// dropped.
const MOST_TEXTS: usize = 32;

/// How many connections are asked for a reply to one text. A text that so many connections lost is not
/// asked again: each of them may have acted on it.
const MAX_TELLINGS: u32 = 3;

/// What waits, in order, and what was told but may not be known.
#[derive(Debug, Clone, Default, PartialEq)]
pub(super) struct Backlog {
    held: VecDeque<WaitingInput>,
    /// Told since the model last finished a turn. Until it does, a drop may have swallowed it, and
    /// so may a handle that is older.
    unsettled: Vec<Unacknowledged>,
}

#[derive(Debug, Clone, PartialEq)]
struct WaitingInput {
    held: DeferredInput,
    /// How many connections were told it.
    tellings: u32,
}

#[derive(Debug, Clone, PartialEq)]
struct Unacknowledged {
    held: DeferredInput,
    reply: ReplyProgress,
    tellings: u32,
}

/// What became of the texts and answers that a connection may have lost.
#[derive(Debug, Default, PartialEq)]
pub(super) struct RecoveredInputs {
    /// To be told again.
    pub(super) again: Vec<DeferredInput>,
    /// Texts that were told often enough.
    pub(super) given_up: usize,
}

/// How far the reply to something is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum ReplyProgress {
    /// The model is in the middle of another, which still has to end.
    Queued,
    Awaited,
    Started,
}

impl Backlog {
    pub(super) fn push(&mut self, held: DeferredInput) {
        let texts = self.held.iter().filter(|one| is_text(&one.held)).count();
        if is_text(&held) && texts >= MOST_TEXTS {
            let oldest = self.held.iter().position(|one| is_text(&one.held));
            oldest.map(|at| self.held.remove(at));
        }
        self.held.push_back(WaitingInput { held, tellings: 0 });
    }

    /// What is sent. It stays unsettled until the model has finished a turn.
    pub(super) fn take(&mut self, reply: ReplyProgress) -> Vec<DeferredInput> {
        let waiting = std::mem::take(&mut self.held);
        let mut sent = Vec::with_capacity(waiting.len());
        for WaitingInput { held, tellings } in waiting {
            sent.push(held.clone());
            self.unsettle(Unacknowledged { held, reply, tellings: tellings + 1 });
        }
        sent
    }

    /// A provider that never ends a turn must not make it grow.
    fn unsettle(&mut self, one: Unacknowledged) {
        let is_old = |one: &Unacknowledged| is_text(&one.held);
        if is_old(&one) && self.unsettled.iter().filter(|one| is_old(one)).count() >= MOST_TEXTS {
            let oldest = self.unsettled.iter().position(is_old);
            oldest.map(|at| self.unsettled.remove(at));
        }
        self.unsettled.push(one);
    }

    /// What the person said aloud, which the provider has heard. It is told again in words if the
    /// connection is lost before the answer is complete.
    pub(super) fn heard(&mut self, text: &str, reply: ReplyProgress) {
        self.unsettle(Unacknowledged {
            held: DeferredInput::Text(text.to_owned()),
            reply,
            tellings: 1,
        });
    }

    /// Whether the provider was told something since the model last finished a turn.
    pub(super) fn is_unsettled(&self) -> bool {
        !self.unsettled.is_empty()
    }

    /// The model says or calls something.
    pub(super) fn model_acts(&mut self) {
        let awaited = self.unsettled.iter_mut().filter(|one| one.reply == ReplyProgress::Awaited);
        awaited.for_each(|one| one.reply = ReplyProgress::Started);
    }

    /// The model was cut short; what it was told meanwhile comes next.
    pub(super) fn interrupted(&mut self) {
        let behind = self.unsettled.iter_mut().filter(|one| one.reply == ReplyProgress::Queued);
        behind.for_each(|one| one.reply = ReplyProgress::Awaited);
    }

    /// The model's turn ended. One that finished knows what it was told. One that was cut short may
    /// have begun before it was told, but a text whose reply it was is not answered anew.
    pub(super) fn turn_ended(&mut self, end: &TurnEnd) {
        if *end == TurnEnd::Interrupted {
            self.unsettled.retain(|one| !is_text(&one.held) || one.reply != ReplyProgress::Started);
            self.interrupted();
        } else {
            self.unsettled.clear();
        }
    }

    /// The answer to a call, if it was sent and the model may not know it yet.
    pub(super) fn unsettled_result(&self, call_id: &CallId) -> Option<DeferredInput> {
        let held = self.unsettled.iter().rev().map(|one| &one.held);
        let mut of = held
            .filter(|held| matches!(held, DeferredInput::Result(one) if one.call_id == *call_id));
        of.next().cloned()
    }

    /// The connection is gone: what is unsettled has to be told again, and comes first.
    pub(super) fn recover(&mut self) -> RecoveredInputs {
        let mut recovered = RecoveredInputs::default();
        for Unacknowledged { held, tellings, .. } in self.unsettled.drain(..).rev() {
            if is_text(&held) && tellings >= MAX_TELLINGS {
                recovered.given_up += 1;
                continue;
            }
            recovered.again.push(held.clone());
            self.held.push_front(WaitingInput { held, tellings });
        }
        recovered.again.reverse();
        recovered
    }
}

/// Whether it asks for a reply by itself and may be dropped, unlike the answer to a call.
fn is_text(held: &DeferredInput) -> bool {
    match held {
        DeferredInput::Text(_) | DeferredInput::Opening(_) => true,
        DeferredInput::Result(_) => false,
    }
}
