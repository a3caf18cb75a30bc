//! The messages of `/v1/voice` in text frames; audio is sent in binary frames. `session_logic` decides what
//! they mean.

use std::borrow::Cow;
use std::fmt;

use aileron_contract::envelope::ConfirmationRequest;
use aileron_contract::{CallId, ConversationId, ToolResponse};
use serde::de::Error as _;
use serde::{Deserialize, Deserializer, Serialize};
use serde_json::Value;

/// Every `type` that a client may send.
pub(crate) const TYPES: [&str; 5] = ["start", "text", "interrupt", "confirm", "stop"];

/// Maximum number of characters of a text.
pub(crate) const MAX_TEXT_CHARS: usize = 8000;

/// Maximum number of characters of a parse error.
const MAX_ERROR_CHARS: usize = 300;

/// A message from the client.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case", deny_unknown_fields)]
pub(crate) enum VoiceClientMessage {
    #[serde(rename_all = "camelCase")]
    Start {
        #[serde(default)]
        provider: Option<String>,
        #[serde(default)]
        conversation_id: Option<ConversationId>,
        /// The registry of a conversation that begins.
        #[serde(default)]
        registry: Option<String>,
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
    if text.chars().nth(MAX_TEXT_CHARS).is_some() {
        let why = format!("expected at most {MAX_TEXT_CHARS} characters in `text`, found more");
        return Err(D::Error::custom(why));
    }
    Ok(text)
}

/// Why a client message is invalid.
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

/// The type only, so that an unknown type is reported differently from an invalid field.
#[derive(Deserialize)]
struct MessageType {
    r#type: Option<String>,
}

impl VoiceClientMessage {
    /// Parses a text frame.
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

/// The parse error, shortened: it may quote a name of any length.
fn brief(error: &serde_json::Error) -> String {
    error.to_string().chars().take(MAX_ERROR_CHARS).collect()
}

/// Checks that a text frame is a valid client message.
pub fn check_message(frame: &str) -> Result<(), String> {
    VoiceClientMessage::parse(frame.as_bytes()).map(drop).map_err(|error| error.to_string())
}

/// A message to the client.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub(crate) enum VoiceServerMessage {
    #[serde(rename_all = "camelCase")]
    Ready {
        conversation_id: ConversationId,
        registry_version: String,
        tools: Vec<String>,
        provider: String,
        /// Limitations of the provider, for the person to read.
        #[serde(skip_serializing_if = "Vec::is_empty")]
        notes: Vec<&'static str>,
    },
    Transcript {
        role: TranscriptRole,
        text: String,
        r#final: bool,
        /// Whether the text replaces the transcript of the utterance so far.
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
    /// A message of a handler for the person.
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
        /// A reason of [`SessionEndReason`], or the reason that a tool gave.
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

    /// The text frame. All keys of these messages are strings, so serialising cannot fail.
    pub(crate) fn frame(&self) -> String {
        serde_json::to_string(self).unwrap_or_default()
    }
}

/// A confirmation request.
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

/// The phase of a call.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(tag = "phase", rename_all = "snake_case")]
pub(crate) enum Phase {
    Started,
    Progress {
        update: Value,
    },
    Partial {
        index: u64,
        data: Value,
    },
    /// The model has its first answer; the call goes on as a task.
    #[serde(rename_all = "camelCase")]
    Background {
        task_id: String,
    },
    Finished {
        response: Box<ToolResponse>,
    },
    Refused {
        /// The policy that refused, or `person`.
        by: Cow<'static, str>,
        response: Box<ToolResponse>,
    },
    Cancelled {
        response: Box<ToolResponse>,
    },
}

/// Every reason as it is sent.
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

/// Why a session ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum SessionEndReason {
    /// The person stopped it.
    Stopped,
    /// A tool ended it.
    Tool,
    Blocked,
    Idle,
    MaxDuration,
    UpstreamLost,
    /// The conversation continues over another connection of the person.
    TakenOver,
    Shutdown,
    /// The client violated the protocol or a limit.
    Misuse,
    /// The client disconnected without a close frame.
    Vanished,
}

impl SessionEndReason {
    pub(crate) const fn as_str(self) -> &'static str {
        REASONS[self as usize]
    }
}

/// The code of an `error` message. Codes are never reused.
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
    UnknownRegistry,
    RegistryNotAllowed,
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
