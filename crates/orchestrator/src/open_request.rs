//! Which conversation to open, and in which mode.

use aileron_contract::{ConversationId, Mode};

use crate::person::Person;

/// Which conversation to open, how and with whom.
#[derive(Debug, Clone)]
pub struct OpenRequest {
    pub id: ConversationId,
    pub mode: Mode,
    pub person: Person,
}

/// How a person enters a conversation that is held in the other mode.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum ModeEntry {
    /// They may enter if the conversation expects them in that mode.
    IfExpected,
    /// The conversation moves to their mode: they said so.
    Move,
}
