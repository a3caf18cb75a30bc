//! The response: the stream with its headers, or the whole message as JSON.

use axum::body::Body;
use axum::http::{HeaderName, HeaderValue, header};
use axum::response::{IntoResponse, Response};

use super::active_streams::AnswerReader;
use super::message;
use crate::error::ApiError;

/// Headers of the stream, which keep caches and proxies from delaying it.
const HEADERS: [(HeaderName, HeaderValue); 4] = [
    (header::CONTENT_TYPE, HeaderValue::from_static("text/event-stream")),
    (header::CACHE_CONTROL, HeaderValue::from_static("no-cache")),
    (HeaderName::from_static("x-vercel-ai-ui-message-stream"), HeaderValue::from_static("v1")),
    (HeaderName::from_static("x-accel-buffering"), HeaderValue::from_static("no")),
];

pub(super) fn stream(reader: AnswerReader) -> Response {
    (HEADERS, Body::from_stream(reader.read())).into_response()
}

pub(super) async fn whole(reader: AnswerReader) -> Result<Response, ApiError> {
    match reader.whole().await {
        Ok(chunks) => Ok(axum::Json(message::assemble(chunks)).into_response()),
        Err(failed) => Err((&failed).into()),
    }
}
