//! The one form in which a request is refused: a status and `{"error": {"code", "message", ...}}`.

use aileron_orchestrator::{ConfirmError, OpenError};
use aileron_store::StoreError;
use axum::Json;
use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use serde_json::{Map, Value, json};

/// Why a request is refused.
#[derive(Debug, Clone, PartialEq)]
pub struct ApiError {
    status: StatusCode,
    code: &'static str,
    message: String,
    /// Further members beside code and message.
    more: Map<String, Value>,
    headers: Vec<(header::HeaderName, HeaderValue)>,
}

impl ApiError {
    pub fn new(status: StatusCode, code: &'static str, message: impl Into<String>) -> Self {
        let message = message.into();
        Self { status, code, message, more: Map::new(), headers: Vec::new() }
    }

    /// Says more about it.
    #[must_use]
    pub fn with(mut self, name: &str, value: Value) -> Self {
        self.more.insert(name.to_owned(), value);
        self
    }

    #[must_use]
    pub(crate) fn header(mut self, name: header::HeaderName, value: HeaderValue) -> Self {
        self.headers.push((name, value));
        self
    }

    pub fn status(&self) -> StatusCode {
        self.status
    }

    pub fn code(&self) -> &'static str {
        self.code
    }

    pub fn message(&self) -> &str {
        &self.message
    }

    /// A further member beside code and message.
    pub(crate) fn detail(&self, name: &str) -> Option<&Value> {
        self.more.get(name)
    }

    /// The error as the body says it.
    pub fn body(&self) -> Value {
        let mut error = self.more.clone();
        error.insert("code".to_owned(), json!(self.code));
        error.insert("message".to_owned(), json!(self.message));
        json!({ "error": error })
    }

    pub(crate) fn not_found(message: impl Into<String>) -> Self {
        Self::new(StatusCode::NOT_FOUND, "NOT_FOUND", message)
    }

    /// Somebody else's conversation is answered like one that does not exist.
    pub(crate) fn no_conversation() -> Self {
        Self::not_found("there is no such conversation; begin one with POST /v1/conversations")
    }

    pub(crate) fn invalid(message: impl Into<String>) -> Self {
        Self::new(StatusCode::BAD_REQUEST, "INVALID_REQUEST", message)
    }

    pub(crate) fn too_many(code: &'static str, message: impl Into<String>, seconds: u32) -> Self {
        Self::new(StatusCode::TOO_MANY_REQUESTS, code, message)
            .header(header::RETRY_AFTER, HeaderValue::from(seconds))
    }

    pub(crate) fn unavailable(message: impl Into<String>) -> Self {
        Self::new(StatusCode::SERVICE_UNAVAILABLE, "UNAVAILABLE", message)
    }
}

impl ApiError {
    /// The response with nothing but the message, for those who show it to a person.
    pub(crate) fn into_sentence(self) -> Response {
        let mut response = (self.status, self.message).into_response();
        response.headers_mut().extend(self.headers);
        response
    }
}

impl IntoResponse for ApiError {
    fn into_response(self) -> Response {
        let mut response = (self.status, Json(self.body())).into_response();
        response.headers_mut().extend(self.headers);
        response
    }
}

impl From<OpenError> for ApiError {
    fn from(error: OpenError) -> Self {
        let message = error.to_string();
        let conflict = |code| Self::new(StatusCode::CONFLICT, code, message.clone());
        match error {
            OpenError::Blocked { until, left_ms } => {
                Self::new(StatusCode::FORBIDDEN, "BLOCKED", message)
                    .with("until", json!(until))
                    .with("leftMs", json!(left_ms))
            }
            OpenError::NotYours => Self::no_conversation(),
            OpenError::OtherMode { held_in } => {
                conflict("OTHER_MODE").with("heldIn", json!(held_in))
            }
            OpenError::RegistryGone { pinned, loaded } => conflict("REGISTRY_GONE")
                .with("pinned", json!(pinned))
                .with("loaded", json!(loaded)),
            OpenError::Ended => Self::new(StatusCode::GONE, "ENDED", message),
            OpenError::NoRegistry | OpenError::Store(_) => Self::unavailable(message),
            OpenError::Unreadable { .. } => {
                Self::new(StatusCode::INTERNAL_SERVER_ERROR, "UNREADABLE", message)
            }
        }
    }
}

impl From<ConfirmError> for ApiError {
    fn from(error: ConfirmError) -> Self {
        let message = error.to_string();
        match error {
            ConfirmError::Forged => Self::new(StatusCode::FORBIDDEN, "FORGED", message),
            ConfirmError::NotYours => Self::no_conversation(),
            ConfirmError::Unknown => Self::not_found(message),
            ConfirmError::Store(_) => Self::unavailable(message),
        }
    }
}

impl From<StoreError> for ApiError {
    fn from(error: StoreError) -> Self {
        Self::unavailable(error.to_string())
    }
}
