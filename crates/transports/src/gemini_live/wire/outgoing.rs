//! Messages to the server, after the setup.

use serde::Serialize;
use serde_json::Value;

use super::setup::SetupMessage;
use crate::audio;
use crate::gemini_live::settings::Scheduling;

/// One frame: exactly one of these fields.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) enum ClientMessage<'a> {
    Setup(Box<SetupMessage<'a>>),
    ClientContent(ClientContent<'a>),
    RealtimeInput(RealtimeInput<'a>),
    ToolResponse(ToolResponseMessage<'a>),
}

impl ClientMessage<'_> {
    /// The text of the frame. All keys of these messages are strings, so serialising cannot fail.
    pub(crate) fn text(&self) -> String {
        serde_json::to_string(self).unwrap_or_default()
    }
}

/// The frame for a piece of microphone audio.
pub(crate) fn audio_frame(pcm: &[u8]) -> String {
    const PREFIX: &str = r#"{"realtimeInput":{"audio":{"mimeType":"audio/pcm;rate=16000","data":""#;
    audio::frame(PREFIX, pcm, r#""}}}"#)
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct ClientContent<'a> {
    pub(crate) turns: Vec<Turn<'a>>,
    pub(crate) turn_complete: bool,
}

#[derive(Debug, Serialize)]
pub(crate) struct Turn<'a> {
    pub(crate) role: Role,
    pub(crate) parts: [TextPart<'a>; 1],
}

impl<'a> Turn<'a> {
    pub(crate) fn new(role: Role, text: &'a str) -> Self {
        Self { role, parts: [TextPart { text }] }
    }
}

#[derive(Debug, Clone, Copy, Serialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Role {
    User,
    Model,
}

#[derive(Debug, Serialize)]
pub(crate) struct TextPart<'a> {
    pub(crate) text: &'a str,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) enum RealtimeInput<'a> {
    Text(&'a str),
    AudioStreamEnd(bool),
    ActivityStart(Empty),
    ActivityEnd(Empty),
}

/// A message without fields: `{}`.
#[derive(Debug, Serialize)]
pub(crate) struct Empty {}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct ToolResponseMessage<'a> {
    pub(crate) function_responses: &'a [FunctionResponse],
}

#[derive(Debug, Serialize)]
pub(crate) struct FunctionResponse {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) id: Option<String>,
    pub(crate) name: String,
    pub(crate) response: Value,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) scheduling: Option<Scheduling>,
}
