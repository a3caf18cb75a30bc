//! The calls a connection knows: reported once, answered once, and by the name
//! and id the provider gave them.

use std::collections::VecDeque;

use aileron_contract::transport::CallResult;
use aileron_contract::{CallId, ToolResponse};

/// How many calls are remembered. An answer to an older one is told in words.
const MOST: usize = 256;

/// The calls of one connection.
#[derive(Debug, Clone, Default, PartialEq)]
pub(crate) struct Calls {
    known: VecDeque<Known>,
    unnamed: u32,
    message: u32,
}

#[derive(Debug, Clone, PartialEq)]
struct Known {
    call_id: CallId,
    wire_id: Option<String>,
    name: String,
    state: State,
    /// Calls of one message of the model have the same number.
    message: u32,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum State {
    Open,
    Answered,
    Cancelled,
}

/// How an answer reaches the model.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Route {
    /// In the provider's own form, with the id and the name of the call as they came.
    Native { wire_id: Option<String>, name: String },
    /// In words: the connection does not know the call, or has an answer to it already.
    InWords,
    /// In words that ask for no reply: the call was taken back, but what it did was done.
    ForTheRecord,
    /// Not at all: the call was taken back and did nothing.
    Nowhere,
}

impl Calls {
    /// Calls that are reported from here on are of another message.
    pub(crate) fn next_message(&mut self) {
        self.message = self.message.wrapping_add(1);
    }

    /// Takes a call up, unless it was reported before.
    pub(crate) fn report(&mut self, wire_id: Option<&str>, name: &str) -> Option<CallId> {
        if wire_id.is_some_and(|id| self.position(id).is_some()) {
            return None;
        }
        let call_id = wire_id.and_then(|id| CallId::new(id).ok()).or_else(|| self.name_call())?;
        if self.known.len() == MOST {
            self.known.pop_front();
        }
        self.known.push_back(Known {
            call_id: call_id.clone(),
            wire_id: wire_id.map(str::to_owned),
            name: name.to_owned(),
            state: State::Open,
            message: self.message,
        });
        Some(call_id)
    }

    /// An id for a call that came without one we can use. It is short, so that the gate tells calls
    /// apart by what they ask for and not by a number of ours.
    fn name_call(&mut self) -> Option<CallId> {
        self.unnamed = self.unnamed.wrapping_add(1);
        CallId::new(format!("c-{}", self.unnamed % 100_000)).ok()
    }

    /// The provider takes a call back. Only one that is open can be.
    pub(crate) fn cancel(&mut self, wire_id: &str) -> Option<CallId> {
        let at = self.position(wire_id)?;
        let known = self.known.get_mut(at).filter(|known| known.state == State::Open)?;
        known.state = State::Cancelled;
        Some(known.call_id.clone())
    }

    /// Takes an answer, and says how it is to be sent.
    pub(crate) fn answer(&mut self, result: &CallResult) -> Route {
        let found = self.known.iter_mut().rev().find(|known| known.call_id == result.call_id);
        let Some(known) = found else { return Route::InWords };
        let before = std::mem::replace(&mut known.state, State::Answered);
        match (before, &*result.response) {
            (State::Open, _) => {
                Route::Native { wire_id: known.wire_id.clone(), name: known.name.clone() }
            }
            (State::Answered, _) => Route::InWords,
            (State::Cancelled, ToolResponse::Success { .. }) => Route::ForTheRecord,
            (State::Cancelled, ToolResponse::Failure { error, .. })
                if error.partial_side_effects =>
            {
                Route::ForTheRecord
            }
            (State::Cancelled, ToolResponse::Failure { .. }) => Route::Nowhere,
        }
    }

    /// Whether all calls of the message that this one is of have their answer.
    pub(crate) fn message_is_answered(&self, call_id: &CallId) -> bool {
        let of = |known: &&Known| known.call_id == *call_id;
        let Some(message) = self.known.iter().rev().find(of).map(|known| known.message) else {
            return true;
        };
        !self.known.iter().any(|known| known.message == message && known.state == State::Open)
    }

    fn position(&self, wire_id: &str) -> Option<usize> {
        self.known.iter().rposition(|known| known.wire_id.as_deref() == Some(wire_id))
    }
}

#[cfg(test)]
#[path = "calls_tests.rs"]
mod tests;
