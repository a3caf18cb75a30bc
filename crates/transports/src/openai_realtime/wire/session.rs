//! The session of `session.update`. `null` switches a feature off, so that no unknown default applies.

use aileron_contract::transport::{Compression, Sensitivity, Setup, Transcription, TurnDetection};
use serde::Serialize;
use serde_json::Value;

use crate::openai_realtime::settings::{OpenaiRealtimeOptions, ParallelCalls, VoiceDetector};

#[derive(Debug, Serialize)]
pub(crate) struct SessionConfig<'a> {
    #[serde(rename = "type")]
    kind: &'static str,
    instructions: &'a str,
    output_modalities: [&'static str; 1],
    audio: Audio<'a>,
    tools: &'a [Value],
    tool_choice: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    parallel_tool_calls: Option<bool>,
    truncation: Truncation,
}

#[derive(Debug, Serialize)]
struct Audio<'a> {
    input: Input<'a>,
    output: Output<'a>,
}

#[derive(Debug, Serialize)]
struct Input<'a> {
    format: Format,
    transcription: Option<TranscriptionConfig<'a>>,
    turn_detection: Option<Detection>,
}

#[derive(Debug, Serialize)]
struct Output<'a> {
    format: Format,
    #[serde(skip_serializing_if = "Option::is_none")]
    voice: Option<&'a str>,
}

/// The only sample rate for PCM.
const FORMAT: Format = Format { kind: "audio/pcm", rate: 24_000 };

#[derive(Debug, Serialize)]
struct Format {
    #[serde(rename = "type")]
    kind: &'static str,
    rate: u32,
}

#[derive(Debug, Serialize)]
struct TranscriptionConfig<'a> {
    model: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    language: Option<&'a str>,
}

/// The server begins replies to speech, and interrupts a reply on barge-in.
#[derive(Debug, Serialize)]
struct Detection {
    #[serde(rename = "type")]
    kind: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    threshold: Option<f32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    prefix_padding_ms: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    silence_duration_ms: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    eagerness: Option<&'static str>,
    create_response: bool,
    interrupt_response: bool,
}

#[derive(Debug, Serialize)]
#[serde(untagged)]
enum Truncation {
    Named(&'static str),
    Ratio {
        #[serde(rename = "type")]
        kind: &'static str,
        retention_ratio: f64,
        token_limits: TokenLimits,
    },
}

#[derive(Debug, Serialize)]
struct TokenLimits {
    post_instructions: u64,
}

impl<'a> SessionConfig<'a> {
    pub(crate) fn new(setup: &'a Setup, settings: &'a OpenaiRealtimeOptions) -> Self {
        let input = Input {
            format: FORMAT,
            transcription: transcription(setup, settings),
            turn_detection: detection(&setup.turn_detection, settings.turn_detection),
        };
        Self {
            kind: "realtime",
            instructions: &setup.instructions,
            output_modalities: ["audio"],
            audio: Audio {
                input,
                output: Output { format: FORMAT, voice: setup.voice.as_deref() },
            },
            tools: &setup.declarations,
            tool_choice: "auto",
            parallel_tool_calls: parallel(settings.parallel_calls),
            truncation: truncation(setup.compression),
        }
    }
}

fn transcription<'a>(
    setup: &'a Setup,
    settings: &'a OpenaiRealtimeOptions,
) -> Option<TranscriptionConfig<'a>> {
    match setup.transcription {
        Transcription::Neither => None,
        Transcription::Both => Some(TranscriptionConfig {
            model: &settings.transcription_model,
            language: setup.language.as_deref().map(primary_language),
        }),
    }
}

/// The provider takes the language without the region: `en` of `en-US`.
fn primary_language(tag: &str) -> &str {
    tag.split(['-', '_']).next().unwrap_or(tag)
}

fn detection(detection: &TurnDetection, detector: VoiceDetector) -> Option<Detection> {
    let TurnDetection::Automatic { silence_ms, padding_ms, sensitivity } = *detection else {
        return None;
    };
    let (create_response, interrupt_response) = (true, true);
    Some(match detector {
        VoiceDetector::ServerVad => Detection {
            kind: "server_vad",
            threshold: sensitivity.map(threshold),
            prefix_padding_ms: padding_ms,
            silence_duration_ms: silence_ms,
            eagerness: None,
            create_response,
            interrupt_response,
        },
        VoiceDetector::SemanticVad => Detection {
            kind: "semantic_vad",
            threshold: None,
            prefix_padding_ms: None,
            silence_duration_ms: None,
            eagerness: sensitivity.map(eagerness),
            create_response,
            interrupt_response,
        },
    })
}

/// The volume threshold of speech; the provider's default is 0.5.
fn threshold(sensitivity: Sensitivity) -> f32 {
    match sensitivity {
        Sensitivity::Low => 0.75,
        Sensitivity::High => 0.25,
    }
}

fn eagerness(sensitivity: Sensitivity) -> &'static str {
    match sensitivity {
        Sensitivity::Low => "low",
        Sensitivity::High => "high",
    }
}

fn parallel(calls: ParallelCalls) -> Option<bool> {
    match calls {
        ParallelCalls::AsTheModelDoes => None,
        ParallelCalls::Allowed => Some(true),
        ParallelCalls::Forbidden => Some(false),
    }
}

fn truncation(compression: Compression) -> Truncation {
    match compression {
        Compression::Automatic => Truncation::Named("auto"),
        Compression::Off => Truncation::Named("disabled"),
        Compression::SlidingWindow { trigger, target } => Truncation::Ratio {
            kind: "retention_ratio",
            retention_ratio: (target as f64 / trigger.max(1) as f64).clamp(0.0, 1.0),
            token_limits: TokenLimits { post_instructions: trigger },
        },
    }
}
