//! The outcome of a call in every form that clients send: an object with `output` or `error`, an
//! envelope, a text that contains one of these, or plain data.

use aileron_contract::ErrorType;
use serde_json::Value;

/// The outcome of a call.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum ToolOutcome {
    Done(Value),
    Failed(FailedOutcome),
}

/// Why there is no result.
#[derive(Debug, Clone, PartialEq, Default)]
pub(super) struct FailedOutcome {
    /// `None` for a code that the table of errors does not have.
    pub(super) kind: Option<ErrorType>,
    pub(super) message: String,
    /// The preview of the call that the person has to approve.
    pub(super) awaited: Option<String>,
}

impl ToolOutcome {
    pub(super) fn read(result: &Value) -> Self {
        match result {
            Value::String(text) => match serde_json::from_str::<Value>(text) {
                Ok(value @ (Value::Object(_) | Value::Array(_))) => Self::of_object(value),
                Ok(_) | Err(_) => Self::Done(result.clone()),
            },
            value => Self::of_object(value.clone()),
        }
    }

    fn of_object(value: Value) -> Self {
        if let Some(error) = value.get("error").filter(|error| !error.is_null()) {
            return Self::Failed(FailedOutcome::read(error));
        }
        let inner = if value.get("ok") == Some(&Value::Bool(true)) {
            value.get("data")
        } else {
            value.get("output")
        };
        // A text result arrives as text inside of the object.
        match inner.or_else(|| value.get("content").filter(|_| value.get("name").is_some())) {
            Some(Value::String(text)) => Self::Done(
                serde_json::from_str(text).unwrap_or_else(|_| Value::String(text.clone())),
            ),
            Some(inner) => Self::Done(inner.clone()),
            None => Self::Done(value),
        }
    }
}

impl FailedOutcome {
    fn read(error: &Value) -> Self {
        let text = |name: &str| error.get(name).and_then(Value::as_str);
        let code = text("code").or_else(|| text("type"));
        let kind =
            code.and_then(|code| ErrorType::ALL.iter().copied().find(|kind| kind.as_str() == code));
        let message = text("message").or_else(|| error.as_str()).unwrap_or_default().to_owned();
        let preview = error
            .get("confirmation_request")
            .and_then(|question| question.get("preview")?.as_str());
        let awaited = text("awaitingApprovalOf").or(preview).map(str::to_owned);
        Self { kind, message, awaited }
    }
}
