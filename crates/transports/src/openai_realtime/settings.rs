//! Options that only OpenAI Realtime has, and the capabilities that follow from them.

use aileron_contract::Provider;
use aileron_contract::models::OPENAI_TRANSCRIPTION;
use aileron_contract::transport::{Cancellation, Capabilities, Support};

/// The choices that depend on the model.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OpenaiRealtimeOptions {
    /// The model that transcribes the person's speech.
    pub transcription_model: String,
    pub turn_detection: VoiceDetector,
    pub parallel_calls: ParallelCalls,
}

impl Default for OpenaiRealtimeOptions {
    fn default() -> Self {
        Self {
            transcription_model: OPENAI_TRANSCRIPTION.into(),
            turn_detection: VoiceDetector::ServerVad,
            parallel_calls: ParallelCalls::AsTheModelDoes,
        }
    }
}

/// How the provider detects the end of speech.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum VoiceDetector {
    /// `server_vad`: by volume.
    ServerVad,
    /// `semantic_vad`: by content. It takes no lengths of silence.
    SemanticVad,
}

/// Whether the model may make several calls at once. Only reasoning models take the setting.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ParallelCalls {
    AsTheModelDoes,
    Allowed,
    Forbidden,
}

impl OpenaiRealtimeOptions {
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
