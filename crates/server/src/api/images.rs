//! Images that were generated in a conversation, for the person who owns it.

use std::time::Duration;

use aileron_capability::CapabilityFault;
use aileron_contract::ConversationId;
use aileron_images::OpenedImage;
use aileron_orchestrator::{OpenError, Person};
use axum::extract::State;
use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};

use super::request::Path;
use crate::app::App;
use crate::entity_tag::is_held;
use crate::error::ApiError;
use crate::request_checks::Caller;

/// Prevents scripts in the file from running if it is opened as a page.
const INERT: &str = "default-src 'none'; sandbox";

pub(super) async fn show(
    State(app): State<App>,
    Caller(person): Caller,
    Path(id): Path<String>,
    headers: HeaderMap,
) -> Result<Response, ApiError> {
    let store = app.images().ok_or_else(unknown)?;
    let image =
        store.open(id, app.clock().now_ms()).await.map_err(unreadable)?.ok_or_else(unknown)?;
    require_own(&app, &image, &person).await?;
    let tag = format!("\"{}\"", image.hash);
    if is_held(&headers, &tag) {
        return Ok(with_headers(StatusCode::NOT_MODIFIED.into_response(), &tag, image.time_left));
    }
    let kind = [(header::CONTENT_TYPE, image.content_type)];
    Ok(with_headers((kind, image.bytes).into_response(), &tag, image.time_left))
}

/// An image of another person's conversation is answered like one that does not exist.
async fn require_own(app: &App, image: &OpenedImage, person: &Person) -> Result<(), ApiError> {
    let id = ConversationId::new(image.conversation.clone()).map_err(|_| unknown())?;
    match app.orchestrator().look(&id, person).await {
        Ok(Some(_)) => Ok(()),
        Ok(None) | Err(OpenError::NotOwner) => Err(unknown()),
        Err(error) => Err(error.into()),
    }
}

/// An id always names the same bytes, so the browser may cache them until they expire; shared caches may not,
/// because they are private.
fn with_headers(mut response: Response, tag: &str, time_left: Duration) -> Response {
    let headers = response.headers_mut();
    let kept = format!("private, max-age={}, immutable", time_left.as_secs());
    if let Ok(kept) = HeaderValue::from_str(&kept) {
        headers.insert(header::CACHE_CONTROL, kept);
    }
    headers.insert(header::CONTENT_SECURITY_POLICY, HeaderValue::from_static(INERT));
    if let Ok(tag) = HeaderValue::from_str(tag) {
        headers.insert(header::ETAG, tag);
    }
    response
}

fn unknown() -> ApiError {
    ApiError::not_found("there is no such image; it was never made here, or it was deleted by age")
}

fn unreadable(fault: CapabilityFault) -> ApiError {
    ApiError::unavailable(fault.message)
}
