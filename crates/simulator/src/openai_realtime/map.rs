//! Pure: items and responses in the client's form, and the conversation as the model's input.

use aileron_contract::CallId;
use serde_json::{Map, Value, json};

use super::wire::EventRefusal;
use crate::simulated_model::{Channel, HistoryItem, ModelCall, ModelCallResult};

/// An item of the conversation.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct ConversationItem {
    pub(super) item: Value,
    /// The transcript, also if the item has only audio.
    pub(super) words: String,
    /// The length of the model's audio; `None` for other items.
    pub(super) audio_ms: Option<u64>,
}

impl ConversationItem {
    pub(super) fn new(item: Value, words: String) -> Self {
        Self { item, words, audio_ms: None }
    }

    pub(super) fn id(&self) -> &str {
        self.item["id"].as_str().unwrap_or_default()
    }

    fn kind(&self) -> &str {
        self.item["type"].as_str().unwrap_or_default()
    }

    pub(super) fn is_call(&self, call_id: &str) -> bool {
        self.kind() == "function_call" && self.item["call_id"] == call_id
    }
}

/// The items as the model's input. System messages belong to the instructions.
pub(super) fn items(entries: &[ConversationItem]) -> Vec<HistoryItem> {
    entries.iter().filter_map(|entry| seen(entry, entries)).collect()
}

fn seen(entry: &ConversationItem, all: &[ConversationItem]) -> Option<HistoryItem> {
    let text = entry.words.clone();
    match (entry.kind(), entry.item["role"].as_str()) {
        ("message", Some("user")) => {
            Some(HistoryItem::Heard { text, channel: channel(&entry.item) })
        }
        ("message", Some("assistant")) => Some(HistoryItem::Said { text }),
        ("function_call", _) => call(&entry.item).map(HistoryItem::Called),
        ("function_call_output", _) => returned(&entry.item, all).map(HistoryItem::Returned),
        _ => None,
    }
}

fn channel(item: &Value) -> Channel {
    match item["content"][0]["type"] == "input_audio" {
        true => Channel::Spoken,
        false => Channel::Written,
    }
}

fn call(item: &Value) -> Option<ModelCall> {
    let id = CallId::new(item["call_id"].as_str()?).ok()?;
    let args = serde_json::from_str(item["arguments"].as_str()?).unwrap_or_default();
    Some(ModelCall { id, name: item["name"].as_str()?.to_owned(), args })
}

fn returned(item: &Value, all: &[ConversationItem]) -> Option<ModelCallResult> {
    let id = item["call_id"].as_str()?;
    let name = all.iter().find(|entry| entry.is_call(id)).map(|entry| &entry.item["name"]);
    let name = name.and_then(Value::as_str).unwrap_or_default().to_owned();
    Some(ModelCallResult { id: CallId::new(id).ok()?, name, result: item["output"].clone() })
}

/// The system messages of the conversation.
pub(super) fn system_words(entries: &[ConversationItem]) -> Vec<&str> {
    let system = entries.iter().filter(|entry| entry.item["role"] == "system");
    system.map(|entry| entry.words.as_str()).collect()
}

/// Parses an item that the client adds.
pub(super) fn added(
    mut item: Map<String, Value>,
    id: String,
) -> Result<ConversationItem, EventRefusal> {
    let kind = item.get("type").cloned().ok_or_else(|| EventRefusal::missing("item.type"))?;
    let words = match kind.as_str() {
        Some("message") => message_words(&item)?,
        Some("function_call") => {
            for name in ["call_id", "name", "arguments"] {
                text(&item, name)?;
            }
            String::new()
        }
        Some("function_call_output") => {
            text(&item, "call_id")?;
            text(&item, "output")?;
            String::new()
        }
        Some("mcp_approval_response") => String::new(),
        _ => {
            let supported = "'message', 'function_call', and 'function_call_output'";
            return Err(EventRefusal::wrong_value("item.type", &kind, supported));
        }
    };
    item.insert("id".to_owned(), id.into());
    item.insert("object".to_owned(), "realtime.item".into());
    item.insert("status".to_owned(), "completed".into());
    Ok(ConversationItem::new(Value::Object(item), words))
}

fn text<'a>(item: &'a Map<String, Value>, name: &str) -> Result<&'a str, EventRefusal> {
    let at = format!("item.{name}");
    match item.get(name) {
        Some(Value::String(text)) => Ok(text),
        Some(other) => Err(EventRefusal::wrong_type(&at, "a string", other)),
        None => Err(EventRefusal::missing(&at)),
    }
}

fn message_words(item: &Map<String, Value>) -> Result<String, EventRefusal> {
    let role = text(item, "role")?;
    let kinds: &[&str] = match role {
        "user" => &["input_text", "input_audio", "input_image"],
        "system" => &["input_text"],
        "assistant" => &["output_text"],
        _ => {
            let supported = "'user', 'assistant', and 'system'";
            return Err(EventRefusal::wrong_value("item.role", &role.into(), supported));
        }
    };
    let content = item.get("content").ok_or_else(|| EventRefusal::missing("item.content"))?;
    let Some(parts) = content.as_array() else {
        return Err(EventRefusal::wrong_type("item.content", "an array of objects", content));
    };
    let mut words = String::new();
    for (at, part) in parts.iter().enumerate() {
        words.push_str(part_words(part, kinds, &format!("item.content[{at}]"))?);
    }
    Ok(words)
}

fn part_words<'a>(part: &'a Value, kinds: &[&str], at: &str) -> Result<&'a str, EventRefusal> {
    let kind = &part["type"];
    if !kind.as_str().is_some_and(|kind| kinds.contains(&kind)) {
        let supported: Vec<_> = kinds.iter().map(|kind| format!("'{kind}'")).collect();
        return Err(EventRefusal::wrong_value(&format!("{at}.type"), kind, &supported.join(", ")));
    }
    match (kind.as_str(), part["text"].as_str()) {
        (Some("input_audio" | "input_image"), _) => Ok(part["transcript"].as_str().unwrap_or("")),
        (_, Some(text)) => Ok(text),
        (_, None) => Err(EventRefusal::missing(&format!("{at}.text"))),
    }
}

/// A message of the model in progress.
pub(super) fn spoken_message(id: &str, status: &str, content: Vec<Value>) -> Value {
    json!({
        "id": id,
        "object": "realtime.item",
        "type": "message",
        "status": status,
        "role": "assistant",
        "content": content,
    })
}

pub(super) fn function_call(id: &str, status: &str, call: &ModelCall, arguments: &str) -> Value {
    json!({
        "id": id,
        "object": "realtime.item",
        "type": "function_call",
        "status": status,
        "call_id": call.id,
        "name": call.name,
        "arguments": arguments,
    })
}

/// A message of the person's audio.
pub(super) fn heard_message(id: &str) -> Value {
    json!({
        "id": id,
        "object": "realtime.item",
        "type": "message",
        "status": "completed",
        "role": "user",
        "content": [{ "type": "input_audio", "transcript": null }],
    })
}

/// Estimates four characters per token.
pub(super) fn usage(input: usize, output: usize) -> Value {
    let (input, output) = (input.div_ceil(4), output.div_ceil(4));
    json!({
        "total_tokens": input + output,
        "input_tokens": input,
        "output_tokens": output,
        "input_token_details": {
            "text_tokens": input, "audio_tokens": 0, "image_tokens": 0, "cached_tokens": 0,
            "cached_tokens_details": { "text_tokens": 0, "audio_tokens": 0, "image_tokens": 0 },
        },
        "output_token_details": { "text_tokens": 0, "audio_tokens": output },
    })
}

/// The chunks of arguments.
pub(super) fn pieces(arguments: &str) -> Vec<String> {
    const PIECE: usize = 12;
    let characters: Vec<char> = arguments.chars().collect();
    characters.chunks(PIECE).map(|piece| piece.iter().collect()).collect()
}

#[cfg(test)]
#[path = "map_tests.rs"]
mod tests;
