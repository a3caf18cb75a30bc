//! Who the conversation is with, as far as it was established.

use aileron_contract::{ConversationId, UserId};
use serde_json::{Map, Value, json};

/// The person. Without an id nobody has said who they are.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Person {
    pub id: Option<UserId>,
    /// What they may do, as their credentials say.
    pub scopes: Vec<String>,
    /// Claims of their token that tools and conditions may read.
    pub claims: Map<String, Value>,
    /// Whom a block holds for while nobody has said who they are; without it, whoever is in the
    /// conversation. It makes nobody known: nothing is theirs by it.
    pub blocked_as: Option<UserId>,
}

impl Person {
    /// A person known by an id alone.
    pub fn known(id: UserId) -> Self {
        Self { id: Some(id), ..Self::default() }
    }

    /// Whoever is at this machine: a stranger, but the same one in every conversation.
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

    /// Under which id the person is blocked. A stranger has none but the conversation's, unless one
    /// place is theirs alone.
    pub(crate) fn block_id(&self, conversation: &ConversationId) -> UserId {
        let known = self.id.as_ref().or(self.blocked_as.as_ref());
        known.cloned().unwrap_or_else(|| UserId::stranger(conversation))
    }
}
