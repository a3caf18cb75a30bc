//! A conversation in writing, as it is kept and as a model is shown it.

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
        /// What the provider sent, for the same provider to be shown again.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        original: Option<ProviderMessage>,
    },
    /// The answers to all calls of the message before, in their order.
    Results {
        answers: Vec<ToolResultMessage>,
    },
    /// An answer that came after the model was told to wait for it, such as one the person had to
    /// approve. It is told in words.
    Late {
        answer: ToolResultMessage,
    },
}

/// A part of what the model said, in the order it was said.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "camelCase")]
pub enum ReplyPart {
    Text { text: String },
    Reasoning { text: String },
    Call { call: ToolCall },
}

/// A message in its provider's own form. Nothing in it may be changed: some of it is signed.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ProviderMessage {
    /// The transport that can read it.
    pub by: String,
    pub content: Value,
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
