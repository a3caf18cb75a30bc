//! The person of a conversation, with their verified identity.

use aileron_contract::{ConversationId, UserId};
use serde_json::{Map, Value, json};

/// The person. Without an id they are anonymous.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Person {
    pub id: Option<UserId>,
    /// Their permissions, from their credentials.
    pub scopes: Vec<String>,
    /// Claims of their token that tools and conditions may read.
    pub claims: Map<String, Value>,
    /// The id under which an anonymous person is blocked; if it is `None`, the block applies to the
    /// conversation. Does not identify the person and grants no access.
    pub blocked_as: Option<UserId>,
}

impl Person {
    /// A person of whom only the id is known.
    pub fn known(id: UserId) -> Self {
        Self { id: Some(id), ..Self::default() }
    }

    /// The anonymous person at this machine; a block applies to all their conversations.
    pub fn local() -> Self {
        Self { blocked_as: Some(UserId::local()), ..Self::default() }
    }

    /// The person as conditions and handlers see them.
    pub fn view(&self) -> Value {
        let mut view = self.claims.clone();
        view.insert("id".to_owned(), json!(self.id));
        view.insert("authenticated".to_owned(), json!(self.id.is_some()));
        view.insert("scopes".to_owned(), json!(self.scopes));
        Value::Object(view)
    }

    /// The id under which the person is blocked: their own, else `blocked_as`, else one derived
    /// from the conversation.
    pub(crate) fn block_id(&self, conversation: &ConversationId) -> UserId {
        let known = self.id.as_ref().or(self.blocked_as.as_ref());
        known.cloned().unwrap_or_else(|| UserId::stranger(conversation))
    }
}
