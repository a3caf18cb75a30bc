//! What there is to see of a conversation without opening it.

use aileron_contract::ConversationId;

use crate::state::State;

/// A conversation as it is kept.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Glance {
    pub id: ConversationId,
    /// The number of its latest turn; 0 before the first.
    pub turn: u64,
    /// The registry it began with.
    pub registry_version: String,
    pub state: State,
}
