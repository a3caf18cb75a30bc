//! Which conversation to open, and in which mode.

use aileron_contract::{ConversationId, Mode};

use crate::person::Person;

/// The conversation to open, its mode and its person.
#[derive(Debug, Clone)]
pub struct OpenRequest {
    pub id: ConversationId,
    pub mode: Mode,
    pub person: Person,
}

/// How a person enters a conversation whose current mode is the other one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum ModeEntry {
    /// They may enter if the conversation expects them in that mode.
    IfExpected,
    /// The conversation changes to their mode, as they requested.
    Move,
}
