//! A conversation as a model sees it, and the model's next actions, independent of a provider's
//! protocol.

use serde_json::{Map, Value};

use crate::CallId;

/// The complete input of a model.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct ModelInput {
    pub instructions: String,
    pub tools: Vec<ToolDeclaration>,
    pub items: Vec<HistoryItem>,
}

/// A tool as it was declared.
#[derive(Debug, Clone, PartialEq)]
pub struct ToolDeclaration {
    pub name: String,
    pub description: String,
    /// The schema of its arguments, in the provider's dialect.
    pub parameters: Value,
}

/// One event of the conversation.
#[derive(Debug, Clone, PartialEq)]
pub enum HistoryItem {
    /// The person's words.
    Heard {
        text: String,
        channel: Channel,
    },
    /// The model's words.
    Said {
        text: String,
    },
    Called(ModelCall),
    Returned(ModelCallResult),
}

/// How a text reached the model.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Channel {
    Written,
    Spoken,
}

/// A call the model made.
#[derive(Debug, Clone, PartialEq)]
pub struct ModelCall {
    pub id: CallId,
    pub name: String,
    pub args: Map<String, Value>,
}

/// The result of a call.
#[derive(Debug, Clone, PartialEq)]
pub struct ModelCallResult {
    pub id: CallId,
    pub name: String,
    /// The object or the text, as the client sent it.
    pub result: Value,
}

/// An action of the model.
#[derive(Debug, Clone, PartialEq)]
pub enum ModelAction {
    /// Reasons, if the protocol shows that.
    Think(String),
    /// Speaks or writes.
    Say(String),
    /// Makes calls in one message, and waits for their results.
    Call(Vec<PlannedCall>),
}

/// A call to be made.
#[derive(Debug, Clone, PartialEq)]
pub struct PlannedCall {
    /// The protocol generates one if absent.
    pub id: Option<CallId>,
    pub name: String,
    pub args: Map<String, Value>,
}
