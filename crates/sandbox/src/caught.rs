//! Describes thrown JavaScript values, if possible without running JavaScript code.

use aileron_capability::foreign::{HandlerFault, joined, thrown_fault};
use rquickjs::{CaughtError, Ctx, Error, Value};

use super::json;

/// The fault in a description.
pub(crate) fn fault_of(description: &str) -> HandlerFault {
    thrown_fault(json::read(description, usize::MAX).unwrap_or_default())
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
