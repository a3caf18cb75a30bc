//! The chunks and messages of Chat Completions as they are sent.

use aileron_contract::transport::{TokenCount, Usage, UsageScope};
use serde::Deserialize;
use serde_json::{Map, Value, json};

use crate::lenient;

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct Chunk {
    #[serde(deserialize_with = "lenient::nullable")]
    pub(super) choices: Vec<Choice>,
    pub(super) usage: Option<ChunkUsage>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct Choice {
    #[serde(deserialize_with = "lenient::nullable")]
    pub(super) delta: Delta,
    pub(super) finish_reason: Option<String>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct Delta {
    #[serde(deserialize_with = "lenient::nullable")]
    pub(super) content: String,
    #[serde(deserialize_with = "lenient::nullable")]
    pub(super) refusal: String,
    /// The field name of some servers of open models.
    #[serde(deserialize_with = "lenient::nullable")]
    pub(super) reasoning_content: String,
    /// The field name of others.
    #[serde(deserialize_with = "lenient::nullable")]
    pub(super) reasoning: String,
    #[serde(deserialize_with = "lenient::nullable")]
    pub(super) tool_calls: Vec<CallDelta>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct CallDelta {
    pub(super) index: Option<u64>,
    #[serde(deserialize_with = "lenient::nullable")]
    pub(super) id: String,
    #[serde(deserialize_with = "lenient::nullable")]
    pub(super) function: FunctionDelta,
    /// Other fields that a server wants back, such as a signature.
    #[serde(flatten)]
    pub(super) rest: Map<String, Value>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct FunctionDelta {
    #[serde(deserialize_with = "lenient::nullable")]
    pub(super) name: String,
    /// Text, or an object in place of the text.
    #[serde(deserialize_with = "lenient::nullable")]
    arguments: Value,
}

impl FunctionDelta {
    pub(super) fn arguments(self) -> String {
        match self.arguments {
            Value::Null => String::new(),
            Value::String(text) => text,
            other => other.to_string(),
        }
    }
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct ChunkUsage {
    #[serde(deserialize_with = "lenient::count")]
    prompt_tokens: u64,
    #[serde(deserialize_with = "lenient::count")]
    completion_tokens: u64,
    #[serde(deserialize_with = "lenient::count")]
    total_tokens: u64,
    #[serde(deserialize_with = "lenient::nullable")]
    prompt_tokens_details: Details,
    #[serde(deserialize_with = "lenient::nullable")]
    completion_tokens_details: Details,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct Details {
    #[serde(deserialize_with = "lenient::count")]
    cached_tokens: u64,
    #[serde(deserialize_with = "lenient::count")]
    reasoning_tokens: u64,
}

impl ChunkUsage {
    pub(super) fn usage(&self) -> Usage {
        let tokens = |total| TokenCount { total, text: total, audio: 0 };
        Usage {
            scope: UsageScope::Reply,
            input: tokens(self.prompt_tokens),
            output: tokens(self.completion_tokens),
            cached: self.prompt_tokens_details.cached_tokens,
            thoughts: self.completion_tokens_details.reasoning_tokens,
            total: self.total_tokens,
        }
    }
}

pub(super) fn message(role: &str, text: &str) -> Value {
    json!({ "role": role, "content": text })
}

pub(super) fn tool_call(id: &str, name: &str, arguments: &Value) -> Value {
    let function = json!({ "name": name, "arguments": arguments.to_string() });
    json!({ "id": id, "type": "function", "function": function })
}

pub(super) fn tool_result(id: &str, view: &Value) -> Value {
    json!({ "role": "tool", "tool_call_id": id, "content": view.to_string() })
}

/// A message of the model, with optional text and calls.
pub(super) fn assistant(text: &str, calls: Vec<Value>) -> Value {
    let content = if text.is_empty() { Value::Null } else { text.into() };
    let mut message = json!({ "role": "assistant", "content": content });
    if !calls.is_empty() {
        message["tool_calls"] = Value::Array(calls);
    }
    message
}
