//! The events and items of OpenAI's Responses API. Items are stored unchanged.

use aileron_contract::transport::{TokenCount, Usage, UsageScope};
use serde::Deserialize;
use serde_json::{Value, json};

use crate::lenient;

/// An event; each kind has some of the fields.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct Event {
    #[serde(rename = "type", deserialize_with = "lenient::nullable")]
    pub(super) kind: String,
    #[serde(deserialize_with = "lenient::count")]
    pub(super) output_index: u64,
    #[serde(deserialize_with = "lenient::count")]
    pub(super) summary_index: u64,
    #[serde(deserialize_with = "lenient::nullable")]
    pub(super) delta: String,
    #[serde(deserialize_with = "lenient::nullable")]
    pub(super) item: Value,
    #[serde(deserialize_with = "lenient::nullable")]
    pub(super) response: Response,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct Response {
    #[serde(deserialize_with = "lenient::nullable")]
    pub(super) output: Vec<Value>,
    #[serde(deserialize_with = "lenient::nullable")]
    pub(super) error: Value,
    #[serde(deserialize_with = "lenient::nullable")]
    pub(super) incomplete_details: IncompleteDetails,
    pub(super) usage: Option<ResponseUsage>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct IncompleteDetails {
    #[serde(deserialize_with = "lenient::nullable")]
    pub(super) reason: String,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct ResponseUsage {
    #[serde(deserialize_with = "lenient::count")]
    input_tokens: u64,
    #[serde(deserialize_with = "lenient::count")]
    output_tokens: u64,
    #[serde(deserialize_with = "lenient::count")]
    total_tokens: u64,
    #[serde(deserialize_with = "lenient::nullable")]
    input_tokens_details: Details,
    #[serde(deserialize_with = "lenient::nullable")]
    output_tokens_details: Details,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct Details {
    #[serde(deserialize_with = "lenient::count")]
    cached_tokens: u64,
    #[serde(deserialize_with = "lenient::count")]
    reasoning_tokens: u64,
}

impl ResponseUsage {
    pub(super) fn usage(&self) -> Usage {
        let tokens = |total| TokenCount { total, text: total, audio: 0 };
        Usage {
            scope: UsageScope::Reply,
            input: tokens(self.input_tokens),
            output: tokens(self.output_tokens),
            cached: self.input_tokens_details.cached_tokens,
            thoughts: self.output_tokens_details.reasoning_tokens,
            total: self.total_tokens,
        }
    }
}

/// A text of an item, or nothing.
pub(super) fn text<'a>(item: &'a Value, name: &str) -> &'a str {
    item.get(name).and_then(Value::as_str).unwrap_or_default()
}

pub(super) fn message(role: &str, text: &str) -> Value {
    json!({ "type": "message", "role": role, "content": text })
}

pub(super) fn function_call(call_id: &str, name: &str, arguments: &Value) -> Value {
    json!({
        "type": "function_call",
        "call_id": call_id,
        "name": name,
        "arguments": arguments.to_string(),
    })
}

pub(super) fn function_call_output(call_id: &str, view: &Value) -> Value {
    json!({ "type": "function_call_output", "call_id": call_id, "output": view.to_string() })
}
