//! Describes thrown JavaScript values, if possible without running JavaScript code.

use aileron_capability::foreign::{HandlerFault, ThrownToolError, UncaughtFault};
use aileron_contract::ErrorType;
use rquickjs::{CaughtError, Ctx, Error, Value};
use serde::Deserialize;
use serde_json::from_value;

use super::json;

/// The sandbox's description of a thrown value.
#[derive(Deserialize)]
#[serde(tag = "kind", rename_all = "lowercase")]
enum ThrownValue {
    Memory,
    Tool(Box<UncheckedToolError>),
    Capability(UncaughtFault),
    Error {
        #[serde(default)]
        name: String,
        #[serde(default)]
        message: String,
        #[serde(default)]
        stack: String,
    },
    Unreadable {
        #[serde(default)]
        name: String,
        #[serde(default)]
        message: String,
    },
}

/// A thrown `ToolError`; its type may be unknown.
#[derive(Deserialize)]
struct UncheckedToolError {
    #[serde(rename = "type")]
    kind: String,
    #[serde(flatten)]
    rest: serde_json::Map<String, serde_json::Value>,
}

/// The fault in a description.
pub(crate) fn fault_of(description: &str) -> HandlerFault {
    let value = json::read(description, usize::MAX).unwrap_or_default();
    match from_value(value) {
        Ok(ThrownValue::Memory) => HandlerFault::OutOfMemory,
        Ok(ThrownValue::Tool(loose)) => tool_error(*loose),
        Ok(ThrownValue::Capability(uncaught)) => HandlerFault::Capability(Box::new(uncaught)),
        Ok(ThrownValue::Error { name, message, stack }) => {
            HandlerFault::Error { name, message, stack }
        }
        Ok(ThrownValue::Unreadable { name, message }) => {
            HandlerFault::BadResult(joined(&name, &message))
        }
        Err(_) => HandlerFault::error("Error", "the tool threw something that cannot be described"),
    }
}

fn tool_error(loose: UncheckedToolError) -> HandlerFault {
    let UncheckedToolError { kind, mut rest } = loose;
    let message = rest.get("message").and_then(|message| message.as_str()).unwrap_or_default();
    let Some(known) = ErrorType::ALL.iter().find(|known| known.as_str() == kind) else {
        return HandlerFault::error("ToolError", format!("unknown type `{kind}`: {message}"));
    };
    rest.insert("type".into(), known.as_str().into());
    match from_value::<ThrownToolError>(rest.into()) {
        Ok(thrown) => HandlerFault::Thrown(Box::new(thrown)),
        Err(error) => HandlerFault::error("ToolError", error.to_string()),
    }
}

fn joined(name: &str, message: &str) -> String {
    if message.is_empty() { name.to_owned() } else { format!("{name}: {message}") }
}

/// One line about an error of the engine: the thrown value and its place, if there is one.
pub(crate) fn message_of(ctx: &Ctx<'_>, error: Error) -> String {
    match CaughtError::from_error(ctx, error) {
        CaughtError::Error(error) => error.to_string(),
        CaughtError::Exception(exception) => {
            let name = exception.get::<_, String>("name").unwrap_or_else(|_| "Error".into());
            let text = joined(&name, &exception.message().unwrap_or_default());
            let stack = exception.stack().unwrap_or_default();
            match stack.lines().find(|line| !line.trim().is_empty()) {
                Some(place) => format!("{text} ({})", place.trim()),
                None => text,
            }
        }
        CaughtError::Value(value) => format!("threw {}", kind_of(&value)),
    }
}

fn kind_of(value: &Value<'_>) -> String {
    value
        .as_string()
        .and_then(|text| text.to_string().ok())
        .unwrap_or_else(|| value.type_name().into())
}
