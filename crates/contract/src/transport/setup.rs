//! What a connection begins with.

use serde_json::Value;

use super::event::Speaker;

/// Everything the provider is told before the first word.
#[derive(Debug, Clone, PartialEq)]
pub struct Setup {
    /// The provider's name of the model.
    pub model: String,
    pub instructions: String,
    /// Each tool's declaration as the registry has it for this transport, sent unchanged.
    pub declarations: Vec<Value>,
    /// The provider's own voice if none is named.
    pub voice: Option<String>,
    /// The language spoken, as a BCP 47 tag; the provider finds out if none is named.
    pub language: Option<String>,
    pub transcription: Transcription,
    pub turn_detection: TurnDetection,
    pub compression: Compression,
    /// The handle of an earlier connection to go on from.
    pub resume: Option<String>,
    /// What was said before, for a provider that has not kept it.
    pub history: Vec<HistoryMessage>,
}

impl Setup {
    /// A conversation that begins, with all else left as it usually is.
    pub fn new(model: impl Into<String>, instructions: impl Into<String>) -> Self {
        Self {
            model: model.into(),
            instructions: instructions.into(),
            declarations: Vec::new(),
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

/// Whose speech is wanted in words.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Transcription {
    Both,
    Neither,
}

/// How it is found out that the person speaks.
#[derive(Debug, Clone, PartialEq)]
pub enum TurnDetection {
    /// The provider listens. What is not set is the provider's own default.
    Automatic { silence_ms: Option<u32>, padding_ms: Option<u32>, sensitivity: Option<Sensitivity> },
    /// The core says so, by [`super::Command::SpeechStart`] and [`super::Command::SpeechEnd`].
    Manual,
}

impl Default for TurnDetection {
    fn default() -> Self {
        Self::Automatic { silence_ms: None, padding_ms: None, sensitivity: None }
    }
}

/// How little it takes to be heard as speech.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Sensitivity {
    Low,
    High,
}

/// What happens when a conversation outgrows the model's window.
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

/// One thing that was said.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HistoryMessage {
    pub by: Speaker,
    pub text: String,
}
