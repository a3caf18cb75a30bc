//! The format of a refused request's body.

use axum::http::{HeaderMap, header};
use axum::response::{IntoResponse, Response};

use crate::chat::is_chat;
use crate::error::ApiError;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum RefusalFormat {
    Json,
    /// A plain sentence: chat front ends show the body of a refusal to the person as it is.
    Plain,
}

impl RefusalFormat {
    /// JSON, unless the request is one of chat and does not accept JSON.
    pub(crate) fn of(path: &str, headers: &HeaderMap) -> Self {
        let accepts = headers.get(header::ACCEPT).and_then(|value| value.to_str().ok());
        let wants_json = accepts.is_some_and(|accepts| accepts.contains("application/json"));
        match is_chat(path) && !wants_json {
            true => Self::Plain,
            false => Self::Json,
        }
    }

    pub(crate) fn refusal(self, error: ApiError) -> Response {
        match self {
            Self::Json => error.into_response(),
            Self::Plain => error.into_sentence(),
        }
    }
}
