//! Why a request is not answered, in the form the client understands: a plain sentence for front ends,
//! which show it to the person, JSON for programs.

use aileron_agent::TurnError;
use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use serde_json::{Value, json};

use super::request::Delivery;
use crate::conversations::NotOpened;
use crate::error::ApiError;

/// A request that is refused.
#[derive(Debug)]
pub(super) struct Refusal {
    status: StatusCode,
    code: &'static str,
    message: String,
    retry_after_seconds: Option<u64>,
    delivery: Delivery,
}

impl Refusal {
    pub(super) fn new(status: StatusCode, code: &'static str, message: impl Into<String>) -> Self {
        let message = message.into();
        let delivery = Delivery::Stream;
        Self { status, code, message, retry_after_seconds: None, delivery }
    }

    pub(super) fn delivered(self, delivery: Delivery) -> Self {
        Self { delivery, ..self }
    }

    pub(super) fn bad_request(message: impl Into<String>) -> Self {
        Self::new(StatusCode::BAD_REQUEST, "INVALID_REQUEST", message)
    }

    pub(super) fn too_large(most: usize) -> Self {
        let message = format!("expected at most {most} bytes, found more; send fewer messages");
        Self::new(StatusCode::PAYLOAD_TOO_LARGE, "TOO_LARGE", message)
    }

    pub(super) fn broken_off() -> Self {
        Self::bad_request("the request broke off before its end; send it again")
    }

    pub(super) fn no_model() -> Self {
        let message = "no model that writes is configured; set [text] in aileron.toml";
        Self::new(StatusCode::SERVICE_UNAVAILABLE, "NO_MODEL", message)
    }

    pub(super) fn busy() -> Self {
        Self::new(StatusCode::CONFLICT, "BUSY", TurnError::Busy.to_string())
    }
}

impl From<ApiError> for Refusal {
    fn from(error: ApiError) -> Self {
        let left_ms = error.detail("leftMs").and_then(Value::as_u64);
        let refusal = Self::new(error.status(), error.code(), error.message());
        Self { retry_after_seconds: left_ms.map(|left_ms| left_ms.div_ceil(1000)), ..refusal }
    }
}

impl From<NotOpened> for Refusal {
    fn from(error: NotOpened) -> Self {
        ApiError::from(error).into()
    }
}

impl From<TurnError> for Refusal {
    fn from(error: TurnError) -> Self {
        match error {
            TurnError::Busy => Self::busy(),
            TurnError::History(error) => {
                Self::new(StatusCode::SERVICE_UNAVAILABLE, "UNAVAILABLE", error.to_string())
            }
        }
    }
}

impl IntoResponse for Refusal {
    fn into_response(self) -> Response {
        let Self { status, code, message, retry_after_seconds, delivery } = self;
        let mut response = match delivery {
            Delivery::Stream => (status, message).into_response(),
            Delivery::Whole => {
                let body = json!({ "error": { "code": code, "message": message } });
                (status, axum::Json(body)).into_response()
            }
        };
        if let Some(seconds) = retry_after_seconds {
            response.headers_mut().insert(header::RETRY_AFTER, HeaderValue::from(seconds));
        }
        response
    }
}
