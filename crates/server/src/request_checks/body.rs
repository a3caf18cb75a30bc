//! Reads the body of a request as a whole, bounded in size and in time. No other place limits it.

use axum::body::{Body, Bytes, HttpBody};
use axum::extract::Request;
use axum::http::{HeaderValue, header};
use futures_util::StreamExt;
use serde_json::json;
use tokio::time::timeout;

use crate::error::{ApiError, ApiErrorCode};
use crate::limits::RequestLimits;

const BROKEN_OFF: &str = "the request broke off before its end; send it again";

/// The request with its body read.
pub(super) async fn read(limits: &RequestLimits, request: Request) -> Result<Request, ApiError> {
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

/// A body that is too large is not read to its end.
async fn whole(limits: &RequestLimits, body: Body) -> Result<Bytes, ApiError> {
    let mut pieces = body.into_data_stream();
    let mut bytes = Vec::new();
    while let Some(piece) = pieces.next().await {
        let piece = piece.map_err(|_| ApiError::invalid(BROKEN_OFF))?;
        if bytes.len() + piece.len() > limits.body_bytes {
            return Err(too_large(limits));
        }
        bytes.extend_from_slice(&piece);
    }
    Ok(bytes.into())
}

fn too_large(limits: &RequestLimits) -> ApiError {
    let most = limits.body_bytes;
    let message = format!(
        "expected at most {most} bytes in the body, found more; `body_kb` of [server.limits] sets it"
    );
    last(ApiError::new(ApiErrorCode::BodyTooLarge, message).with("limit", json!(most)))
}

fn too_slow(limits: &RequestLimits) -> ApiError {
    let seconds = limits.body_time.as_secs();
    let message = format!("expected the whole body within {seconds} s");
    last(ApiError::new(ApiErrorCode::BodyTooSlow, message))
}

/// The rest of the body is not read, so the connection cannot be reused.
fn last(error: ApiError) -> ApiError {
    error.header(header::CONNECTION, HeaderValue::from_static("close"))
}
