//! The messages of Gemini. Every event is a complete response object; the parts of its content are stored
//! unchanged.

use aileron_contract::transport::{TokenCount, Usage, UsageScope};
use serde::Deserialize;
use serde_json::{Value, json};

use crate::lenient;

/// Disables the signature check for a part that Gemini did not write.
const PLACEHOLDER: &str = "skip_thought_signature_validator";

#[derive(Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub(super) struct Response {
    #[serde(deserialize_with = "lenient::nullable")]
    pub(super) candidates: Vec<Candidate>,
    #[serde(deserialize_with = "lenient::nullable")]
    pub(super) prompt_feedback: PromptFeedback,
    pub(super) usage_metadata: Option<UsageMetadata>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub(super) struct Candidate {
    #[serde(deserialize_with = "lenient::nullable")]
    pub(super) content: Content,
    pub(super) finish_reason: Option<String>,
    #[serde(deserialize_with = "lenient::nullable")]
    pub(super) finish_message: String,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct Content {
    #[serde(deserialize_with = "lenient::nullable")]
    pub(super) parts: Vec<Value>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub(super) struct PromptFeedback {
    pub(super) block_reason: Option<String>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub(super) struct UsageMetadata {
    #[serde(deserialize_with = "lenient::count")]
    prompt_token_count: u64,
    #[serde(deserialize_with = "lenient::count")]
    candidates_token_count: u64,
    #[serde(deserialize_with = "lenient::count")]
    cached_content_token_count: u64,
    #[serde(deserialize_with = "lenient::count")]
    tool_use_prompt_token_count: u64,
    #[serde(deserialize_with = "lenient::count")]
    thoughts_token_count: u64,
    #[serde(deserialize_with = "lenient::count")]
    total_token_count: u64,
}

impl UsageMetadata {
    pub(super) fn usage(&self) -> Usage {
        let input = self.prompt_token_count.saturating_add(self.tool_use_prompt_token_count);
        let output = self.candidates_token_count.saturating_add(self.thoughts_token_count);
        Usage {
            scope: UsageScope::Reply,
            input: TokenCount { total: input, text: input, audio: 0 },
            output: TokenCount { total: output, text: output, audio: 0 },
            cached: self.cached_content_token_count,
            thoughts: self.thoughts_token_count,
            total: self.total_token_count,
        }
    }
}

pub(super) fn content(role: &str, parts: Vec<Value>) -> Value {
    json!({ "role": role, "parts": parts })
}

pub(super) fn text(text: &str) -> Value {
    json!({ "text": text })
}

/// Whether a call is the first of its content, which is the signed one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum CallPosition {
    First,
    Later,
}

/// A call that Gemini did not issue.
pub(super) fn foreign_call(name: &str, args: &Value, place: CallPosition) -> Value {
    let mut part = json!({ "functionCall": { "name": name, "args": args } });
    if place == CallPosition::First {
        part["thoughtSignature"] = PLACEHOLDER.into();
    }
    part
}

pub(super) fn function_response(id: Option<&str>, name: &str, view: &Value) -> Value {
    let mut response = json!({ "name": name, "response": view });
    if let Some(id) = id {
        response["id"] = id.into();
    }
    json!({ "functionResponse": response })
}
