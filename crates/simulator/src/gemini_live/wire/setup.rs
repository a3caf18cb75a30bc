//! The first message: the model, its settings and its tools.

use serde::Deserialize;
use serde_json::Value;

use super::Content;

pub(crate) type Declarations = Vec<Tool>;

#[derive(Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(crate) struct Setup {
    #[serde(default)]
    pub(crate) model: String,
    pub(crate) generation_config: Option<GenerationConfig>,
    pub(crate) system_instruction: Option<Content>,
    pub(crate) tools: Option<Declarations>,
    pub(crate) realtime_input_config: Option<RealtimeInputConfig>,
    pub(crate) input_audio_transcription: Option<TranscriptionConfig>,
    pub(crate) output_audio_transcription: Option<TranscriptionConfig>,
    pub(crate) session_resumption: Option<SessionResumption>,
    pub(crate) history_config: Option<HistoryConfig>,
    pub(crate) explicit_vad_signal: Option<bool>,
    #[serde(rename = "contextWindowCompression")]
    _context_window_compression: Option<Compression>,
    pub(crate) proactivity: Option<Proactivity>,
    #[serde(rename = "avatarConfig")]
    _avatar_config: Option<Value>,
    #[serde(rename = "safetySettings")]
    _safety_settings: Option<Value>,
    #[serde(rename = "labels")]
    _labels: Option<Value>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(crate) struct GenerationConfig {
    pub(crate) response_modalities: Option<Vec<String>>,
    pub(crate) thinking_config: Option<ThinkingConfig>,
    #[serde(rename = "temperature")]
    _temperature: Option<f64>,
    #[serde(rename = "topP")]
    _top_p: Option<f64>,
    #[serde(rename = "topK")]
    _top_k: Option<f64>,
    #[serde(rename = "maxOutputTokens")]
    _max_output_tokens: Option<Value>,
    #[serde(rename = "seed")]
    _seed: Option<Value>,
    #[serde(rename = "mediaResolution")]
    _media_resolution: Option<String>,
    pub(crate) speech_config: Option<SpeechConfig>,
    pub(crate) enable_affective_dialog: Option<bool>,
    #[serde(rename = "translationConfig")]
    _translation_config: Option<Value>,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(crate) struct SpeechConfig {
    #[serde(rename = "voiceConfig")]
    _voice_config: Option<Value>,
    pub(crate) language_code: Option<String>,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(crate) struct ThinkingConfig {
    pub(crate) include_thoughts: Option<bool>,
    #[serde(rename = "thinkingBudget")]
    _thinking_budget: Option<Value>,
    pub(crate) thinking_level: Option<String>,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(crate) struct Tool {
    pub(crate) function_declarations: Option<Vec<FunctionDeclaration>>,
    #[serde(rename = "googleSearch")]
    _google_search: Option<Value>,
    #[serde(rename = "googleSearchRetrieval")]
    _google_search_retrieval: Option<Value>,
    #[serde(rename = "googleMaps")]
    _google_maps: Option<Value>,
    #[serde(rename = "codeExecution")]
    _code_execution: Option<Value>,
    #[serde(rename = "urlContext")]
    _url_context: Option<Value>,
    #[serde(rename = "mcpServers")]
    _mcp_servers: Option<Value>,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(crate) struct FunctionDeclaration {
    #[serde(default)]
    pub(crate) name: String,
    #[serde(default)]
    pub(crate) description: String,
    pub(crate) parameters: Option<Value>,
    pub(crate) parameters_json_schema: Option<Value>,
    pub(crate) response: Option<Value>,
    pub(crate) response_json_schema: Option<Value>,
    pub(crate) behavior: Option<Behavior>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub(crate) enum Behavior {
    Unspecified,
    Blocking,
    NonBlocking,
}

#[derive(Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(crate) struct RealtimeInputConfig {
    pub(crate) automatic_activity_detection: Option<ActivityDetection>,
    pub(crate) activity_handling: Option<ActivityHandling>,
    #[serde(rename = "turnCoverage")]
    _turn_coverage: Option<String>,
    #[serde(rename = "interimTranscriptTimestampEnabled")]
    _interim_transcript_timestamp_enabled: Option<bool>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(crate) struct ActivityDetection {
    pub(crate) disabled: Option<bool>,
    pub(crate) silence_duration_ms: Option<u64>,
    #[serde(rename = "startOfSpeechSensitivity")]
    _start_of_speech_sensitivity: Option<String>,
    #[serde(rename = "endOfSpeechSensitivity")]
    _end_of_speech_sensitivity: Option<String>,
    #[serde(rename = "prefixPaddingMs")]
    _prefix_padding_ms: Option<u64>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub(crate) enum ActivityHandling {
    #[serde(rename = "ACTIVITY_HANDLING_UNSPECIFIED")]
    Unspecified,
    StartOfActivityInterrupts,
    NoInterruption,
}

impl ActivityHandling {
    pub(crate) fn is_off(self) -> bool {
        self == Self::NoInterruption
    }
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(crate) struct TranscriptionConfig {
    #[serde(rename = "languageCodes")]
    _language_codes: Option<Vec<String>>,
    #[serde(rename = "languageAuto")]
    _language_auto: Option<Value>,
    #[serde(rename = "adaptationPhrases")]
    _adaptation_phrases: Option<Value>,
    #[serde(rename = "sourceText")]
    _source_text: Option<Value>,
    #[serde(rename = "languageHints")]
    _language_hints: Option<Value>,
    #[serde(rename = "customVocabulary")]
    _custom_vocabulary: Option<Value>,
    #[serde(rename = "wordTimestamp")]
    _word_timestamp: Option<Value>,
    #[serde(rename = "diarization")]
    _diarization: Option<Value>,
    #[serde(rename = "mode")]
    _mode: Option<String>,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(crate) struct SessionResumption {
    pub(crate) handle: Option<String>,
    #[serde(rename = "transparent")]
    _transparent: Option<bool>,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(crate) struct HistoryConfig {
    pub(crate) initial_history_in_client_content: Option<bool>,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct Compression {
    #[serde(rename = "triggerTokens")]
    _trigger_tokens: Option<Int64>,
    #[serde(rename = "slidingWindow")]
    _sliding_window: Option<SlidingWindow>,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct SlidingWindow {
    #[serde(rename = "targetTokens")]
    _target_tokens: Option<Int64>,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(crate) struct Proactivity {
    pub(crate) proactive_audio: Option<bool>,
    #[serde(rename = "proactiveVideo")]
    _proactive_video: Option<bool>,
}

/// A number, or the text of one.
#[derive(Debug, Deserialize)]
#[serde(try_from = "Value")]
struct Int64;

impl TryFrom<Value> for Int64 {
    type Error = String;

    fn try_from(value: Value) -> Result<Self, String> {
        let is_number = match &value {
            Value::Number(number) => number.is_i64() || number.is_u64(),
            Value::String(text) => text.parse::<i64>().is_ok(),
            _ => false,
        };
        if is_number { Ok(Self) } else { Err(format!("expected a whole number, found {value}")) }
    }
}
