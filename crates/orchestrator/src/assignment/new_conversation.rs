//! The conversation that rules decide about.

use aileron_contract::ConversationId;

use crate::person::Person;

/// The name of the registry that a conversation gets if no rule matches. It is always offered.
pub const DEFAULT: &str = "default";

/// The conversation that is about to begin.
#[derive(Debug, Clone, Copy)]
pub struct NewConversation<'a> {
    pub person: &'a Person,
    pub id: &'a ConversationId,
    /// The registry that the request names.
    pub wanted: Option<&'a str>,
}
