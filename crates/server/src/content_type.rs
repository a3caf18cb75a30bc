//! The content type of request bodies.

use axum::http::{HeaderMap, header};

use crate::error::{ApiError, ApiErrorCode};

/// Refuses a body without the JSON content type: a page of another origin cannot send JSON without a CORS
/// preflight.
pub(crate) fn expect_json(headers: &HeaderMap) -> Result<(), ApiError> {
    let said = headers.get(header::CONTENT_TYPE).and_then(|value| value.to_str().ok());
    let kind = said.unwrap_or_default().split(';').next().unwrap_or_default().trim();
    if kind.eq_ignore_ascii_case("application/json") {
        return Ok(());
    }
    let found = said.map_or_else(|| "none".to_owned(), |said| format!("`{said}`"));
    let message = format!("expected `content-type: application/json`, found {found}");
    Err(ApiError::new(ApiErrorCode::UnsupportedMediaType, message))
}
