//! The client's events. Every object is strict: an unknown key is refused by its path.

use serde_json::{Map, Value};

use crate::vad::AudioCoding;

/// The client events that are supported, as the error for an unknown one lists them.
const EVENTS: [&str; 9] = [
    "session.start",
    "session.update",
    "session.input_audio.append",
    "session.input_audio.mute",
    "session.input_audio.unmute",
    "session.instructions.append",
    "session.thinking.append",
    "session.commentary.append",
    "session.close",
];

/// Maximum estimated tokens of appended text and of instructions.
const MOST_APPENDED: usize = 500;
const MOST_INSTRUCTIONS: usize = 16_384;

/// Maximum number of messages and estimated tokens of the history.
const MOST_MESSAGES: usize = 128;
const MOST_HISTORY: usize = 8_192;

/// Voices of other products.
const FOREIGN_VOICES: [&str; 3] = ["fable", "nova", "onyx"];

/// An event of the client.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct ClientEvent {
    pub(super) event_id: Option<String>,
    pub(super) body: Body,
}

#[derive(Debug, Clone, PartialEq)]
pub(super) enum Body {
    Start(StartConfig),
    Update { acknowledgement_delay_ms: Option<u64> },
    Audio(String),
    Mute,
    Unmute,
    Append { kind: AppendKind, content: String, delegation_id: Option<String> },
    Close,
}

/// The kinds of appended text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum AppendKind {
    Instructions,
    Thinking,
    Commentary,
}

impl AppendKind {
    pub(super) const fn as_str(self) -> &'static str {
        match self {
            Self::Instructions => "instructions",
            Self::Thinking => "thinking",
            Self::Commentary => "commentary",
        }
    }
}

/// An accepted `session.start`.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct StartConfig {
    pub(super) instructions: String,
    pub(super) coding: AudioCoding,
    pub(super) acknowledgement_delay_ms: u64,
    /// The session as it is echoed.
    pub(super) shown: Map<String, Value>,
}

/// Why an event is refused.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct EventRefusal {
    pub(super) code: Option<&'static str>,
    pub(super) message: String,
    pub(super) param: Option<String>,
    pub(super) event_id: Option<String>,
}

impl EventRefusal {
    pub(super) fn new(code: Option<&'static str>, message: impl Into<String>) -> Self {
        Self { code, message: message.into(), param: None, event_id: None }
    }

    fn about(param: &str, code: &'static str, message: String) -> Self {
        Self { param: Some(param.to_owned()), ..Self::new(Some(code), message) }
    }

    fn unknown(param: &str) -> Self {
        Self::about(param, "unknown_parameter", format!("Unknown parameter: '{param}'."))
    }

    fn missing(param: &str) -> Self {
        let message = format!("Missing required parameter: '{param}'.");
        Self::about(param, "missing_required_parameter", message)
    }

    fn wrong(param: &str, message: impl Into<String>) -> Self {
        Self::about(param, "invalid_value", message.into())
    }
}

type Object = Map<String, Value>;

/// Reads an event.
pub(super) fn read(text: &str) -> Result<ClientEvent, EventRefusal> {
    let value: Value = serde_json::from_str(text)
        .map_err(|error| EventRefusal::new(Some("invalid_json"), error.to_string()))?;
    let Value::Object(fields) = value else {
        return Err(EventRefusal::new(Some("invalid_json"), "The event must be an object."));
    };
    let event_id = fields.get("event_id").and_then(Value::as_str).map(str::to_owned);
    let body = body(&fields).map_err(|mut refusal| {
        refusal.event_id.clone_from(&event_id);
        refusal
    })?;
    Ok(ClientEvent { event_id, body })
}

fn body(fields: &Object) -> Result<Body, EventRefusal> {
    let kind = fields.get("type").and_then(Value::as_str).unwrap_or_default();
    match kind {
        "session.start" => {
            keys(fields, "", &["type", "event_id", "session"])?;
            Ok(Body::Start(start(object(fields, "session")?)?))
        }
        "session.update" => {
            keys(fields, "", &["type", "event_id", "session"])?;
            update(object(fields, "session")?)
        }
        "session.input_audio.append" => {
            keys(fields, "", &["type", "event_id", "audio"])?;
            Ok(Body::Audio(string(fields, "audio")?))
        }
        "session.input_audio.mute" => Ok(Body::Mute),
        "session.input_audio.unmute" => Ok(Body::Unmute),
        "session.instructions.append" => append(AppendKind::Instructions, fields),
        "session.thinking.append" => append(AppendKind::Thinking, fields),
        "session.commentary.append" => append(AppendKind::Commentary, fields),
        "session.close" => Ok(Body::Close),
        "response.item.create" | "response.create" => {
            Err(EventRefusal::new(None, format!("{kind} requires Responses delegation.")))
        }
        other => Err(EventRefusal::wrong(
            "type",
            format!("Unknown event type: '{other}'. Supported events: {}.", EVENTS.join(", ")),
        )),
    }
}

fn append(kind: AppendKind, fields: &Object) -> Result<Body, EventRefusal> {
    keys(fields, "", &["type", "event_id", "content", "delegation_id"])?;
    let content = string(fields, "content")?;
    if tokens(&content) > MOST_APPENDED {
        let message = format!("Context append text must not exceed {MOST_APPENDED} tokens.");
        return Err(EventRefusal::wrong("content", message));
    }
    let delegation_id = match fields.get("delegation_id") {
        None => return Err(EventRefusal::missing("delegation_id")),
        Some(Value::Null) => None,
        Some(Value::String(id)) => Some(id.clone()),
        Some(_) => return Err(EventRefusal::wrong("delegation_id", "expected a string or null")),
    };
    Ok(Body::Append { kind, content, delegation_id })
}

fn update(session: &Object) -> Result<Body, EventRefusal> {
    keys(session, "session.", &["delegation"])?;
    let Some(delegation) = session.get("delegation").and_then(Value::as_object) else {
        return Ok(Body::Update { acknowledgement_delay_ms: None });
    };
    if delegation.get("type").is_some_and(|kind| kind != "client") {
        let message = "The delegation type cannot change after session startup.".to_owned();
        let param = "session.delegation.type";
        return Err(EventRefusal::about(param, "immutable_field_update", message));
    }
    Ok(Body::Update { acknowledgement_delay_ms: delay(delegation)? })
}

fn start(session: &Object) -> Result<StartConfig, EventRefusal> {
    let known = ["model", "instructions", "audio", "delegation", "input", "store"];
    keys(session, "session.", &known)?;
    let model = string(session, "model").map_err(|_| EventRefusal::missing("session.model"))?;
    if model != "gpt-live-1" {
        let message =
            format!("The model '{model}' does not exist or you do not have access to it.");
        return Err(EventRefusal::about("session.model", "model_not_found", message));
    }
    let instructions = session.get("instructions").and_then(Value::as_str).unwrap_or_default();
    if tokens(instructions) > MOST_INSTRUCTIONS {
        let message = format!("Instructions must not exceed {MOST_INSTRUCTIONS} tokens.");
        return Err(EventRefusal::wrong("session.instructions", message));
    }
    let acknowledgement_delay_ms = match session.get("delegation") {
        None | Some(Value::Null) => 0,
        Some(Value::Object(delegation)) => {
            keys(delegation, "session.delegation.", &["type", "acknowledgement_delay_ms"])?;
            if delegation.get("type").is_none_or(|kind| kind != "client") {
                let message = "The simulator has client delegation only.";
                return Err(EventRefusal::wrong("session.delegation.type", message));
            }
            delay(delegation)?.unwrap_or_default()
        }
        Some(_) => return Err(EventRefusal::wrong("session.delegation", "expected an object")),
    };
    check_history(session.get("input"))?;
    let coding = coding(session.get("audio"))?;
    Ok(StartConfig {
        instructions: instructions.to_owned(),
        coding,
        acknowledgement_delay_ms,
        shown: session.clone(),
    })
}

fn coding(audio: Option<&Value>) -> Result<AudioCoding, EventRefusal> {
    let pcm = AudioCoding::Pcm { rate: 24_000 };
    let Some(Value::Object(audio)) = audio else { return Ok(pcm) };
    keys(audio, "session.audio.", &["format", "output"])?;
    if let Some(Value::Object(output)) = audio.get("output") {
        keys(output, "session.audio.output.", &["voice"])?;
        let voice = output.get("voice").and_then(Value::as_str).unwrap_or_default();
        if FOREIGN_VOICES.contains(&voice) {
            let message = format!("The voice '{voice}' is not available.");
            return Err(EventRefusal::about("session.audio.output.voice", "forbidden", message));
        }
    }
    let Some(format) = audio.get("format") else { return Ok(pcm) };
    match (format["type"].as_str(), format["rate"].as_u64()) {
        (Some("audio/pcm"), Some(rate @ (16_000 | 24_000))) => {
            Ok(AudioCoding::Pcm { rate: u32::try_from(rate).unwrap_or(24_000) })
        }
        (Some("audio/pcmu"), Some(8_000)) => Ok(AudioCoding::ULaw),
        (Some("audio/pcma"), Some(8_000)) => Ok(AudioCoding::ALaw),
        _ => Err(EventRefusal::wrong("session.audio.format", format!("Invalid value: {format}."))),
    }
}

fn delay(delegation: &Object) -> Result<Option<u64>, EventRefusal> {
    let param = "session.delegation.acknowledgement_delay_ms";
    match delegation.get("acknowledgement_delay_ms") {
        None => Ok(None),
        Some(value) => match value.as_u64() {
            Some(ms) => Ok(Some(ms)),
            None => Err(EventRefusal::wrong(param, "expected a whole number")),
        },
    }
}

fn check_history(input: Option<&Value>) -> Result<(), EventRefusal> {
    let Some(input) = input else { return Ok(()) };
    let Some(items) = input.as_array() else {
        return Err(EventRefusal::wrong("session.input", "expected a list"));
    };
    if items.len() > MOST_MESSAGES {
        let message = format!("at most {MOST_MESSAGES} messages, found {}", items.len());
        return Err(EventRefusal::wrong("session.input", message));
    }
    let mut used = 0;
    for (at, item) in items.iter().enumerate() {
        let param = format!("session.input[{at}]");
        let parts = item["content"].as_array().map(Vec::as_slice).unwrap_or_default();
        let [part] = parts else {
            return Err(EventRefusal::wrong(&param, "expected exactly one content part"));
        };
        let fits = matches!(
            (item["role"].as_str(), part["type"].as_str()),
            (Some("user" | "developer"), Some("input_text"))
                | (Some("assistant"), Some("text" | "output_text"))
        );
        if item["type"] != "message" || !fits {
            return Err(EventRefusal::wrong(&param, format!("Invalid message: {item}.")));
        }
        used += tokens(part["text"].as_str().unwrap_or_default());
    }
    match used > MOST_HISTORY {
        true => Err(EventRefusal::wrong("session.input", "the history has too many tokens")),
        false => Ok(()),
    }
}

/// Refuses keys that are not in the list.
fn keys(fields: &Object, path: &str, known: &[&str]) -> Result<(), EventRefusal> {
    match fields.keys().find(|key| !known.contains(&key.as_str())) {
        Some(key) => Err(EventRefusal::unknown(&format!("{path}{key}"))),
        None => Ok(()),
    }
}

fn object<'a>(fields: &'a Object, name: &str) -> Result<&'a Object, EventRefusal> {
    fields.get(name).and_then(Value::as_object).ok_or_else(|| EventRefusal::missing(name))
}

fn string(fields: &Object, name: &str) -> Result<String, EventRefusal> {
    let text = fields.get(name).and_then(Value::as_str).map(str::to_owned);
    text.ok_or_else(|| EventRefusal::missing(name))
}

/// An estimate: four ASCII characters are a token, and so is any other character.
fn tokens(text: &str) -> usize {
    let (ascii, other): (Vec<char>, Vec<char>) = text.chars().partition(char::is_ascii);
    ascii.len() / 4 + other.len()
}

#[cfg(test)]
#[path = "wire_tests.rs"]
mod tests;
