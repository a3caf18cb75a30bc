//! Events to the server. Each has an id, which the server names if it refuses the event.

use serde::Serialize;

use super::session::SessionConfig;
use crate::audio;

#[derive(Debug, Serialize)]
pub(crate) struct ClientEvent<'a> {
    pub(crate) event_id: &'a str,
    #[serde(flatten)]
    pub(crate) body: Body<'a>,
}

impl ClientEvent<'_> {
    /// The text of the frame. All keys of these messages are strings, so serialising cannot fail.
    pub(crate) fn text(&self) -> String {
        serde_json::to_string(self).unwrap_or_default()
    }
}

#[derive(Debug, Serialize)]
#[serde(tag = "type")]
pub(crate) enum Body<'a> {
    #[serde(rename = "session.update")]
    SessionUpdate { session: Box<SessionConfig<'a>> },
    #[serde(rename = "input_audio_buffer.commit")]
    Commit {},
    #[serde(rename = "input_audio_buffer.clear")]
    Clear {},
    #[serde(rename = "conversation.item.create")]
    ItemCreate { item: NewItem<'a> },
    #[serde(rename = "conversation.item.truncate")]
    ItemTruncate { item_id: &'a str, content_index: u64, audio_end_ms: u64 },
    #[serde(rename = "response.create")]
    ResponseCreate { response: NewResponse<'a> },
    #[serde(rename = "response.cancel")]
    ResponseCancel {
        #[serde(skip_serializing_if = "Option::is_none")]
        response_id: Option<&'a str>,
    },
}

/// The frame for a piece of microphone audio. All have the same id, because it does not matter which one was
/// refused.
pub(crate) fn audio_frame(pcm: &[u8]) -> String {
    const PREFIX: &str =
        r#"{"event_id":"ail_0_audio","type":"input_audio_buffer.append","audio":""#;
    audio::frame(PREFIX, pcm, r#""}"#)
}

/// An item with our id, by which we see that it was accepted.
#[derive(Debug, Serialize)]
pub(crate) struct NewItem<'a> {
    pub(crate) id: &'a str,
    #[serde(flatten)]
    pub(crate) content: ItemContent<'a>,
}

#[derive(Debug, Serialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub(crate) enum ItemContent<'a> {
    Message { role: Role, content: [TextPart<'a>; 1] },
    FunctionCallOutput { call_id: &'a str, output: &'a str },
}

impl<'a> ItemContent<'a> {
    pub(crate) fn message(role: Role, text: &'a str) -> Self {
        let kind = match role {
            Role::User | Role::System => "input_text",
            Role::Assistant => "output_text",
        };
        Self::Message { role, content: [TextPart { kind, text }] }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Role {
    User,
    System,
    Assistant,
}

#[derive(Debug, Serialize)]
pub(crate) struct TextPart<'a> {
    #[serde(rename = "type")]
    kind: &'static str,
    text: &'a str,
}

#[derive(Debug, Serialize)]
pub(crate) struct NewResponse<'a> {
    pub(crate) metadata: Metadata,
    #[serde(flatten)]
    pub(crate) kind: Option<ResponseKind<'a>>,
}

/// A response with its own instructions.
#[derive(Debug, Serialize)]
#[serde(untagged)]
pub(crate) enum ResponseKind<'a> {
    Aside(Aside<'a>),
    Opening(Opening<'a>),
}

#[derive(Debug, Serialize)]
pub(crate) struct Metadata {
    pub(crate) aileron: &'static str,
}

/// A response outside of the conversation: it neither reads nor extends it.
#[derive(Debug, Serialize)]
pub(crate) struct Aside<'a> {
    conversation: &'static str,
    instructions: &'a str,
    input: [(); 0],
    tools: [(); 0],
    tool_choice: &'static str,
}

/// A response of the conversation that says a given sentence.
#[derive(Debug, Serialize)]
pub(crate) struct Opening<'a> {
    instructions: &'a str,
    tool_choice: &'static str,
}

impl<'a> Opening<'a> {
    pub(crate) fn new(instructions: &'a str) -> Self {
        Self { instructions, tool_choice: "none" }
    }
}

impl<'a> Aside<'a> {
    pub(crate) fn new(instructions: &'a str) -> Self {
        Self { conversation: "none", instructions, input: [], tools: [], tool_choice: "none" }
    }
}
