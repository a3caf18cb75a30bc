//! The messages of a client, in camel case. As in protobuf, an unknown name is refused, and a client
//! writes numbers of 64 bits as numbers or as text.

mod setup;

use serde::Deserialize;
use serde_json::{Map, Value};

use super::spelling;
pub(super) use setup::{
    ActivityDetection, ActivityHandling, Behavior, Declarations, FunctionDeclaration,
    GenerationConfig, RealtimeInputConfig, Setup, Tool,
};

/// One frame: exactly one of these.
#[derive(Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct Frame {
    setup: Option<Box<Setup>>,
    client_content: Option<ClientContent>,
    realtime_input: Option<RealtimeInput>,
    tool_response: Option<ToolResponse>,
    context_update: Option<ContextUpdate>,
}

/// A message of the client.
#[derive(Debug)]
pub(super) enum ClientMessage {
    /// With its JSON, for watchers.
    Setup(Box<Setup>, Value),
    Content(ClientContent),
    Realtime(RealtimeInput),
    Results(ToolResponse),
    Context(ContextUpdate),
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(super) struct ClientContent {
    pub(super) turns: Option<Vec<Content>>,
    pub(super) turn_complete: Option<bool>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(super) struct Content {
    pub(super) role: Option<String>,
    pub(super) parts: Option<Vec<Part>>,
}

impl Content {
    /// The text of all parts.
    pub(super) fn text(&self) -> String {
        let parts = self.parts.iter().flatten();
        parts.filter_map(|part| part.text.as_deref()).collect()
    }
}

#[derive(Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(super) struct Part {
    pub(super) text: Option<String>,
    pub(super) inline_data: Option<Blob>,
    pub(super) file_data: Option<Value>,
    pub(super) function_call: Option<Value>,
    pub(super) function_response: Option<Value>,
    #[serde(rename = "thought")]
    _thought: Option<bool>,
    #[serde(rename = "thoughtSignature")]
    _thought_signature: Option<String>,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(super) struct Blob {
    pub(super) data: String,
    pub(super) mime_type: String,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(super) struct RealtimeInput {
    pub(super) audio: Option<Blob>,
    pub(super) video: Option<Blob>,
    pub(super) text: Option<String>,
    pub(super) media_chunks: Option<Vec<Blob>>,
    pub(super) activity_start: Option<Value>,
    pub(super) activity_end: Option<Value>,
    pub(super) audio_stream_end: Option<bool>,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(super) struct ToolResponse {
    pub(super) function_responses: Vec<FunctionResponse>,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(super) struct FunctionResponse {
    pub(super) id: Option<String>,
    pub(super) name: Option<String>,
    pub(super) response: Option<Map<String, Value>>,
    pub(super) scheduling: Option<Scheduling>,
    pub(super) will_continue: Option<bool>,
    #[serde(rename = "parts")]
    _parts: Option<Value>,
}

/// When the model mentions the result of a non-blocking call.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub(super) enum Scheduling {
    #[serde(rename = "SCHEDULING_UNSPECIFIED")]
    Unspecified,
    Silent,
    WhenIdle,
    Interrupt,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(super) struct ContextUpdate {
    pub(super) system_instruction: Option<Content>,
    pub(super) tools: Option<ToolList>,
}

/// In a separate object, so that "none" and "absent" differ.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct ToolList {
    #[serde(default)]
    pub(super) tools: Declarations,
}

/// Parses a frame, or returns the server's error.
pub(super) fn read(text: &str) -> Result<ClientMessage, String> {
    let value: Value = serde_json::from_str(text)
        .map_err(|error| format!("Invalid JSON payload received. {error}"))?;
    let value = spelling::camel(value);
    let setup = value.get("setup").cloned();
    let frame: Frame = serde_json::from_value(value).map_err(|error| unreadable(&error))?;
    let Frame { setup: begin, client_content, realtime_input, tool_response, context_update } =
        frame;
    let mut messages = [
        begin.map(|begin| ClientMessage::Setup(begin, setup.unwrap_or_default())),
        client_content.map(ClientMessage::Content),
        realtime_input.map(ClientMessage::Realtime),
        tool_response.map(ClientMessage::Results),
        context_update.map(ClientMessage::Context),
    ]
    .into_iter()
    .flatten();
    match (messages.next(), messages.next()) {
        (Some(message), None) => Ok(message),
        (None, _) => Err("Invalid JSON payload received. The message has no content".to_owned()),
        (Some(_), Some(_)) => {
            Err("Invalid JSON payload received. oneof field 'message' is already set".to_owned())
        }
    }
}

fn unreadable(error: &serde_json::Error) -> String {
    let text = error.to_string();
    let unknown = text.strip_prefix("unknown field `").and_then(|rest| rest.split('`').next());
    match unknown {
        Some(name) => {
            format!("Invalid JSON payload received. Unknown name \"{name}\": Cannot find field.")
        }
        None => format!("Invalid JSON payload received. Invalid value: {text}"),
    }
}

#[cfg(test)]
#[path = "wire_tests.rs"]
mod tests;
