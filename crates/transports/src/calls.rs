//! The calls of a connection: each is reported once and answered once, by the name and id that the provider
//! gave it.

use std::collections::VecDeque;
use std::hash::{DefaultHasher, Hash, Hasher};

use aileron_contract::transport::CallResult;
use aileron_contract::{Arguments, CallId, ToolCall, ToolResponse};

/// Maximum number of calls. The result of an older one is sent as text.
const MAX_CALLS: usize = 256;

/// The calls of one connection.
#[derive(Debug, Clone, Default, PartialEq)]
pub(crate) struct CallTable {
    entries: VecDeque<CallEntry>,
    unnamed: u32,
    message: u32,
}

#[derive(Debug, Clone, PartialEq)]
struct CallEntry {
    call_id: CallId,
    wire_id: Option<String>,
    name: String,
    /// Equal for calls with the same name and arguments.
    digest: u64,
    state: CallState,
    /// Calls of one message of the model have the same number.
    message: u32,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum CallState {
    Open,
    Answered,
    Cancelled,
}

/// How a result is sent to the model.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum ResultRoute {
    /// In the provider's format, with the id and the name of the call as they came.
    Native { wire_id: Option<String>, name: String },
    /// As text: the connection does not know the call, or has its result already.
    AsText,
    /// As text that requests no reply: the call was cancelled, but had an effect.
    AsTextNoReply,
    /// Not at all: the call was cancelled and had no effect.
    Drop,
}

impl CallTable {
    /// Calls that are reported from here on belong to another message.
    pub(crate) fn next_message(&mut self) {
        self.message = self.message.wrapping_add(1);
    }

    /// Adds a call, unless it was reported before. A different call under a used id is a separate call,
    /// because the model waits for its result too.
    pub(crate) fn report(
        &mut self,
        wire_id: Option<&str>,
        name: &str,
        args: Arguments,
    ) -> Option<ToolCall> {
        let digest = digest(name, &args);
        let mut taken = self.entries.iter().filter(|known| known.has_wire_id(wire_id)).peekable();
        let usable = if taken.peek().is_some() { None } else { wire_id };
        if taken.any(|known| known.digest == digest) {
            return None;
        }
        let usable = usable.and_then(|id| CallId::chosen_outside(id).ok());
        let call_id = usable.or_else(|| self.new_id())?;
        self.remember(CallEntry {
            call_id: call_id.clone(),
            wire_id: wire_id.map(str::to_owned),
            name: name.to_owned(),
            digest,
            state: CallState::Open,
            message: self.message,
        });
        Some(ToolCall { call_id, tool_id: name.to_owned(), args })
    }

    fn remember(&mut self, known: CallEntry) {
        if self.entries.len() == MAX_CALLS {
            self.entries.pop_front();
        }
        self.entries.push_back(known);
    }

    /// An id for a call without a usable one. It is short, so that the orchestrator identifies the call by its
    /// content and not by our number.
    fn new_id(&mut self) -> Option<CallId> {
        self.unnamed = self.unnamed.wrapping_add(1);
        CallId::new(format!("c-{}", self.unnamed % 100_000)).ok()
    }

    /// The provider cancels a call. It may also cancel an answered one: the result was on its way then, and the
    /// provider ignores it.
    pub(crate) fn cancel(&mut self, wire_id: &str) -> Option<CallId> {
        let at = self.position(wire_id)?;
        let known = self.entries.get_mut(at).filter(|known| known.state != CallState::Cancelled)?;
        known.state = CallState::Cancelled;
        Some(known.call_id.clone())
    }

    /// Marks a call as answered, and returns how its result is sent.
    pub(crate) fn answer(&mut self, result: &CallResult) -> ResultRoute {
        let found = self.entries.iter_mut().rev().find(|known| known.call_id == result.call_id);
        let Some(known) = found else { return ResultRoute::AsText };
        let before = std::mem::replace(&mut known.state, CallState::Answered);
        match (before, &*result.response) {
            (CallState::Open, _) => {
                ResultRoute::Native { wire_id: known.wire_id.clone(), name: known.name.clone() }
            }
            (CallState::Answered, _) => ResultRoute::AsText,
            (CallState::Cancelled, ToolResponse::Success { .. }) => ResultRoute::AsTextNoReply,
            (CallState::Cancelled, ToolResponse::Failure { error, .. })
                if error.partial_side_effects =>
            {
                ResultRoute::AsTextNoReply
            }
            (CallState::Cancelled, ToolResponse::Failure { .. }) => ResultRoute::Drop,
        }
    }

    /// Whether all calls of this call's message have their result.
    pub(crate) fn message_is_answered(&self, call_id: &CallId) -> bool {
        let of = |known: &&CallEntry| known.call_id == *call_id;
        let Some(message) = self.entries.iter().rev().find(of).map(|known| known.message) else {
            return true;
        };
        !self.entries.iter().any(|known| known.message == message && known.state == CallState::Open)
    }

    fn position(&self, wire_id: &str) -> Option<usize> {
        self.entries.iter().rposition(|known| known.has_wire_id(Some(wire_id)))
    }
}

impl CallEntry {
    fn has_wire_id(&self, wire_id: Option<&str>) -> bool {
        wire_id.is_some() && self.wire_id.as_deref() == wire_id
    }
}

fn digest(name: &str, args: &Arguments) -> u64 {
    let mut hasher = DefaultHasher::new();
    (name, args).hash(&mut hasher);
    hasher.finish()
}

#[cfg(test)]
#[path = "calls_tests.rs"]
mod tests;
