//! The body of a request, read whole before anybody looks at it: bounded in size and in time.

use axum::body::{Body, Bytes, HttpBody, to_bytes};
use axum::extract::Request;
use axum::http::StatusCode;
use serde_json::json;
use tokio::time::timeout;

use crate::error::ApiError;
use crate::limits::Limits;

/// The request with its body read.
pub(super) async fn read(limits: &Limits, request: Request) -> Result<Request, ApiError> {
    let (parts, body) = request.into_parts();
    if body.is_end_stream() {
        return Ok(Request::from_parts(parts, body));
    }
    if body.size_hint().lower() > limits.body_bytes as u64 {
        return Err(too_large(limits));
    }
    match timeout(limits.body_time, whole(limits, body)).await {
        Ok(bytes) => Ok(Request::from_parts(parts, Body::from(bytes?))),
        Err(_) => Err(too_slow(limits)),
    }
}

/// What breaks off is broken off by the client, who does not wait for an answer, or too large.
async fn whole(limits: &Limits, body: Body) -> Result<Bytes, ApiError> {
    to_bytes(body, limits.body_bytes).await.map_err(|_| too_large(limits))
}

fn too_large(limits: &Limits) -> ApiError {
    let most = limits.body_bytes;
    let message = format!("expected at most {most} bytes in the body, found more");
    ApiError::new(StatusCode::PAYLOAD_TOO_LARGE, "BODY_TOO_LARGE", message)
        .with("limit", json!(most))
}

fn too_slow(limits: &Limits) -> ApiError {
    let seconds = limits.body_time.as_secs();
    let message = format!("expected the whole body within {seconds} s");
    ApiError::new(StatusCode::REQUEST_TIMEOUT, "BODY_TOO_SLOW", message)
}
