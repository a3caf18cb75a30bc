//! A unique id for every call: the provider's, or one of ours where it sent none or a used one.

use std::collections::HashSet;

use aileron_contract::CallId;
use aileron_contract::text::{ChatMessage, ReplyFault, ReplyPart};

use super::fault::unreadable;

/// Our ids are short, so that the orchestrator identifies calls by their content and not by our number.
const MESSAGES: usize = 10_000;

/// The used ids of a conversation, and the next ones of ours.
#[derive(Debug, Clone, Default)]
pub(super) struct CallIds {
    taken: HashSet<String>,
    message: usize,
    made: usize,
}

impl CallIds {
    /// For the reply to these messages.
    pub(super) fn after(messages: &[ChatMessage]) -> Self {
        let parts = messages.iter().flat_map(|message| match message {
            ChatMessage::Model { parts, .. } => parts.as_slice(),
            ChatMessage::Person { .. } | ChatMessage::Results { .. } | ChatMessage::Late { .. } => {
                &[]
            }
        });
        let ids = parts.filter_map(|part| match part {
            ReplyPart::Call { call } => Some(call.call_id.as_str().to_owned()),
            ReplyPart::Text { .. } | ReplyPart::Reasoning { .. } => None,
        });
        Self { taken: ids.collect(), message: messages.len() % MESSAGES, made: 0 }
    }

    /// The id of a call that has this id on the wire.
    pub(super) fn name(&mut self, wire: Option<&str>) -> Result<CallId, ReplyFault> {
        let free = wire.filter(|id| !self.taken.contains(*id));
        let usable = free.and_then(|id| CallId::chosen_outside(id).ok());
        let id = match usable {
            Some(id) => id,
            None => self.make()?,
        };
        self.taken.insert(id.as_str().to_owned());
        Ok(id)
    }

    fn make(&mut self) -> Result<CallId, ReplyFault> {
        loop {
            let id = format!("c{}-{:x}", self.message, self.made);
            self.made += 1;
            if !self.taken.contains(&id) {
                return CallId::new(id).map_err(|error| unreadable("an id of a call", error));
            }
        }
    }
}

#[cfg(test)]
#[path = "call_ids_tests.rs"]
mod tests;
