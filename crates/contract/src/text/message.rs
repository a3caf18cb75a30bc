//! The messages of a text conversation, as stored and as sent to a model.

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::call::ToolCall;
use crate::envelope::ToolResponse;
use crate::id::CallId;

/// One message.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "from", rename_all = "camelCase")]
#[expect(
    clippy::large_enum_variant,
    reason = "late answers are few, and boxes would be everywhere"
)]
pub enum ChatMessage {
    Person {
        text: String,
    },
    Model {
        parts: Vec<ReplyPart>,
        /// The provider's own form of the message, to be sent back to the same provider.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        original: Option<ProviderMessage>,
    },
    /// The answers to all calls of the message before, in their order.
    Results {
        answers: Vec<ToolResultMessage>,
    },
    /// A result that came after the call was answered with "wait", for example after an approval.
    /// It is sent as text.
    Late {
        answer: ToolResultMessage,
    },
}

impl ChatMessage {
    /// The results of calls in the message.
    pub fn results(&self) -> impl Iterator<Item = &ToolResponse> {
        let answers = match self {
            Self::Results { answers } => answers.as_slice(),
            Self::Late { answer } => std::slice::from_ref(answer),
            Self::Person { .. } | Self::Model { .. } => &[],
        };
        answers.iter().map(|answer| &answer.response)
    }
}

/// A part of a model's message, in order.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "camelCase")]
pub enum ReplyPart {
    Text { text: String },
    Reasoning { text: String },
    Call { call: ToolCall },
}

/// A message in its provider's form. Nothing in it may be changed: some of it is signed.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ProviderMessage {
    /// The transport that can read it.
    pub by: String,
    pub content: Value,
    /// The model, instructions and tools that the signed parts belong to, as a hash; none if the provider
    /// accepts them anywhere.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub bound_to: Option<String>,
}

impl ProviderMessage {
    /// A message whose signed parts are accepted anywhere.
    pub fn new(by: &str, content: Value) -> Self {
        Self { by: by.to_owned(), content, bound_to: None }
    }
}

/// The answer to one call.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct ToolResultMessage {
    /// The id the model gave its call.
    pub call_id: CallId,
    /// The tool's name as the model wrote it.
    pub tool_id: String,
    pub response: ToolResponse,
}
