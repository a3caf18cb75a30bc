//! What we send. Every event has an id of ours, which the server names when it
//! refuses the event.

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
    /// The text of the frame. These values always have one: no map in them has keys but strings.
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

/// The frame of a piece of the microphone's audio. All have the same id: which of them was refused
/// does not matter.
pub(crate) fn audio_frame(pcm: &[u8]) -> String {
    const PREFIX: &str =
        r#"{"event_id":"ail_0_audio","type":"input_audio_buffer.append","audio":""#;
    audio::frame(PREFIX, pcm, r#""}"#)
}

/// An item with an id of ours, by which we see that it was taken.
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

/// A response that is more than a reply to the conversation.
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

/// A response beside the conversation: it knows nothing of it and leaves nothing in it.
#[derive(Debug, Serialize)]
pub(crate) struct Aside<'a> {
    conversation: &'static str,
    instructions: &'a str,
    input: [(); 0],
    tools: [(); 0],
    tool_choice: &'static str,
}

/// A response of the conversation that says what it is told to.
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
