//! What only OpenAI Realtime can be told, and what it can do with it.

use aileron_contract::Provider;
use aileron_contract::transport::{Cancellation, Capabilities, Support};

/// The choices that depend on the model.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Settings {
    /// The model that puts the person's speech into words.
    pub transcription_model: String,
    pub detector: VoiceDetector,
    pub parallel_calls: ParallelCalls,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            transcription_model: "gpt-4o-mini-transcribe".into(),
            detector: VoiceDetector::Loudness,
            parallel_calls: ParallelCalls::AsTheModelDoes,
        }
    }
}

/// What the provider finds the end of speech by.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum VoiceDetector {
    /// `server_vad`: silence.
    Loudness,
    /// `semantic_vad`: what is being said. It takes no lengths of silence.
    Meaning,
}

/// Whether the model may make several calls at once. Only reasoning models take the setting.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ParallelCalls {
    AsTheModelDoes,
    Allowed,
    Forbidden,
}

impl Settings {
    pub(super) fn capabilities(&self) -> Capabilities {
        Capabilities {
            declarations: Provider::OpenaiRealtime,
            cancellation: Cancellation::Never,
            interrupt: Support::Yes,
            truncate: Support::Yes,
            say: Support::Yes,
            scheduled_results: Support::Yes,
            hears: Support::Yes,
        }
    }
}
