//! Who the conversation is with, as far as it was established.

use aileron_contract::{ConversationId, UserId};
use serde_json::{Map, Value, json};

/// The person. Without an id nobody has said who they are.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Person {
    pub id: Option<UserId>,
    /// What they may do, as their credentials say.
    pub scopes: Vec<String>,
    /// Further facts that tools and conditions may read.
    pub facts: Map<String, Value>,
}

impl Person {
    /// A person known by an id alone.
    pub fn known(id: UserId) -> Self {
        Self { id: Some(id), ..Self::default() }
    }

    /// The person as conditions and handlers see them.
    pub fn view(&self) -> Value {
        let mut view = self.facts.clone();
        view.insert("id".to_owned(), json!(self.id));
        view.insert("authenticated".to_owned(), json!(self.id.is_some()));
        view.insert("scopes".to_owned(), json!(self.scopes));
        Value::Object(view)
    }

    /// Under which id the person is blocked. A stranger has none but the conversation's.
    pub(crate) fn block_id(&self, conversation: &ConversationId) -> UserId {
        self.id.clone().unwrap_or_else(|| UserId::stranger(conversation))
    }
}
