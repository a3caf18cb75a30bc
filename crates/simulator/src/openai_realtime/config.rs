//! The session's settings: the defaults and updates. An update contains only changes; `null`
//! disables a feature.

use serde_json::{Map, Value, json};

use super::wire::EventRefusal;
use crate::simulated_model::ToolDeclaration;
use crate::vad::AudioCoding;

/// Parameters of a session.
const SESSION: &[&str] = &[
    "type",
    "model",
    "instructions",
    "output_modalities",
    "audio",
    "tools",
    "tool_choice",
    "max_output_tokens",
    "truncation",
    "tracing",
    "prompt",
    "include",
    "parallel_tool_calls",
    "reasoning",
];

const INPUT: &[&str] = &["format", "transcription", "noise_reduction", "turn_detection"];

const OUTPUT: &[&str] = &["format", "voice", "speed"];

/// Parameters of a function. There is no `strict`.
const FUNCTION: &[&str] = &["type", "name", "description", "parameters"];

/// The longest name of a function.
const MOST_NAME: usize = 64;

/// Default silence that ends speech.
const SILENCE_MS: u64 = 500;

/// The settings of one session, as they are echoed to the client.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Config {
    session: Value,
    /// The voice cannot change after it was used.
    pub(super) was_heard: bool,
}

/// Reusable prompts are shut down.
fn check_prompt(update: &Map<String, Value>) -> Result<(), EventRefusal> {
    match update.get("prompt") {
        None | Some(Value::Null) => Ok(()),
        Some(_) => {
            let message = "Reusable prompts are not supported any more.".to_owned();
            Err(EventRefusal::about("session.prompt", "unsupported_parameter", message))
        }
    }
}

impl Config {
    pub(super) fn new(id: &str, model: &str) -> Self {
        let format = json!({ "type": "audio/pcm", "rate": 24_000 });
        let session = json!({
            "type": "realtime",
            "object": "realtime.session",
            "id": id,
            "model": model,
            "instructions": "",
            "output_modalities": ["audio"],
            "audio": {
                "input": {
                    "format": format,
                    "transcription": null,
                    "noise_reduction": null,
                    "turn_detection": {
                        "type": "server_vad",
                        "threshold": 0.5,
                        "prefix_padding_ms": 300,
                        "silence_duration_ms": 500,
                        "idle_timeout_ms": null,
                        "create_response": true,
                        "interrupt_response": true,
                    },
                },
                "output": { "format": format, "voice": "marin", "speed": 1.0 },
            },
            "tools": [],
            "tool_choice": "auto",
            "max_output_tokens": "inf",
            "truncation": "auto",
            "tracing": null,
            "include": null,
            "prompt": null,
            "expires_at": 0,
        });
        Self { session, was_heard: false }
    }

    /// The form for the client.
    pub(super) fn shown(&self) -> &Value {
        &self.session
    }

    /// Applies an update completely or not at all.
    pub(super) fn update(&mut self, update: Map<String, Value>) -> Result<(), EventRefusal> {
        check(&update)?;
        check_prompt(&update)?;
        self.check_fixed(&update)?;
        for (name, value) in update {
            match (name.as_str(), value) {
                ("audio", Value::Object(audio)) => self.update_audio(audio),
                (_, value) => self.session[&name] = value,
            }
        }
        Ok(())
    }

    fn update_audio(&mut self, audio: Map<String, Value>) {
        for (side, settings) in audio {
            let Value::Object(settings) = settings else { continue };
            for (name, value) in settings {
                self.session["audio"][&side][&name] = value;
            }
        }
    }

    fn check_fixed(&self, update: &Map<String, Value>) -> Result<(), EventRefusal> {
        let model = update.get("model").filter(|model| **model != self.session["model"]);
        if model.is_some() {
            let message = "Cannot update a conversation's model.".to_owned();
            return Err(EventRefusal::about("session.model", "cannot_update_model", message));
        }
        let voice = update.get("audio").map(|audio| &audio["output"]["voice"]);
        let other = voice.filter(|voice| !voice.is_null() && **voice != *self.voice());
        if other.is_some() && self.was_heard {
            let message = "Cannot update a conversation's voice if assistant audio is present.";
            let param = "session.audio.output.voice";
            return Err(EventRefusal::about(param, "cannot_update_voice", message.to_owned()));
        }
        Ok(())
    }

    fn voice(&self) -> &Value {
        &self.session["audio"]["output"]["voice"]
    }

    pub(super) fn instructions(&self) -> &str {
        self.session["instructions"].as_str().unwrap_or_default()
    }

    pub(super) fn tools(&self) -> Vec<ToolDeclaration> {
        declared(&self.session["tools"])
    }

    /// Whether the model speaks; it writes otherwise.
    pub(super) fn speaks(&self) -> bool {
        self.session["output_modalities"] != json!(["text"])
    }

    pub(super) fn transcribes(&self) -> bool {
        !self.session["audio"]["input"]["transcription"].is_null()
    }

    /// The turn detection; `None` if the client announces turns.
    pub(super) fn detection(&self) -> Option<&Value> {
        Some(&self.session["audio"]["input"]["turn_detection"]).filter(|it| !it.is_null())
    }

    /// Whether detection has this option.
    pub(super) fn detects(&self, what: &str) -> bool {
        self.detection().is_some_and(|detection| detection[what].as_bool().unwrap_or(true))
    }

    pub(super) fn silence_ms(&self) -> u64 {
        let silence = self.detection().and_then(|it| it["silence_duration_ms"].as_u64());
        silence.unwrap_or(SILENCE_MS)
    }

    pub(super) fn coding(&self) -> AudioCoding {
        match self.session["audio"]["input"]["format"]["type"].as_str() {
            Some("audio/pcmu") => AudioCoding::ULaw,
            Some("audio/pcma") => AudioCoding::ALaw,
            _ => AudioCoding::Pcm { rate: 24_000 },
        }
    }
}

/// The functions of a list of tools.
pub(super) fn declared(tools: &Value) -> Vec<ToolDeclaration> {
    let tools = tools.as_array().map(Vec::as_slice).unwrap_or_default();
    let functions = tools.iter().filter(|tool| tool["type"] == "function");
    let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    functions
        .map(|tool| ToolDeclaration {
            name: text(&tool["name"]),
            description: text(&tool["description"]),
            parameters: tool["parameters"].clone(),
        })
        .collect()
}

fn check(update: &Map<String, Value>) -> Result<(), EventRefusal> {
    match update.get("type") {
        None => return Err(EventRefusal::missing("session.type")),
        Some(kind) if kind != "realtime" => {
            return Err(EventRefusal::wrong_value("session.type", kind, "'realtime'"));
        }
        Some(_) => {}
    }
    known(update, SESSION, "session")?;
    for (name, value) in update {
        check_field(name, value)?;
    }
    Ok(())
}

fn known(fields: &Map<String, Value>, names: &[&str], at: &str) -> Result<(), EventRefusal> {
    match fields.keys().find(|name| !names.contains(&name.as_str())) {
        Some(name) => Err(EventRefusal::unknown(&format!("{at}.{name}"))),
        None => Ok(()),
    }
}

fn check_field(name: &str, value: &Value) -> Result<(), EventRefusal> {
    let at = format!("session.{name}");
    match (name, value) {
        ("instructions", Value::String(_)) => Ok(()),
        ("instructions", other) => Err(EventRefusal::wrong_type(&at, "a string", other)),
        ("output_modalities", value) => check_modalities(&at, value),
        ("audio", Value::Object(audio)) => check_audio(audio),
        ("audio", other) => Err(EventRefusal::wrong_type(&at, "an object", other)),
        ("tools", value) => check_tools(&at, value),
        ("tool_choice", Value::String(choice))
            if !matches!(choice.as_str(), "auto" | "none" | "required") =>
        {
            Err(EventRefusal::wrong_value(&at, value, "'none', 'auto', and 'required'"))
        }
        ("max_output_tokens", value) => {
            let fine = *value == "inf" || value.as_u64().is_some_and(|it| (1..=4096).contains(&it));
            match fine {
                true => Ok(()),
                false => Err(EventRefusal::wrong_value(&at, value, "1 to 4096, and 'inf'")),
            }
        }
        _ => Ok(()),
    }
}

pub(super) fn check_modalities(at: &str, value: &Value) -> Result<(), EventRefusal> {
    match *value == json!(["audio"]) || *value == json!(["text"]) {
        true => Ok(()),
        false => Err(EventRefusal::wrong_value(at, value, "['text'] and ['audio']")),
    }
}

fn check_audio(audio: &Map<String, Value>) -> Result<(), EventRefusal> {
    known(audio, &["input", "output"], "session.audio")?;
    for (side, names) in [("input", INPUT), ("output", OUTPUT)] {
        let at = format!("session.audio.{side}");
        match audio.get(side) {
            Some(Value::Object(settings)) => {
                known(settings, names, &at)?;
                check_format(&at, settings.get("format"))?;
                check_detection(&at, settings.get("turn_detection"))?;
            }
            Some(other) => return Err(EventRefusal::wrong_type(&at, "an object", other)),
            None => {}
        }
    }
    Ok(())
}

fn check_format(at: &str, format: Option<&Value>) -> Result<(), EventRefusal> {
    let Some(format) = format else { return Ok(()) };
    let fine = match format["type"].as_str() {
        Some("audio/pcm") => format["rate"] == 24_000,
        Some("audio/pcmu" | "audio/pcma") => true,
        _ => false,
    };
    let supported = "audio/pcm at 24000, audio/pcmu, and audio/pcma";
    match fine {
        true => Ok(()),
        false => Err(EventRefusal::wrong_value(&format!("{at}.format"), format, supported)),
    }
}

fn check_detection(at: &str, detection: Option<&Value>) -> Result<(), EventRefusal> {
    let Some(detection) = detection.filter(|detection| !detection.is_null()) else {
        return Ok(());
    };
    let at = format!("{at}.turn_detection");
    match detection["type"].as_str() {
        Some("server_vad" | "semantic_vad") => Ok(()),
        _ => {
            let at = format!("{at}.type");
            Err(EventRefusal::wrong_value(
                &at,
                &detection["type"],
                "'server_vad' and 'semantic_vad'",
            ))
        }
    }
}

pub(super) fn check_tools(at: &str, tools: &Value) -> Result<(), EventRefusal> {
    let Some(list) = tools.as_array() else {
        return Err(EventRefusal::wrong_type(at, "an array of tools", tools));
    };
    for (number, tool) in list.iter().enumerate() {
        check_tool(&format!("{at}[{number}]"), tool)?;
    }
    Ok(())
}

fn check_tool(at: &str, tool: &Value) -> Result<(), EventRefusal> {
    let Some(fields) = tool.as_object() else {
        return Err(EventRefusal::wrong_type(at, "an object", tool));
    };
    match tool["type"].as_str() {
        Some("mcp") => return Ok(()),
        Some("function") => {}
        _ => {
            return Err(EventRefusal::wrong_value(
                &format!("{at}.type"),
                &tool["type"],
                "'function' and 'mcp'",
            ));
        }
    }
    known(fields, FUNCTION, at)?;
    let param = format!("{at}.name");
    let name = tool["name"].as_str().ok_or_else(|| EventRefusal::missing(&param))?;
    let is_name = name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_' || c == '-');
    if name.is_empty() || name.len() > MOST_NAME || !is_name {
        return Err(EventRefusal::wrong_value(&param, &tool["name"], "^[a-zA-Z0-9_-]{1,64}$"));
    }
    let parameters = &tool["parameters"];
    if !parameters.is_null() && parameters["type"] != "object" {
        let message = format!(
            "Invalid schema for function '{name}': schema must be a JSON Schema of 'type: \"object\"'."
        );
        return Err(EventRefusal::about(
            format!("{at}.parameters"),
            "invalid_function_parameters",
            message,
        ));
    }
    Ok(())
}

#[cfg(test)]
#[path = "config_tests.rs"]
mod tests;
