//! A view of a conversation without opening it.

use aileron_contract::{ConversationId, UserId};

use crate::assignment::AssignedRegistry;
use crate::state::ConversationState;

/// A conversation as it is stored.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ConversationSnapshot {
    pub id: ConversationId,
    /// The person it belongs to.
    pub user: Option<UserId>,
    /// The number of its latest turn; 0 before the first.
    pub turn: u64,
    /// The registry it began with.
    pub registry_version: String,
    /// The name of that registry and why it was chosen; absent where there was only one.
    pub assigned: Option<AssignedRegistry>,
    pub state: ConversationState,
}
