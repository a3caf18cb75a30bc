//! Pure: parses a setup, and converts events to frames.

use std::time::Duration;

use aileron_contract::CallId;
use aileron_contract::models::GeminiLiveModel;
use serde_json::{Map, Value, json};

use super::wire::{
    ActivityDetection, ActivityHandling, Content, FunctionDeclaration, GenerationConfig,
    RealtimeInputConfig, Setup, Tool,
};
use super::{contract, schema};
use crate::audio;
use crate::simulated_model::{ModelCall, ModelInput, ToolDeclaration};

/// Maximum number of declared functions.
const MOST_FUNCTIONS: usize = 512;

/// The longest name of a function.
const MOST_NAME: usize = 128;

/// Default silence that ends speech.
const SILENCE_MS: u64 = 500;

/// Why a message is refused: a code to close with, and a reason.
pub(super) type Refusal = (u16, String);

/// The parsed setup.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Config {
    pub(super) speaks: OutputModality,
    pub(super) transcribes_person: bool,
    pub(super) transcribes_model: bool,
    pub(super) shows_thoughts: bool,
    pub(super) resumable: bool,
    pub(super) tells_activity: bool,
    pub(super) listens: SpeechDetector,
    pub(super) interrupts: bool,
    pub(super) silence_ms: u64,
    /// The first content is the earlier conversation.
    pub(super) history_first: bool,
    pub(super) contract: &'static GeminiLiveModel,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum OutputModality {
    Audio,
    Text,
}

/// The side that detects turns.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum SpeechDetector {
    Server,
    Client,
}

/// Parses a valid setup.
pub(super) fn config(setup: &Setup) -> Result<Config, Refusal> {
    let no_input = RealtimeInputConfig::default();
    let input = setup.realtime_input_config.as_ref().unwrap_or(&no_input);
    let no_detection = ActivityDetection::default();
    let detection = input.automatic_activity_detection.as_ref().unwrap_or(&no_detection);
    let no_generation = GenerationConfig::default();
    let generation = setup.generation_config.as_ref().unwrap_or(&no_generation);
    let thinking = generation.thinking_config.as_ref();
    let history = setup.history_config.as_ref();
    check_model(&setup.model)?;
    Ok(Config {
        contract: contract::check(setup)?,
        speaks: speaks(generation)?,
        transcribes_person: setup.input_audio_transcription.is_some(),
        transcribes_model: setup.output_audio_transcription.is_some(),
        shows_thoughts: thinking.and_then(|it| it.include_thoughts).unwrap_or_default(),
        resumable: setup.session_resumption.is_some(),
        tells_activity: setup.explicit_vad_signal.unwrap_or_default(),
        listens: match detection.disabled {
            Some(true) => SpeechDetector::Client,
            _ => SpeechDetector::Server,
        },
        interrupts: !input.activity_handling.is_some_and(ActivityHandling::is_off),
        silence_ms: detection.silence_duration_ms.unwrap_or(SILENCE_MS),
        history_first: history
            .and_then(|it| it.initial_history_in_client_content)
            .unwrap_or_default(),
    })
}

fn check_model(model: &str) -> Result<(), Refusal> {
    let name = model.strip_prefix("models/").unwrap_or_default();
    if !name.is_empty() || model.starts_with("projects/") {
        return Ok(());
    }
    Err((1008, format!("{model:?} is not found, expected models/<id>; call ListModels")))
}

fn speaks(config: &GenerationConfig) -> Result<OutputModality, Refusal> {
    let modalities = config.response_modalities.as_deref().unwrap_or_default();
    match modalities {
        [] => Ok(OutputModality::Audio),
        [one] if one == "AUDIO" => Ok(OutputModality::Audio),
        [one] if one == "TEXT" => Ok(OutputModality::Text),
        other => Err((1007, format!("expected one of AUDIO, TEXT as modality, found {other:?}"))),
    }
}

/// The instructions, which are text.
pub(super) fn instructions(content: Option<&Content>) -> Result<String, Refusal> {
    let Some(content) = content else { return Ok(String::new()) };
    let mut parts = content.parts.iter().flatten();
    match parts.all(|part| part.text.is_some()) {
        true => Ok(content.text()),
        false => Err((1007, "system_instruction: only text parts are supported".to_owned())),
    }
}

/// Declared functions, and those that are non-blocking.
pub(super) fn declared(
    contract: &GeminiLiveModel,
    tools: &[Tool],
    at: &str,
) -> Result<(Vec<ToolDeclaration>, Vec<String>), Refusal> {
    let mut declared: Vec<ToolDeclaration> = Vec::new();
    let mut asynchronous = Vec::new();
    for (tool_at, tool) in tools.iter().enumerate() {
        let functions = tool.function_declarations.iter().flatten().enumerate();
        for (function_at, function) in functions {
            let path = format!("{at}tools[{tool_at}].function_declarations[{function_at}]");
            check_function(function, &path).map_err(|why| (1007, why))?;
            if declared.iter().any(|other| other.name == function.name) {
                let name = &function.name;
                return Err((1007, format!("Duplicate function declaration found: {name}")));
            }
            if contract::is_asynchronous(contract, function)? {
                asynchronous.push(function.name.clone());
            }
            declared.push(declaration(function));
        }
    }
    if declared.len() > MOST_FUNCTIONS {
        let count = declared.len();
        return Err((1007, format!("at most {MOST_FUNCTIONS} functions, found {count}")));
    }
    Ok((declared, asynchronous))
}

fn declaration(function: &FunctionDeclaration) -> ToolDeclaration {
    let schema = function.parameters_json_schema.as_ref().or(function.parameters.as_ref());
    ToolDeclaration {
        name: function.name.clone(),
        description: function.description.clone(),
        parameters: schema.cloned().unwrap_or_default(),
    }
}

fn check_function(function: &FunctionDeclaration, path: &str) -> Result<(), String> {
    let name = &function.name;
    let starts = name.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_');
    let goes_on = name.chars().all(|c| c.is_ascii_alphanumeric() || "_.:-".contains(c));
    if !starts || !goes_on || name.len() > MOST_NAME {
        return Err(format!("* {path}.name: Invalid function name {name:?}"));
    }
    if function.parameters.is_some() && function.parameters_json_schema.is_some() {
        return Err(format!("* {path}: parameters and parameters_json_schema are exclusive"));
    }
    if function.response.is_some() && function.response_json_schema.is_some() {
        return Err(format!("* {path}: response and response_json_schema are exclusive"));
    }
    if let Some(parameters) = &function.parameters {
        schema::check(parameters, &format!("{path}.parameters"))?;
    }
    match &function.parameters_json_schema {
        Some(schema) if schema["type"] != "object" => {
            Err(format!("* {path}.parameters_json_schema: must be of type object"))
        }
        _ => Ok(()),
    }
}

pub(super) fn setup_complete(session: &str) -> Value {
    json!({ "setupComplete": { "sessionId": session } })
}

/// A chunk of audio.
pub(super) fn sound(pcm: &[u8]) -> Value {
    let data = audio::encode(pcm);
    let part = json!({ "inlineData": { "mimeType": "audio/pcm;rate=24000", "data": data } });
    model_turn(part)
}

pub(super) fn text(word: &str) -> Value {
    model_turn(json!({ "text": word }))
}

pub(super) fn thought(text: &str) -> Value {
    model_turn(json!({ "text": text, "thought": true }))
}

fn model_turn(part: Value) -> Value {
    json!({ "serverContent": { "modelTurn": { "role": "model", "parts": [part] } } })
}

pub(super) fn output_transcription(word: &str) -> Value {
    json!({ "serverContent": { "outputTranscription": { "text": word } } })
}

pub(super) fn input_transcription(words: &str) -> Value {
    json!({ "serverContent": { "inputTranscription": { "text": words, "finished": true } } })
}

pub(super) fn tool_call(calls: &[ModelCall]) -> Value {
    let calls: Vec<_> = calls.iter().map(function_call).collect();
    json!({ "toolCall": { "functionCalls": calls } })
}

/// The same calls in a content message, where they do not belong.
pub(super) fn call_in_content(calls: &[ModelCall]) -> Value {
    let parts = calls.iter().map(|call| json!({ "functionCall": function_call(call) }));
    let parts: Vec<_> = parts.collect();
    json!({ "serverContent": { "modelTurn": { "role": "model", "parts": parts } } })
}

fn function_call(call: &ModelCall) -> Value {
    json!({ "id": call.id, "name": call.name, "args": call.args })
}

pub(super) fn cancellation(ids: &[CallId]) -> Value {
    json!({ "toolCallCancellation": { "ids": ids } })
}

pub(super) fn generation_complete() -> Value {
    json!({ "serverContent": { "generationComplete": true } })
}

pub(super) fn turn_complete(scene: &ModelInput, said: usize) -> Value {
    let prompt = estimate(scene);
    let response = said.div_ceil(4);
    json!({
        "serverContent": { "turnComplete": true },
        "usageMetadata": {
            "promptTokenCount": prompt,
            "responseTokenCount": response,
            "totalTokenCount": prompt + response,
        },
    })
}

/// Estimates four characters per token.
fn estimate(scene: &ModelInput) -> usize {
    let tools = scene.tools.iter().map(|tool| tool.description.len() + tool.name.len());
    let items = scene.items.iter().map(|item| format!("{item:?}").len());
    (scene.instructions.len() + tools.sum::<usize>() + items.sum::<usize>()).div_ceil(4)
}

pub(super) fn interrupted() -> Value {
    json!({ "serverContent": { "interrupted": true } })
}

pub(super) fn turn_over() -> Value {
    json!({ "serverContent": { "turnComplete": true } })
}

/// The end of a turn, and whether more turns of the same reply follow.
pub(super) fn turn_of_several(status: &str) -> Value {
    json!({ "serverContent": { "turnComplete": true, "interactionStatus": status } })
}

pub(super) fn activity(kind: &str, at_ms: u64) -> Value {
    let offset = seconds(Duration::from_millis(at_ms));
    json!({ "voiceActivity": { "voiceActivityType": kind, "audioOffset": offset } })
}

pub(super) fn go_away(left: Duration) -> Value {
    json!({ "goAway": { "timeLeft": seconds(left) } })
}

/// A span as protobuf writes it.
fn seconds(span: Duration) -> String {
    format!("{}s", span.as_secs_f64())
}

/// A resumption handle, or the message that there is none at the moment.
pub(super) fn resumption(handle: Option<&str>) -> Value {
    let mut update = Map::new();
    if let Some(handle) = handle {
        update.insert("newHandle".to_owned(), handle.into());
        update.insert("resumable".to_owned(), true.into());
    }
    json!({ "sessionResumptionUpdate": update })
}

#[cfg(test)]
#[path = "map_tests.rs"]
mod tests;
