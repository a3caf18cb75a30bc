//! Intents: changes that a handler requests of the conversation. The state controller decides about
//! them.

use serde::{Deserialize, Serialize};

/// A change of conversation state that a handler requests.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "SCREAMING_SNAKE_CASE", deny_unknown_fields)]
pub enum Intent {
    EndVoiceSession {
        after: EndAfter,
    },
    StartVoiceSession,
    SuppressAudio {
        value: bool,
    },
    SuppressTranscript {
        value: bool,
    },
    SetPendingMessage {
        message: String,
    },
    /// `until` is in milliseconds since the Unix epoch.
    BlockUser {
        until: u64,
    },
}

impl Intent {
    /// Its name on the wire, for logs. The contents may be personal and are not logged.
    pub fn name(&self) -> &'static str {
        match self {
            Self::EndVoiceSession { .. } => "END_VOICE_SESSION",
            Self::StartVoiceSession => "START_VOICE_SESSION",
            Self::SuppressAudio { .. } => "SUPPRESS_AUDIO",
            Self::SuppressTranscript { .. } => "SUPPRESS_TRANSCRIPT",
            Self::SetPendingMessage { .. } => "SET_PENDING_MESSAGE",
            Self::BlockUser { .. } => "BLOCK_USER",
        }
    }
}

/// When a voice session ends after the request to end it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum EndAfter {
    Immediate,
    CurrentTurn,
    FarewellSpoken,
}

#[cfg(test)]
#[path = "intent_tests.rs"]
mod tests;
