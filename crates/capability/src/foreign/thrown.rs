//! The description of a thrown value, as the other side of the boundary writes it.

use aileron_contract::ErrorType;
use serde::Deserialize;
use serde_json::{Value, from_value};

use super::fault::{HandlerFault, ThrownToolError, UncaughtFault};

/// The description of a thrown value.
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
    rest: serde_json::Map<String, Value>,
}

/// The fault in a description.
pub fn thrown_fault(description: Value) -> HandlerFault {
    match from_value(description) {
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

/// The name and the message of an error.
pub fn joined(name: &str, message: &str) -> String {
    if message.is_empty() { name.to_owned() } else { format!("{name}: {message}") }
}
