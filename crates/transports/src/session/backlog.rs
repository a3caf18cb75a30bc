//! Inputs that wait for a connection, and inputs that the provider may not have received.

use std::collections::VecDeque;

use aileron_contract::CallId;
use aileron_contract::transport::{DeferredInput, TurnEnd};

/// Maximum number of texts that wait, and of texts that are unacknowledged; results of calls are never dropped.
const MOST_TEXTS: usize = 32;

/// Over how many connections one text is sent. It is not sent again then, because each of those connections may
/// have acted on it.
const MAX_TELLINGS: u32 = 3;

/// Inputs that wait, in order, and inputs that were sent but may be lost.
#[derive(Debug, Clone, Default, PartialEq)]
pub(super) struct Backlog {
    held: VecDeque<WaitingInput>,
    /// Inputs sent since the model last completed a turn. Until it does, a loss of the connection or an
    /// older handle may have lost them.
    unsettled: Vec<Unacknowledged>,
}

#[derive(Debug, Clone, PartialEq)]
struct WaitingInput {
    held: DeferredInput,
    /// Over how many connections it was sent.
    tellings: u32,
}

#[derive(Debug, Clone, PartialEq)]
struct Unacknowledged {
    held: DeferredInput,
    reply: ReplyProgress,
    tellings: u32,
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
    pub(super) fn push(&mut self, held: DeferredInput) {
        let texts = self.held.iter().filter(|one| is_text(&one.held)).count();
        if is_text(&held) && texts >= MOST_TEXTS {
            let oldest = self.held.iter().position(|one| is_text(&one.held));
            oldest.map(|at| self.held.remove(at));
        }
        self.held.push_back(WaitingInput { held, tellings: 0 });
    }

    /// Takes the waiting inputs to send them. They stay unacknowledged until the model has completed a turn.
    pub(super) fn take(&mut self, reply: ReplyProgress) -> Vec<DeferredInput> {
        let waiting = std::mem::take(&mut self.held);
        let mut sent = Vec::with_capacity(waiting.len());
        for WaitingInput { held, tellings } in waiting {
            sent.push(held.clone());
            self.unsettle(Unacknowledged { held, reply, tellings: tellings + 1 });
        }
        sent
    }

    /// Adds an unacknowledged input. Bounded, because a provider may never end a turn.
    fn unsettle(&mut self, one: Unacknowledged) {
        let is_old = |one: &Unacknowledged| is_text(&one.held);
        if is_old(&one) && self.unsettled.iter().filter(|one| is_old(one)).count() >= MOST_TEXTS {
            let oldest = self.unsettled.iter().position(is_old);
            oldest.map(|at| self.unsettled.remove(at));
        }
        self.unsettled.push(one);
    }

    /// The transcript of speech that the provider has heard. It is sent again as text if the connection is lost
    /// before the reply is complete.
    pub(super) fn heard(&mut self, text: &str, reply: ReplyProgress) {
        self.unsettle(Unacknowledged {
            held: DeferredInput::Text(text.to_owned()),
            reply,
            tellings: 1,
        });
    }

    /// Whether inputs were sent since the model last completed a turn.
    pub(super) fn is_unsettled(&self) -> bool {
        !self.unsettled.is_empty()
    }

    /// The model speaks or calls.
    pub(super) fn model_acts(&mut self) {
        let awaited = self.unsettled.iter_mut().filter(|one| one.reply == ReplyProgress::Awaited);
        awaited.for_each(|one| one.reply = ReplyProgress::Started);
    }

    /// The model was interrupted; inputs that were queued behind its reply come next.
    pub(super) fn interrupted(&mut self) {
        let behind = self.unsettled.iter_mut().filter(|one| one.reply == ReplyProgress::Queued);
        behind.for_each(|one| one.reply = ReplyProgress::Awaited);
    }

    /// The model's turn ended. A completed turn acknowledges all inputs. An interrupted one may have begun
    /// before they were sent, but a text whose reply it was is not sent again.
    pub(super) fn turn_ended(&mut self, end: &TurnEnd) {
        if *end == TurnEnd::Interrupted {
            self.unsettled.retain(|one| !is_text(&one.held) || one.reply != ReplyProgress::Started);
            self.interrupted();
        } else {
            self.unsettled.clear();
        }
    }

    /// The result of a call, if it was sent and is unacknowledged.
    pub(super) fn unsettled_result(&self, call_id: &CallId) -> Option<DeferredInput> {
        let held = self.unsettled.iter().rev().map(|one| &one.held);
        let mut of = held
            .filter(|held| matches!(held, DeferredInput::Result(one) if one.call_id == *call_id));
        of.next().cloned()
    }

    /// The connection is lost: unacknowledged inputs are to be sent again, before the others.
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

/// Whether the input requests a reply by itself and may be dropped, unlike the result of a call.
fn is_text(held: &DeferredInput) -> bool {
    match held {
        DeferredInput::Text(_) | DeferredInput::Opening(_) => true,
        DeferredInput::Result(_) => false,
    }
}
