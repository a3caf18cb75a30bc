//! The response: the stream with its headers, or the whole message as JSON.

use std::sync::Arc;

use axum::body::Body;
use axum::http::{HeaderName, HeaderValue, header};
use axum::response::{IntoResponse, Response};

use super::active_streams::ResumableStream;
use super::message;
use crate::error::ApiError;

/// What the stream is sent with, so that neither caches nor proxies hold it back.
const HEADERS: [(HeaderName, HeaderValue); 4] = [
    (header::CONTENT_TYPE, HeaderValue::from_static("text/event-stream")),
    (header::CACHE_CONTROL, HeaderValue::from_static("no-cache")),
    (HeaderName::from_static("x-vercel-ai-ui-message-stream"), HeaderValue::from_static("v1")),
    (HeaderName::from_static("x-accel-buffering"), HeaderValue::from_static("no")),
];

pub(super) fn stream(live: &Arc<ResumableStream>) -> Response {
    (HEADERS, Body::from_stream(live.read())).into_response()
}

pub(super) async fn whole(live: &Arc<ResumableStream>) -> Result<Response, ApiError> {
    match live.whole().await {
        Ok(chunks) => Ok(axum::Json(message::assemble(chunks)).into_response()),
        Err(failed) => Err((&failed).into()),
    }
}
