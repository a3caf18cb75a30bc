//! Inputs that wait for a connection, and inputs that the provider may not have received.

use std::collections::VecDeque;

use aileron_contract::CallId;
use aileron_contract::transport::{DeferredInput, TurnEnd};

/// Maximum number of texts that wait, and of texts that are unacknowledged; results of calls are never dropped.
const MAX_TEXTS: usize = 32;

/// Over how many connections one text is sent. It is not sent again then, because each of those connections may
/// have acted on it.
const MAX_DELIVERIES: u32 = 3;

/// Inputs that wait, in order, and inputs that were sent but may be lost.
#[derive(Debug, Clone, Default, PartialEq)]
pub(super) struct Backlog {
    waiting: VecDeque<WaitingInput>,
    /// Inputs sent since the model last completed a turn. Until it does, a loss of the connection or an
    /// older handle may have lost them.
    unacknowledged: Vec<Unacknowledged>,
}

#[derive(Debug, Clone, PartialEq)]
struct WaitingInput {
    input: DeferredInput,
    /// Over how many connections it was sent.
    deliveries: u32,
}

#[derive(Debug, Clone, PartialEq)]
struct Unacknowledged {
    input: DeferredInput,
    reply: ReplyProgress,
    deliveries: u32,
}

/// The inputs that a connection may have lost.
#[derive(Debug, Default, PartialEq)]
pub(super) struct RecoveredInputs {
    /// Inputs to send again.
    pub(super) again: Vec<DeferredInput>,
    /// The number of texts that were sent often enough.
    pub(super) given_up: usize,
}

/// The progress of the reply to an input.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum ReplyProgress {
    /// The model is in the middle of another reply, which has to end first.
    Queued,
    Awaited,
    Started,
}

impl Backlog {
    pub(super) fn push(&mut self, input: DeferredInput) {
        let texts = self.waiting.iter().filter(|one| is_text(&one.input)).count();
        if is_text(&input) && texts >= MAX_TEXTS {
            let oldest = self.waiting.iter().position(|one| is_text(&one.input));
            oldest.map(|at| self.waiting.remove(at));
        }
        self.waiting.push_back(WaitingInput { input, deliveries: 0 });
    }

    /// Takes the waiting inputs to send them. They stay unacknowledged until the model has completed a turn.
    pub(super) fn take(&mut self, reply: ReplyProgress) -> Vec<DeferredInput> {
        let inputs = std::mem::take(&mut self.waiting);
        let mut sent = Vec::with_capacity(inputs.len());
        for WaitingInput { input, deliveries } in inputs {
            sent.push(input.clone());
            self.add_unacknowledged(Unacknowledged { input, reply, deliveries: deliveries + 1 });
        }
        sent
    }

    /// Adds an unacknowledged input. Bounded, because a provider may never end a turn.
    fn add_unacknowledged(&mut self, one: Unacknowledged) {
        let is_old = |one: &Unacknowledged| is_text(&one.input);
        if is_old(&one) && self.unacknowledged.iter().filter(|one| is_old(one)).count() >= MAX_TEXTS
        {
            let oldest = self.unacknowledged.iter().position(is_old);
            oldest.map(|at| self.unacknowledged.remove(at));
        }
        self.unacknowledged.push(one);
    }

    /// The transcript of speech that the provider has heard. It is sent again as text if the connection is lost
    /// before the reply is complete.
    pub(super) fn add_transcript(&mut self, text: &str, reply: ReplyProgress) {
        self.add_unacknowledged(Unacknowledged {
            input: DeferredInput::Text(text.to_owned()),
            reply,
            deliveries: 1,
        });
    }

    /// Whether inputs were sent since the model last completed a turn.
    pub(super) fn has_unacknowledged(&self) -> bool {
        !self.unacknowledged.is_empty()
    }

    /// The model speaks or calls.
    pub(super) fn model_acts(&mut self) {
        let awaited =
            self.unacknowledged.iter_mut().filter(|one| one.reply == ReplyProgress::Awaited);
        awaited.for_each(|one| one.reply = ReplyProgress::Started);
    }

    /// The model was interrupted; inputs that were queued behind its reply come next.
    pub(super) fn interrupted(&mut self) {
        let behind =
            self.unacknowledged.iter_mut().filter(|one| one.reply == ReplyProgress::Queued);
        behind.for_each(|one| one.reply = ReplyProgress::Awaited);
    }

    /// The model's turn ended. A completed turn acknowledges all inputs. An interrupted one may have begun
    /// before they were sent, but a text whose reply it was is not sent again.
    pub(super) fn turn_ended(&mut self, end: &TurnEnd) {
        if *end == TurnEnd::Interrupted {
            self.unacknowledged
                .retain(|one| !is_text(&one.input) || one.reply != ReplyProgress::Started);
            self.interrupted();
        } else {
            self.unacknowledged.clear();
        }
    }

    /// The result of a call, if it was sent and is unacknowledged.
    pub(super) fn unacknowledged_result(&self, call_id: &CallId) -> Option<DeferredInput> {
        let input = self.unacknowledged.iter().rev().map(|one| &one.input);
        let mut of = input
            .filter(|input| matches!(input, DeferredInput::Result(one) if one.call_id == *call_id));
        of.next().cloned()
    }

    /// The connection is lost: unacknowledged inputs are to be sent again, before the others.
    pub(super) fn recover(&mut self) -> RecoveredInputs {
        let mut recovered = RecoveredInputs::default();
        for Unacknowledged { input, deliveries, .. } in self.unacknowledged.drain(..).rev() {
            if is_text(&input) && deliveries >= MAX_DELIVERIES {
                recovered.given_up += 1;
                continue;
            }
            recovered.again.push(input.clone());
            self.waiting.push_front(WaitingInput { input, deliveries });
        }
        recovered.again.reverse();
        recovered
    }
}

/// Whether the input requests a reply by itself and may be dropped, unlike the result of a call.
fn is_text(input: &DeferredInput) -> bool {
    match input {
        DeferredInput::Text(_) | DeferredInput::Opening(_) => true,
        DeferredInput::Result(_) => false,
    }
}
