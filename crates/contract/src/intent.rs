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

/// The intent that a message to the page announces: `timeout` announces `BLOCK_USER`. A page that
/// receives such a message shows that something happened, and without the intent it did not happen.
/// Spelling does not matter: `start_voice_session` and `startVoiceSession` are the same type.
pub fn announced_intent(message_type: &str) -> Option<&'static str> {
    let letters = message_type.chars().filter(char::is_ascii_alphanumeric);
    let plain: String = letters.map(|letter| letter.to_ascii_lowercase()).take(32).collect();
    ANNOUNCEMENTS.iter().find(|(known, _)| *known == plain).map(|(_, intent)| *intent)
}

/// Types of messages, in lower-case letters alone, and the intents that they announce.
const ANNOUNCEMENTS: &[(&str, &str)] = &[
    ("timeout", "BLOCK_USER"),
    ("usertimeout", "BLOCK_USER"),
    ("blockuser", "BLOCK_USER"),
    ("userblocked", "BLOCK_USER"),
    ("startvoicesession", "START_VOICE_SESSION"),
    ("startvoice", "START_VOICE_SESSION"),
    ("startvoicemode", "START_VOICE_SESSION"),
    ("voicesessionstart", "START_VOICE_SESSION"),
    ("requestvoice", "START_VOICE_SESSION"),
    ("requestvoicesession", "START_VOICE_SESSION"),
    ("switchtovoice", "START_VOICE_SESSION"),
    ("endvoicesession", "END_VOICE_SESSION"),
    ("endvoice", "END_VOICE_SESSION"),
    ("voicesessionend", "END_VOICE_SESSION"),
];

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
