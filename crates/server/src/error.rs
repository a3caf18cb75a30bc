//! The format of a refused request: a status and `{"error": {"code", "message", ...}}`.

mod code;

use aileron_agent::{TurnError, TurnFailure, TurnFailureCode};
use aileron_orchestrator::{AssignError, ConfirmError, OpenError};
use aileron_store::StoreError;
use axum::Json;
use axum::http::{HeaderValue, header};
use axum::response::{IntoResponse, Response};
use serde_json::{Map, Value, json};

pub use self::code::ApiErrorCode;

/// Why a request is refused.
#[derive(Debug, Clone, PartialEq)]
pub struct ApiError {
    code: ApiErrorCode,
    message: String,
    /// Further fields beside code and message.
    more: Map<String, Value>,
    headers: Vec<(header::HeaderName, HeaderValue)>,
}

impl ApiError {
    pub fn new(code: ApiErrorCode, message: impl Into<String>) -> Self {
        let message = message.into();
        Self { code, message, more: Map::new(), headers: Vec::new() }
    }

    /// Adds a field.
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

    pub fn code(&self) -> ApiErrorCode {
        self.code
    }

    pub fn message(&self) -> &str {
        &self.message
    }

    /// The body of the error.
    pub fn body(&self) -> Value {
        let mut error = self.more.clone();
        error.insert("code".to_owned(), json!(self.code.as_str()));
        error.insert("message".to_owned(), json!(self.message));
        json!({ "error": error })
    }

    pub(crate) fn not_found(message: impl Into<String>) -> Self {
        Self::new(ApiErrorCode::NotFound, message)
    }

    /// A conversation of another person is answered like one that does not exist.
    pub(crate) fn no_conversation() -> Self {
        Self::not_found("there is no such conversation; begin one with POST /v1/conversations")
    }

    pub(crate) fn invalid(message: impl Into<String>) -> Self {
        Self::new(ApiErrorCode::InvalidRequest, message)
    }

    pub(crate) fn too_many(code: ApiErrorCode, message: impl Into<String>, seconds: u32) -> Self {
        Self::new(code, message).header(header::RETRY_AFTER, HeaderValue::from(seconds))
    }

    pub(crate) fn unavailable(message: impl Into<String>) -> Self {
        Self::new(ApiErrorCode::Unavailable, message)
    }
}

impl ApiError {
    /// The response with the message only, for clients that show it to a person.
    pub(crate) fn into_sentence(self) -> Response {
        self.log();
        let mut response = (self.code.status(), self.message).into_response();
        response.headers_mut().extend(self.headers);
        response
    }

    /// Logs faults of the server for the operator.
    fn log(&self) {
        let (code, message) = (self.code.as_str(), self.message.as_str());
        if matches!(
            self.code,
            ApiErrorCode::Internal | ApiErrorCode::Unreadable | ApiErrorCode::Unavailable
        ) {
            tracing::warn!(code, message, "A request could not be answered.");
        }
    }
}

impl IntoResponse for ApiError {
    fn into_response(self) -> Response {
        self.log();
        let mut response = (self.code.status(), Json(self.body())).into_response();
        response.headers_mut().extend(self.headers);
        response
    }
}

impl From<OpenError> for ApiError {
    fn from(error: OpenError) -> Self {
        let message = error.to_string();
        match error {
            OpenError::Blocked { until, left_ms } => Self::new(ApiErrorCode::Blocked, message)
                .with("until", json!(until))
                .with("leftMs", json!(left_ms))
                .header(header::RETRY_AFTER, HeaderValue::from(left_ms.div_ceil(1000))),
            OpenError::NotOwner => Self::no_conversation(),
            OpenError::OtherMode { held_in } => {
                Self::new(ApiErrorCode::OtherMode, message).with("heldIn", json!(held_in))
            }
            OpenError::RegistryGone { pinned, loaded } => {
                Self::new(ApiErrorCode::RegistryGone, message)
                    .with("pinned", json!(pinned))
                    .with("loaded", json!(loaded))
            }
            OpenError::RegistryUnusable { pinned, .. } => {
                Self::new(ApiErrorCode::RegistryGone, message).with("pinned", json!(pinned))
            }
            OpenError::RegistryRefused(AssignError::Unknown { offered, .. }) => {
                Self::new(ApiErrorCode::UnknownRegistry, message).with("offered", json!(offered))
            }
            OpenError::RegistryRefused(AssignError::NotAllowed { .. }) => {
                Self::new(ApiErrorCode::RegistryNotAllowed, message)
            }
            OpenError::Ended => Self::new(ApiErrorCode::Ended, message),
            OpenError::NoRegistry | OpenError::Store(_) | OpenError::HeldElsewhere => {
                Self::unavailable(message)
            }
            OpenError::Unreadable { .. } => Self::new(ApiErrorCode::Unreadable, message),
        }
    }
}

impl From<TurnError> for ApiError {
    fn from(error: TurnError) -> Self {
        let code = match &error {
            TurnError::Busy => ApiErrorCode::Busy,
            TurnError::Done { .. } => ApiErrorCode::AlreadyDone,
            TurnError::NothingSaid => ApiErrorCode::InvalidRequest,
            TurnError::History(_) => ApiErrorCode::Unavailable,
        };
        Self::new(code, error.to_string())
    }
}

impl From<&TurnFailure> for ApiError {
    fn from(failed: &TurnFailure) -> Self {
        let code = match failed.code {
            TurnFailureCode::ModelBusy => ApiErrorCode::ModelBusy,
            TurnFailureCode::ModelRefused => ApiErrorCode::ModelRefused,
            TurnFailureCode::ModelUnavailable => ApiErrorCode::ModelUnavailable,
            TurnFailureCode::HistoryConflict => ApiErrorCode::HistoryConflict,
            TurnFailureCode::HistoryUnwritable => ApiErrorCode::HistoryUnwritable,
            TurnFailureCode::NotConfirmed => ApiErrorCode::NotConfirmed,
        };
        Self::new(code, failed.to_string())
    }
}

impl From<ConfirmError> for ApiError {
    fn from(error: ConfirmError) -> Self {
        let message = error.to_string();
        match error {
            ConfirmError::Forged => Self::new(ApiErrorCode::Forged, message),
            ConfirmError::NotOwner => Self::no_conversation(),
            ConfirmError::Unknown => Self::not_found(message),
            ConfirmError::Decided(how) => Self::new(ApiErrorCode::AlreadyDecided, message)
                .with("decision", json!(how.as_str())),
            ConfirmError::Store(_) => Self::unavailable(message),
        }
    }
}

impl From<StoreError> for ApiError {
    fn from(error: StoreError) -> Self {
        Self::unavailable(error.to_string())
    }
}
