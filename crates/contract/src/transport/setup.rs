//! The setup of a connection.

use serde_json::Value;

use super::event::Speaker;

/// Everything that the provider receives before the first input.
#[derive(Debug, Clone, PartialEq)]
pub struct Setup {
    /// The provider's name of the model.
    pub model: String,
    pub instructions: String,
    /// Each tool's declaration as the registry has it for this transport, sent unchanged.
    pub declarations: Vec<Value>,
    /// The declared tools that only read: a provider that can continues to speak while they run.
    pub reads: Vec<String>,
    /// The provider's default voice if absent.
    pub voice: Option<String>,
    /// The language spoken, as a BCP 47 tag; the provider detects it if absent.
    pub language: Option<String>,
    pub transcription: Transcription,
    pub turn_detection: TurnDetection,
    pub compression: Compression,
    /// The handle of an earlier connection to resume.
    pub resume: Option<String>,
    /// The earlier messages, for a provider that does not keep them.
    pub history: Vec<HistoryMessage>,
}

impl Setup {
    /// The setup of a new conversation, with defaults for all else.
    pub fn new(model: impl Into<String>, instructions: impl Into<String>) -> Self {
        Self {
            model: model.into(),
            instructions: instructions.into(),
            declarations: Vec::new(),
            reads: Vec::new(),
            voice: None,
            language: None,
            transcription: Transcription::Both,
            turn_detection: TurnDetection::default(),
            compression: Compression::default(),
            resume: None,
            history: Vec::new(),
        }
    }
}

/// The speakers whose speech the provider transcribes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Transcription {
    Both,
    Neither,
}

/// How the person's turns are detected.
#[derive(Debug, Clone, PartialEq)]
pub enum TurnDetection {
    /// The provider detects turns (VAD). A value that is not set has the provider's default.
    Automatic { silence_ms: Option<u32>, padding_ms: Option<u32>, sensitivity: Option<Sensitivity> },
    /// The core reports them, by [`super::Command::SpeechStart`] and [`super::Command::SpeechEnd`].
    Manual,
}

impl Default for TurnDetection {
    fn default() -> Self {
        Self::Automatic { silence_ms: None, padding_ms: None, sensitivity: None }
    }
}

/// VAD sensitivity.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Sensitivity {
    Low,
    High,
}

/// Treatment of a conversation that exceeds the context window.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Compression {
    /// The provider drops the oldest turns; the numbers are tokens.
    #[default]
    Automatic,
    SlidingWindow {
        trigger: u64,
        target: u64,
    },
    Off,
}

/// One earlier message.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HistoryMessage {
    pub by: Speaker,
    pub text: String,
}
