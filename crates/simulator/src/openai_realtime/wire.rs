//! The client's events and their parameters. An unknown one is refused by name, as by the real API.

use serde_json::{Map, Value};

/// An event of the client.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct ClientEvent {
    pub(super) event_id: Option<String>,
    pub(super) body: Body,
}

#[derive(Debug, Clone, PartialEq)]
pub(super) enum Body {
    SessionUpdate(Map<String, Value>),
    Append { audio: String },
    Commit,
    Clear,
    ItemCreate { item: Map<String, Value>, previous: Option<String> },
    ItemRetrieve { item_id: String },
    ItemTruncate { item_id: String, content_index: u64, audio_end_ms: u64 },
    ItemDelete { item_id: String },
    ResponseCreate(Map<String, Value>),
    ResponseCancel { response_id: Option<String> },
}

/// Why an event is refused.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct EventRefusal {
    pub(super) kind: &'static str,
    pub(super) code: &'static str,
    pub(super) message: String,
    pub(super) param: Option<String>,
}

impl EventRefusal {
    pub(super) fn new(code: &'static str, message: impl Into<String>) -> Self {
        Self { kind: "invalid_request_error", code, message: message.into(), param: None }
    }

    /// A refusal about one parameter.
    pub(super) fn about(param: impl Into<String>, code: &'static str, message: String) -> Self {
        Self { param: Some(param.into()), ..Self::new(code, message) }
    }

    pub(super) fn missing(param: &str) -> Self {
        Self::about(
            param,
            "missing_required_parameter",
            format!("Missing required parameter: '{param}'."),
        )
    }

    pub(super) fn unknown(param: &str) -> Self {
        Self::about(param, "unknown_parameter", format!("Unknown parameter: '{param}'."))
    }

    pub(super) fn wrong_type(param: &str, expected: &str, found: &Value) -> Self {
        let found = kind_of(found);
        Self::about(
            param,
            "invalid_type",
            format!("Invalid type for '{param}': expected {expected}, but got {found} instead."),
        )
    }

    pub(super) fn wrong_value(param: &str, found: &Value, supported: &str) -> Self {
        Self::about(
            param,
            "invalid_value",
            format!("Invalid value: {found}. Supported values are: {supported}."),
        )
    }
}

fn kind_of(value: &Value) -> &'static str {
    match value {
        Value::Null => "null",
        Value::Bool(_) => "a boolean",
        Value::Number(_) => "a number",
        Value::String(_) => "a string",
        Value::Array(_) => "an array",
        Value::Object(_) => "an object",
    }
}

/// Each event with its parameters, `type` and `event_id` aside.
const EVENTS: &[(&str, &[&str])] = &[
    ("session.update", &["session"]),
    ("input_audio_buffer.append", &["audio"]),
    ("input_audio_buffer.commit", &[]),
    ("input_audio_buffer.clear", &[]),
    ("conversation.item.create", &["item", "previous_item_id"]),
    ("conversation.item.retrieve", &["item_id"]),
    ("conversation.item.truncate", &["item_id", "content_index", "audio_end_ms"]),
    ("conversation.item.delete", &["item_id"]),
    ("response.create", &["response"]),
    ("response.cancel", &["response_id"]),
];

/// Reads an event. A refusal comes with the id of the event, if it had one.
pub(super) fn read(text: &str) -> Result<ClientEvent, (EventRefusal, Option<String>)> {
    let value: Value = serde_json::from_str(text).map_err(|error| {
        let message = format!("The event could not be parsed as JSON: {error}");
        (EventRefusal::new("invalid_json", message), None)
    })?;
    let Value::Object(mut fields) = value else {
        return Err((EventRefusal::new("invalid_json", "The event is not a JSON object."), None));
    };
    let event_id = match fields.remove("event_id") {
        Some(Value::String(id)) => Some(id),
        Some(Value::Null) | None => None,
        Some(other) => {
            return Err((EventRefusal::wrong_type("event_id", "a string", &other), None));
        }
    };
    match body(fields) {
        Ok(body) => Ok(ClientEvent { event_id, body }),
        Err(refusal) => Err((refusal, event_id)),
    }
}

fn body(mut fields: Map<String, Value>) -> Result<Body, EventRefusal> {
    let kind = fields.remove("type").ok_or_else(|| EventRefusal::missing("type"))?;
    let known = EVENTS.iter().find(|(name, _)| kind == *name);
    let (name, parameters) = known.ok_or_else(|| {
        let names: Vec<_> = EVENTS.iter().map(|(name, _)| format!("'{name}'")).collect();
        EventRefusal::wrong_value("type", &kind, &names.join(", "))
    })?;
    if let Some(unknown) = fields.keys().find(|name| !parameters.contains(&name.as_str())) {
        return Err(EventRefusal::unknown(unknown));
    }
    let fields = &mut fields;
    Ok(match *name {
        "session.update" => Body::SessionUpdate(object(fields, "session")?),
        "input_audio_buffer.append" => Body::Append { audio: text(fields, "audio")? },
        "input_audio_buffer.commit" => Body::Commit,
        "input_audio_buffer.clear" => Body::Clear,
        "conversation.item.create" => Body::ItemCreate {
            item: object(fields, "item")?,
            previous: optional_text(fields, "previous_item_id")?,
        },
        "conversation.item.retrieve" => Body::ItemRetrieve { item_id: text(fields, "item_id")? },
        "conversation.item.truncate" => Body::ItemTruncate {
            item_id: text(fields, "item_id")?,
            content_index: whole(fields, "content_index")?,
            audio_end_ms: whole(fields, "audio_end_ms")?,
        },
        "conversation.item.delete" => Body::ItemDelete { item_id: text(fields, "item_id")? },
        "response.create" => Body::ResponseCreate(match fields.remove("response") {
            Some(Value::Object(response)) => response,
            Some(Value::Null) | None => Map::new(),
            Some(other) => return Err(EventRefusal::wrong_type("response", "an object", &other)),
        }),
        _ => Body::ResponseCancel { response_id: optional_text(fields, "response_id")? },
    })
}

fn object(fields: &mut Map<String, Value>, name: &str) -> Result<Map<String, Value>, EventRefusal> {
    match fields.remove(name) {
        Some(Value::Object(object)) => Ok(object),
        Some(other) => Err(EventRefusal::wrong_type(name, "an object", &other)),
        None => Err(EventRefusal::missing(name)),
    }
}

fn text(fields: &mut Map<String, Value>, name: &str) -> Result<String, EventRefusal> {
    optional_text(fields, name)?.ok_or_else(|| EventRefusal::missing(name))
}

fn optional_text(
    fields: &mut Map<String, Value>,
    name: &str,
) -> Result<Option<String>, EventRefusal> {
    match fields.remove(name) {
        Some(Value::String(text)) => Ok(Some(text)),
        Some(Value::Null) | None => Ok(None),
        Some(other) => Err(EventRefusal::wrong_type(name, "a string", &other)),
    }
}

fn whole(fields: &mut Map<String, Value>, name: &str) -> Result<u64, EventRefusal> {
    let value = fields.remove(name).ok_or_else(|| EventRefusal::missing(name))?;
    value.as_u64().ok_or_else(|| EventRefusal::wrong_type(name, "an integer", &value))
}

#[cfg(test)]
#[path = "wire_tests.rs"]
mod tests;
