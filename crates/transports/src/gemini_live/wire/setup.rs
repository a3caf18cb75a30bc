//! `setup`, the first message of a connection.

use std::borrow::Cow;

use aileron_contract::models::{self, GeminiLiveModel};
use aileron_contract::transport::{Compression, Sensitivity, Setup, Transcription, TurnDetection};
use serde::Serialize;
use serde_json::Value;

use super::outgoing::{Empty, Role, Turn};
use crate::gemini_live::settings::{CallBehaviour, GeminiLiveOptions};

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct SetupMessage<'a> {
    model: Cow<'a, str>,
    generation_config: GenerationConfig<'a>,
    #[serde(skip_serializing_if = "Option::is_none")]
    system_instruction: Option<Turn<'a>>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    tools: Vec<Tools<'a>>,
    realtime_input_config: RealtimeInputConfig,
    #[serde(skip_serializing_if = "Option::is_none")]
    input_audio_transcription: Option<Empty>,
    #[serde(skip_serializing_if = "Option::is_none")]
    output_audio_transcription: Option<Empty>,
    session_resumption: SessionResumption<'a>,
    #[serde(skip_serializing_if = "Option::is_none")]
    context_window_compression: Option<ContextWindowCompression>,
    #[serde(skip_serializing_if = "Option::is_none")]
    history_config: Option<HistoryConfig>,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct GenerationConfig<'a> {
    response_modalities: [&'static str; 1],
    #[serde(skip_serializing_if = "Option::is_none")]
    speech_config: Option<SpeechConfig<'a>>,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct SpeechConfig<'a> {
    #[serde(skip_serializing_if = "Option::is_none")]
    voice_config: Option<VoiceConfig<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    language_code: Option<&'a str>,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct VoiceConfig<'a> {
    prebuilt_voice_config: PrebuiltVoice<'a>,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct PrebuiltVoice<'a> {
    voice_name: &'a str,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct Tools<'a> {
    function_declarations: Vec<Cow<'a, Value>>,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct RealtimeInputConfig {
    automatic_activity_detection: ActivityDetection,
    #[serde(skip_serializing_if = "Option::is_none")]
    turn_coverage: Option<&'static str>,
}

#[derive(Debug, Default, Serialize)]
#[serde(rename_all = "camelCase")]
struct ActivityDetection {
    disabled: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    start_of_speech_sensitivity: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    prefix_padding_ms: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    silence_duration_ms: Option<u32>,
}

#[derive(Debug, Serialize)]
struct SessionResumption<'a> {
    #[serde(skip_serializing_if = "Option::is_none")]
    handle: Option<&'a str>,
}

/// 64-bit numbers are strings in protobuf's JSON.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct ContextWindowCompression {
    #[serde(skip_serializing_if = "Option::is_none")]
    trigger_tokens: Option<String>,
    sliding_window: SlidingWindow,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct SlidingWindow {
    #[serde(skip_serializing_if = "Option::is_none")]
    target_tokens: Option<String>,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct HistoryConfig {
    initial_history_in_client_content: bool,
}

impl<'a> SetupMessage<'a> {
    pub(crate) fn new(setup: &'a Setup, settings: &GeminiLiveOptions) -> Self {
        let contract = models::gemini_live(&setup.model);
        let transcription = || (setup.transcription == Transcription::Both).then_some(Empty {});
        Self {
            model: model(&setup.model),
            generation_config: GenerationConfig {
                response_modalities: ["AUDIO"],
                speech_config: speech(setup, contract),
            },
            system_instruction: instructions(&setup.instructions),
            tools: tools(setup, settings.calls),
            realtime_input_config: RealtimeInputConfig {
                automatic_activity_detection: detection(&setup.turn_detection),
                turn_coverage: contract.turn_coverage,
            },
            input_audio_transcription: transcription(),
            output_audio_transcription: transcription(),
            session_resumption: SessionResumption { handle: setup.resume.as_deref() },
            context_window_compression: compression(setup.compression),
            history_config: replays(setup)
                .then_some(HistoryConfig { initial_history_in_client_content: true }),
        }
    }
}

/// Whether the history is sent: not where the provider resumes from a handle.
pub(crate) fn replays(setup: &Setup) -> bool {
    setup.resume.is_none() && !setup.history.is_empty()
}

fn model(name: &str) -> Cow<'_, str> {
    match name.contains('/') {
        true => Cow::Borrowed(name),
        false => Cow::Owned(format!("models/{name}")),
    }
}

/// A model that detects the language itself refuses a code for it.
fn speech<'a>(setup: &'a Setup, contract: &GeminiLiveModel) -> Option<SpeechConfig<'a>> {
    let voice = |voice_name| VoiceConfig { prebuilt_voice_config: PrebuiltVoice { voice_name } };
    let voice_config = setup.voice.as_deref().map(voice);
    let language_code = setup.language.as_deref().filter(|_| contract.language_code.is_accepted());
    let named = voice_config.is_some() || language_code.is_some();
    named.then_some(SpeechConfig { voice_config, language_code })
}

fn instructions(text: &str) -> Option<Turn<'_>> {
    (!text.is_empty()).then(|| Turn::new(Role::User, text))
}

fn tools(setup: &Setup, calls: CallBehaviour) -> Vec<Tools<'_>> {
    if setup.declarations.is_empty() {
        return Vec::new();
    }
    let declared = setup.declarations.iter().map(|tool| declaration(tool, &setup.reads, calls));
    vec![Tools { function_declarations: declared.collect() }]
}

/// A declaration with its `behavior`. It is explicit where a model knows both, because the defaults of
/// models differ.
fn declaration<'a>(tool: &'a Value, reads: &[String], calls: CallBehaviour) -> Cow<'a, Value> {
    let only_reads = || tool["name"].as_str().is_some_and(|name| reads.iter().any(|it| it == name));
    let behavior = match calls {
        CallBehaviour::AsTheModelDoes => None,
        CallBehaviour::Blocking => Some("BLOCKING"),
        CallBehaviour::NonBlocking(_) => Some("NON_BLOCKING"),
        CallBehaviour::ReadsNonBlocking(_) if only_reads() => Some("NON_BLOCKING"),
        CallBehaviour::ReadsNonBlocking(_) => Some("BLOCKING"),
    };
    match (behavior, tool) {
        (Some(behavior), Value::Object(fields)) => {
            let mut fields = fields.clone();
            fields.insert("behavior".into(), behavior.into());
            Cow::Owned(Value::Object(fields))
        }
        (_, tool) => Cow::Borrowed(tool),
    }
}

fn detection(detection: &TurnDetection) -> ActivityDetection {
    match *detection {
        TurnDetection::Manual => ActivityDetection { disabled: true, ..Default::default() },
        TurnDetection::Automatic { silence_ms, padding_ms, sensitivity } => ActivityDetection {
            disabled: false,
            start_of_speech_sensitivity: sensitivity.map(|level| match level {
                Sensitivity::Low => "START_SENSITIVITY_LOW",
                Sensitivity::High => "START_SENSITIVITY_HIGH",
            }),
            prefix_padding_ms: padding_ms,
            silence_duration_ms: silence_ms,
        },
    }
}

fn compression(compression: Compression) -> Option<ContextWindowCompression> {
    let (trigger, target) = match compression {
        Compression::Off => return None,
        Compression::Automatic => (None, None),
        Compression::SlidingWindow { trigger, target } => (Some(trigger), Some(target)),
    };
    Some(ContextWindowCompression {
        trigger_tokens: trigger.map(|tokens| tokens.to_string()),
        sliding_window: SlidingWindow { target_tokens: target.map(|tokens| tokens.to_string()) },
    })
}
