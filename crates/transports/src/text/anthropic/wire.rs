//! The events and blocks of Anthropic's Messages API. Blocks are stored unchanged.

use aileron_contract::transport::{TokenCount, Usage, UsageScope};
use serde::Deserialize;
use serde_json::{Value, json};

use crate::lenient;
use crate::text::history::ResultText;

/// An event; each kind has some of the fields.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct Event {
    #[serde(rename = "type", deserialize_with = "lenient::nullable")]
    pub(super) kind: String,
    #[serde(deserialize_with = "lenient::count")]
    pub(super) index: u64,
    #[serde(deserialize_with = "lenient::nullable")]
    pub(super) message: Message,
    #[serde(deserialize_with = "lenient::nullable")]
    pub(super) content_block: Value,
    #[serde(deserialize_with = "lenient::nullable")]
    pub(super) delta: Delta,
    pub(super) usage: Option<Counts>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct Message {
    pub(super) usage: Option<Counts>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct Delta {
    #[serde(rename = "type", deserialize_with = "lenient::nullable")]
    pub(super) kind: String,
    #[serde(deserialize_with = "lenient::nullable")]
    pub(super) text: String,
    #[serde(deserialize_with = "lenient::nullable")]
    pub(super) partial_json: String,
    #[serde(deserialize_with = "lenient::nullable")]
    pub(super) thinking: String,
    #[serde(deserialize_with = "lenient::nullable")]
    pub(super) signature: String,
    #[serde(deserialize_with = "lenient::nullable")]
    pub(super) citation: Value,
    pub(super) stop_reason: Option<String>,
}

/// Cumulative counts; a missing one has not changed.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(default)]
pub(super) struct Counts {
    input_tokens: Option<u64>,
    output_tokens: Option<u64>,
    cache_read_input_tokens: Option<u64>,
    cache_creation_input_tokens: Option<u64>,
}

impl Counts {
    pub(super) fn update(&mut self, later: &Self) {
        self.input_tokens = later.input_tokens.or(self.input_tokens);
        self.output_tokens = later.output_tokens.or(self.output_tokens);
        self.cache_read_input_tokens =
            later.cache_read_input_tokens.or(self.cache_read_input_tokens);
        self.cache_creation_input_tokens =
            later.cache_creation_input_tokens.or(self.cache_creation_input_tokens);
    }

    /// Tokens that were read from the cache, or written to it, are not among the input tokens.
    pub(super) fn usage(&self) -> Usage {
        let tokens = |total| TokenCount { total, text: total, audio: 0 };
        let cached = self.cache_read_input_tokens.unwrap_or_default();
        let input = self.input_tokens.unwrap_or_default();
        let input = input.saturating_add(cached);
        let input = input.saturating_add(self.cache_creation_input_tokens.unwrap_or_default());
        let output = self.output_tokens.unwrap_or_default();
        Usage {
            scope: UsageScope::Reply,
            input: tokens(input),
            output: tokens(output),
            cached,
            thoughts: 0,
            total: input.saturating_add(output),
        }
    }
}

/// The kind of a block, or nothing.
pub(super) fn kind(block: &Value) -> &str {
    text(block, "type")
}

/// A text of a block, or nothing.
pub(super) fn text<'a>(block: &'a Value, name: &str) -> &'a str {
    block.get(name).and_then(Value::as_str).unwrap_or_default()
}

/// Appends to a text field of a block.
pub(super) fn append(block: &mut Value, name: &str, more: &str) {
    if let Some(fields) = block.as_object_mut() {
        match fields.get_mut(name) {
            Some(Value::String(text)) => text.push_str(more),
            _ => drop(fields.insert(name.to_owned(), more.into())),
        }
    }
}

pub(super) fn message(role: &str, content: Vec<Value>) -> Value {
    json!({ "role": role, "content": content })
}

pub(super) fn text_block(text: &str) -> Value {
    json!({ "type": "text", "text": text })
}

pub(super) fn tool_use(id: &str, name: &str, input: &Value) -> Value {
    json!({ "type": "tool_use", "id": id, "name": name, "input": input })
}

/// A result has an error flag, so it needs no wrapping.
pub(super) fn tool_result(id: &str, view: &Value, outcome: ResultText) -> Value {
    let inner = view.get("output").or_else(|| view.get("error")).unwrap_or(view);
    let content = match inner {
        Value::String(text) if !text.trim().is_empty() => text.clone(),
        other => other.to_string(),
    };
    let mut result = json!({ "type": "tool_result", "tool_use_id": id, "content": content });
    if outcome == ResultText::Failure {
        result["is_error"] = true.into();
    }
    result
}
