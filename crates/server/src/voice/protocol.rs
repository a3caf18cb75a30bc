//! The words of `/v1/voice`: what a client says in text frames, and what it is told. Audio goes in
//! binary frames beside them. What any of it means is left to the bridge.

use std::borrow::Cow;
use std::fmt;

use aileron_contract::envelope::ConfirmationRequest;
use aileron_contract::{CallId, ConversationId, ToolResponse};
use serde::de::Error as _;
use serde::{Deserialize, Deserializer, Serialize};
use serde_json::Value;

/// Every `type` a client may send.
pub(crate) const TYPES: [&str; 5] = ["start", "text", "interrupt", "confirm", "stop"];

/// The most characters of a text.
pub(crate) const LONGEST_TEXT: usize = 8000;

/// The most characters of what is wrong with a message.
const LONGEST_WHY: usize = 300;

/// What a client says.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case", deny_unknown_fields)]
pub(crate) enum VoiceClientMessage {
    #[serde(rename_all = "camelCase")]
    Start {
        #[serde(default)]
        provider: Option<String>,
        #[serde(default)]
        conversation_id: Option<ConversationId>,
    },
    Text {
        #[serde(deserialize_with = "text")]
        text: String,
    },
    Interrupt {},
    Confirm {
        token: String,
        approve: bool,
    },
    Stop {},
}

fn text<'de, D: Deserializer<'de>>(deserializer: D) -> Result<String, D::Error> {
    let text = String::deserialize(deserializer)?;
    if text.trim().is_empty() {
        return Err(D::Error::custom("expected words in `text`, found none"));
    }
    if text.chars().nth(LONGEST_TEXT).is_some() {
        let why = format!("expected at most {LONGEST_TEXT} characters in `text`, found more");
        return Err(D::Error::custom(why));
    }
    Ok(text)
}

/// Why a message of a client is none.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum UpError {
    NotJson(String),
    UnknownType(String),
    Misshapen(String),
}

impl fmt::Display for UpError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let types = TYPES.map(|name| format!("`{name}`")).join(", ");
        match self {
            Self::NotJson(why) => {
                write!(f, "expected a JSON object with a `type` of {types}; found {why}")
            }
            Self::UnknownType(found) => {
                write!(f, "expected a `type` of {types}; found {found:?}")
            }
            Self::Misshapen(why) => write!(f, "the message cannot be read: {why}"),
        }
    }
}

/// Only the type, so that a wrong one is told apart from a wrong field.
#[derive(Deserialize)]
struct MessageType {
    r#type: Option<String>,
}

impl VoiceClientMessage {
    /// Reads a text frame.
    pub(crate) fn parse(frame: &[u8]) -> Result<Self, UpError> {
        let error = match serde_json::from_slice(frame) {
            Ok(message) => return Ok(message),
            Err(error) => error,
        };
        match serde_json::from_slice::<MessageType>(frame) {
            Err(error) => Err(UpError::NotJson(brief(&error))),
            Ok(MessageType { r#type: None }) => Err(UpError::NotJson("no `type`".to_owned())),
            Ok(MessageType { r#type: Some(name) }) if !TYPES.contains(&name.as_str()) => {
                Err(UpError::UnknownType(name.chars().take(40).collect()))
            }
            Ok(_) => Err(UpError::Misshapen(brief(&error))),
        }
    }
}

/// What is wrong. It may quote a name of any length, of which the beginning will do.
fn brief(error: &serde_json::Error) -> String {
    error.to_string().chars().take(LONGEST_WHY).collect()
}

/// Whether a text frame is a message that a client may send; if not, why.
pub fn check_message(frame: &str) -> Result<(), String> {
    VoiceClientMessage::parse(frame.as_bytes()).map(drop).map_err(|error| error.to_string())
}

/// What a client is told.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub(crate) enum VoiceServerMessage {
    #[serde(rename_all = "camelCase")]
    Ready {
        conversation_id: ConversationId,
        registry_version: String,
        tools: Vec<String>,
        provider: String,
        /// What the provider does otherwise than one would expect, in words for a person.
        #[serde(skip_serializing_if = "Vec::is_empty")]
        notes: Vec<&'static str>,
    },
    Transcript {
        role: TranscriptRole,
        text: String,
        r#final: bool,
        /// Whether the text stands for everything said so far in place of what was sent of it.
        #[serde(skip_serializing_if = "std::ops::Not::not")]
        replaces: bool,
    },
    #[serde(rename_all = "camelCase")]
    Tool {
        call_id: CallId,
        tool_id: String,
        #[serde(flatten)]
        phase: Phase,
    },
    ConfirmationRequest(Box<Question>),
    #[serde(rename_all = "camelCase")]
    ConfirmationClosed {
        token_id: String,
        how: &'static str,
    },
    /// A handler has something for the person.
    #[serde(rename_all = "camelCase")]
    Message {
        call_id: CallId,
        message: Value,
    },
    #[serde(rename_all = "camelCase")]
    Timeout {
        duration_seconds: u64,
        timeout_until: u64,
        farewell_message: String,
    },
    Interrupted,
    TurnComplete,
    #[serde(rename_all = "camelCase")]
    Ended {
        /// Ours, or the one a tool gave.
        reason: String,
        #[serde(skip_serializing_if = "Option::is_none")]
        closing_message: Option<String>,
        #[serde(skip_serializing_if = "Option::is_none")]
        text_response: Option<String>,
    },
    Error {
        code: ErrorCode,
        message: String,
    },
}

impl VoiceServerMessage {
    pub(crate) fn error(code: ErrorCode, message: impl fmt::Display) -> Self {
        Self::Error { code, message: message.to_string() }
    }

    /// The text frame. These values have only string keys, so there is always one.
    pub(crate) fn frame(&self) -> String {
        serde_json::to_string(self).unwrap_or_default()
    }
}

/// A question, and whether it is put once more.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub(crate) struct Question {
    #[serde(flatten)]
    pub(crate) request: ConfirmationRequest,
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub(crate) again: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum TranscriptRole {
    User,
    Assistant,
}

/// How far a call is.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(tag = "phase", rename_all = "snake_case")]
pub(crate) enum Phase {
    Started,
    Progress {
        update: Value,
    },
    Finished {
        response: Box<ToolResponse>,
    },
    Refused {
        /// Who refused: a policy, or the person.
        by: Cow<'static, str>,
        response: Box<ToolResponse>,
    },
    Cancelled {
        response: Box<ToolResponse>,
    },
}

/// Every reason, as it is written.
pub(crate) const REASONS: [&str; 10] = [
    "stopped",
    "tool",
    "blocked",
    "idle",
    "max_duration",
    "upstream_lost",
    "taken_over",
    "shutdown",
    "misuse",
    "vanished",
];

/// Why a session is over.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum SessionEndReason {
    /// The person stopped it.
    Stopped,
    /// A tool asked for the end.
    Tool,
    Blocked,
    Idle,
    MaxDuration,
    UpstreamLost,
    /// The conversation goes on over another connection of the person.
    TakenOver,
    Shutdown,
    /// The client did what it may not, or takes nothing.
    Misuse,
    /// The client went away without a word.
    Vanished,
}

impl SessionEndReason {
    pub(crate) const fn as_str(self) -> &'static str {
        REASONS[self as usize]
    }
}

/// What an `error` is about. Codes are never reused.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum ErrorCode {
    NotStarted,
    AlreadyStarted,
    StartTimeout,
    BadMessage,
    BadAudio,
    MessageTooBig,
    TooManyMessages,
    TooManyFaults,
    UnknownProvider,
    ProviderUnavailable,
    UnknownConversation,
    TooManyConversations,
    OtherMode,
    RegistryGone,
    ConversationEnded,
    ConversationUnreadable,
    StoreUnavailable,
    ConfirmationRefused,
    Reconnecting,
    UpstreamLost,
    AudioUnsupported,
    ReplyFailed,
    ConfirmationPending,
}

#[cfg(test)]
#[path = "protocol_tests.rs"]
mod tests;
