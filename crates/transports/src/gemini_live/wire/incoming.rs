//! Messages of the server. Audio stays borrowed from the frame.

use std::fmt;

use aileron_contract::transport::FrameError;
use serde::Deserialize;
use serde::de::{Deserializer, IgnoredAny, MapAccess, Visitor};
use serde_json::value::RawValue;

use super::usage::UsageMetadata;
use crate::lenient::{self, Text};

/// How many unknown field names of one frame are kept for the log.
const MAX_UNKNOWN: usize = 4;

/// One frame: one of these fields, and `usageMetadata` beside it.
#[derive(Debug, Default)]
pub(crate) struct ServerMessage<'a> {
    pub(crate) setup_complete: Option<SetupComplete<'a>>,
    pub(crate) server_content: Option<ServerContent<'a>>,
    pub(crate) tool_call: Option<ToolCallMessage<'a>>,
    pub(crate) cancellation: Option<ToolCallCancellation<'a>>,
    pub(crate) go_away: Option<GoAway<'a>>,
    pub(crate) resumption: Option<SessionResumptionUpdate<'a>>,
    pub(crate) voice_activity: Option<VoiceActivity<'a>>,
    pub(crate) usage: Option<UsageMetadata<'a>>,
    /// Unknown field names, for the log.
    pub(crate) unknown: Vec<String>,
}

/// Parses one frame.
pub(crate) fn read(frame: &[u8]) -> Result<ServerMessage<'_>, FrameError> {
    let read = serde_json::from_slice(frame);
    read.map_err(|error| {
        FrameError::new("a message of Gemini Live", lenient::excerpt(&error.to_string()))
    })
}

impl<'de: 'a, 'a> Deserialize<'de> for ServerMessage<'a> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_map(MessageVisitor)
    }
}

/// Not derived: a derived implementation that keeps unknown names copies the whole frame.
struct MessageVisitor;

impl<'de> Visitor<'de> for MessageVisitor {
    type Value = ServerMessage<'de>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut fields: A) -> Result<Self::Value, A::Error> {
        let mut message = ServerMessage::default();
        while let Some(name) = fields.next_key::<Text<'de>>()? {
            match name.as_str() {
                "setupComplete" | "setup_complete" => {
                    message.setup_complete = fields.next_value()?;
                }
                "serverContent" | "server_content" => {
                    message.server_content = fields.next_value()?;
                }
                "toolCall" | "tool_call" => message.tool_call = fields.next_value()?,
                "toolCallCancellation" | "tool_call_cancellation" => {
                    message.cancellation = fields.next_value()?;
                }
                "goAway" | "go_away" => message.go_away = fields.next_value()?,
                "sessionResumptionUpdate" | "session_resumption_update" => {
                    message.resumption = fields.next_value()?;
                }
                "voiceActivity"
                | "voice_activity"
                | "voiceActivityDetectionSignal"
                | "voice_activity_detection_signal" => {
                    message.voice_activity = fields.next_value()?;
                }
                "usageMetadata" | "usage_metadata" => message.usage = fields.next_value()?,
                other => {
                    if message.unknown.len() < MAX_UNKNOWN {
                        message.unknown.push(lenient::excerpt(other));
                    }
                    fields.next_value::<IgnoredAny>()?;
                }
            }
        }
        Ok(message)
    }
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct SetupComplete<'a> {
    #[serde(borrow, default, alias = "session_id")]
    pub(crate) session_id: Option<Text<'a>>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct ServerContent<'a> {
    #[serde(borrow, default, alias = "model_turn")]
    pub(crate) model_turn: Option<Content<'a>>,
    #[serde(borrow, default, alias = "input_transcription")]
    pub(crate) input_transcription: Option<Transcription<'a>>,
    #[serde(borrow, default, alias = "interim_input_transcription")]
    pub(crate) interim_input_transcription: Option<Transcription<'a>>,
    #[serde(borrow, default, alias = "output_transcription")]
    pub(crate) output_transcription: Option<Transcription<'a>>,
    #[serde(default, deserialize_with = "lenient::nullable")]
    pub(crate) interrupted: bool,
    #[serde(default, alias = "generation_complete", deserialize_with = "lenient::nullable")]
    pub(crate) generation_complete: bool,
    #[serde(default, alias = "turn_complete", deserialize_with = "lenient::nullable")]
    pub(crate) turn_complete: bool,
    #[serde(borrow, default, alias = "turn_complete_reason")]
    pub(crate) turn_complete_reason: Option<Text<'a>>,
    #[serde(borrow, default, alias = "interaction_status")]
    pub(crate) interaction_status: Option<Text<'a>>,
}

#[derive(Debug, Deserialize)]
pub(crate) struct Content<'a> {
    #[serde(borrow, default, deserialize_with = "lenient::nullable")]
    pub(crate) parts: Vec<Part<'a>>,
}

/// A part of the model's turn. Text is omitted: in a voice session it is reasoning, and speech comes as a
/// transcript.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Part<'a> {
    #[serde(borrow, default, alias = "inline_data")]
    pub(crate) inline_data: Option<Blob<'a>>,
    #[serde(borrow, default, alias = "function_call")]
    pub(crate) function_call: Option<FunctionCall<'a>>,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Blob<'a> {
    #[serde(borrow, default, alias = "mime_type")]
    pub(crate) mime_type: Text<'a>,
    #[serde(borrow, default)]
    pub(crate) data: Text<'a>,
}

impl Blob<'_> {
    pub(crate) fn is_audio(&self) -> bool {
        self.mime_type.as_str().starts_with("audio/")
    }
}

#[derive(Debug, Deserialize)]
pub(crate) struct Transcription<'a> {
    #[serde(borrow, default, deserialize_with = "lenient::nullable")]
    pub(crate) text: Text<'a>,
    #[serde(default, deserialize_with = "lenient::nullable")]
    pub(crate) finished: bool,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct ToolCallMessage<'a> {
    #[serde(borrow, default, alias = "function_calls", deserialize_with = "lenient::nullable")]
    pub(crate) function_calls: Vec<FunctionCall<'a>>,
}

#[derive(Debug, Deserialize)]
pub(crate) struct FunctionCall<'a> {
    #[serde(borrow, default)]
    pub(crate) id: Option<Text<'a>>,
    #[serde(borrow, default, deserialize_with = "lenient::nullable")]
    pub(crate) name: Text<'a>,
    /// The raw text, so that a repeated key is noticed.
    #[serde(borrow, default)]
    pub(crate) args: Option<&'a RawValue>,
}

#[derive(Debug, Deserialize)]
pub(crate) struct ToolCallCancellation<'a> {
    #[serde(borrow, default, deserialize_with = "lenient::nullable")]
    pub(crate) ids: Vec<Text<'a>>,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct GoAway<'a> {
    #[serde(borrow, default, alias = "time_left")]
    pub(crate) time_left: Option<Text<'a>>,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct SessionResumptionUpdate<'a> {
    #[serde(borrow, default, alias = "new_handle")]
    pub(crate) new_handle: Option<Text<'a>>,
    #[serde(default, deserialize_with = "lenient::nullable")]
    pub(crate) resumable: bool,
}

/// Two messages with the same content have different field names; both are accepted here.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct VoiceActivity<'a> {
    #[serde(
        borrow,
        default,
        alias = "voice_activity_type",
        alias = "vadSignalType",
        alias = "vad_signal_type",
        deserialize_with = "lenient::nullable"
    )]
    pub(crate) voice_activity_type: Text<'a>,
}
