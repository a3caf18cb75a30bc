//! All routes of the server.

use axum::Router;
use axum::extract::{DefaultBodyLimit, State};
use axum::http::{HeaderMap, Method, Uri};
use axum::middleware::from_fn_with_state;
use axum::response::Response;
use axum::routing::get;

use super::{health, welcome};
use crate::app::App;
use crate::error::{ApiError, ApiErrorCode};
use crate::refusal_format::RefusalFormat;
use crate::{api, chat, metrics, page, request_checks, voice};

const API: &str = "/openapi.json lists what there is";
const CHAT: &str =
    "chat is POST /api/chat, and GET and DELETE /api/chat/{id}/stream for an answer in progress";

/// All routes of the server, behind `request_checks`.
pub fn router(app: App) -> Router {
    Router::new()
        .route("/", get(welcome::show))
        .route("/health", get(health::both))
        .route("/health/live", get(health::live))
        .route("/health/ready", get(health::ready))
        .merge(api::routes())
        .merge(chat::routes())
        .merge(metrics::routes())
        .merge(voice::routes())
        .fallback(no_route)
        .method_not_allowed_fallback(no_method)
        // `request_checks` bounds the body.
        .layer(DefaultBodyLimit::disable())
        .layer(from_fn_with_state(app.clone(), request_checks::admit))
        .with_state(app)
}

/// A file or a view of the page, or a refusal.
async fn no_route(
    State(app): State<App>,
    method: Method,
    uri: Uri,
    headers: HeaderMap,
) -> Response {
    if matches!(method, Method::GET | Method::HEAD)
        && let Some(response) = page::respond(&app, uri.path(), &headers).await
    {
        return response;
    }
    let message = format!("there is nothing here; {}", route_hint(&uri));
    RefusalFormat::of(uri.path(), &headers).refusal(ApiError::not_found(message))
}

async fn no_method(uri: Uri, headers: HeaderMap) -> Response {
    let message = format!("this is not asked for with that method; {}", route_hint(&uri));
    let error = ApiError::new(ApiErrorCode::MethodNotAllowed, message);
    RefusalFormat::of(uri.path(), &headers).refusal(error)
}

fn route_hint(uri: &Uri) -> &'static str {
    if chat::is_chat(uri.path()) { CHAT } else { API }
}
