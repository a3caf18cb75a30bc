//! The client's actions, as watchers see them.

use std::fmt;

use serde_json::Value;

use crate::simulated_model::ModelCallResult;

/// An observed event and its connection, counted from 0.
#[derive(Debug, Clone, PartialEq)]
pub struct Observed {
    pub connection: u64,
    pub seen: ObservedEvent,
}

/// Which protocol a connection speaks.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LiveProtocol {
    GeminiLive,
    OpenaiRealtime,
    OpenaiLive,
}

/// An observed event of a connection.
#[derive(Debug, Clone, PartialEq)]
pub enum ObservedEvent {
    Connected(LiveProtocol),
    /// The setup, or the session after an update, as the simulator understood it.
    Setup(Value),
    /// Words that were written, and whose they are: `user`, `model`, `assistant` or `system`; or the
    /// kind of an append: `instructions`, `thinking` or `commentary`.
    Text {
        role: String,
        text: String,
    },
    /// Sound.
    Audio {
        ms: u64,
    },
    SpeechStarted,
    SpeechStopped {
        lasted_ms: u64,
    },
    /// Results, each as it was sent, also of cancelled calls.
    Results(Vec<ModelCallResult>),
    /// The client requested a reply.
    Asked,
    /// The client interrupted the model.
    Interrupt,
    /// The client reported how much of an item was played.
    Truncate {
        item: String,
        audio_end_ms: u64,
    },
    /// A message of the client was refused.
    Refused {
        code: String,
        message: String,
    },
    /// A frame of the simulator; audio in it is left out.
    Sent(Value),
    /// The connection is closed; no code if it was dropped.
    Closed {
        code: Option<u16>,
        reason: String,
    },
}

impl fmt::Display for Observed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "#{} {}", self.connection, self.seen)
    }
}

impl fmt::Display for ObservedEvent {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Connected(via) => write!(f, "connected: {via}"),
            Self::Setup(setup) => write!(f, "-> setup {setup}"),
            Self::Text { role, text } => write!(f, "-> text of {role}: {text}"),
            Self::Audio { ms } => write!(f, "-> audio, {ms} ms"),
            Self::SpeechStarted => f.write_str("speech started"),
            Self::SpeechStopped { lasted_ms } => write!(f, "speech stopped after {lasted_ms} ms"),
            Self::Results(results) => results.iter().try_for_each(|one| {
                write!(f, "-> result of {} {}: {} ", one.name, one.id, one.result)
            }),
            Self::Asked => f.write_str("-> a reply is asked for"),
            Self::Interrupt => f.write_str("-> interrupt"),
            Self::Truncate { item, audio_end_ms } => {
                write!(f, "-> heard {audio_end_ms} ms of {item}")
            }
            Self::Refused { code, message } => write!(f, "refused: {code}: {message}"),
            Self::Sent(frame) => write!(f, "<- {frame}"),
            Self::Closed { code: Some(code), reason } => write!(f, "closed: {code} {reason}"),
            Self::Closed { code: None, .. } => f.write_str("cut"),
        }
    }
}

impl fmt::Display for LiveProtocol {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::GeminiLive => "gemini-live",
            Self::OpenaiRealtime => "openai-realtime",
            Self::OpenaiLive => "openai-live",
        })
    }
}
