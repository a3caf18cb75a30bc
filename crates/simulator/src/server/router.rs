//! Routes WebSocket connections to their protocol, and checks that they have a key. Any key is
//! accepted.

use std::sync::Arc;

use axum::Json;
use axum::extract::ws::rejection::WebSocketUpgradeRejection;
use axum::extract::{State, WebSocketUpgrade};
use axum::http::{HeaderMap, StatusCode, Uri};
use axum::response::{IntoResponse, Response};
use serde_json::json;

use crate::gemini_live::GeminiLive;
use crate::live::{self, Framing, SimulatorShared};
use crate::openai_live::OpenaiLive;
use crate::openai_realtime::OpenaiRealtime;

/// Maximum bytes of a message, about as in the real APIs.
const MOST_MESSAGE: usize = 16 * 1024 * 1024;

/// The subprotocol prefix with which browsers send a key to Realtime.
const BROWSER_KEY: &str = "openai-insecure-api-key.";

#[derive(Debug, Clone)]
pub(super) struct RouterState {
    pub(super) shared: Arc<SimulatorShared>,
    pub(super) framing: Framing,
}

/// The protocol of a path.
#[derive(Debug, Clone, PartialEq, Eq)]
enum RequestedProtocol {
    Gemini,
    Realtime { model: String },
    Live,
    Nothing,
}

pub(super) async fn enter(
    State(door): State<RouterState>,
    uri: Uri,
    headers: HeaderMap,
    upgrade: Result<WebSocketUpgrade, WebSocketUpgradeRejection>,
) -> Response {
    let wanted = requested_protocol(&uri);
    if wanted == RequestedProtocol::Nothing {
        return not_found(&uri);
    }
    let upgrade = match upgrade {
        Ok(upgrade) => upgrade.max_message_size(MOST_MESSAGE).max_frame_size(MOST_MESSAGE),
        Err(rejection) => return rejection.into_response(),
    };
    let RouterState { shared, framing } = door;
    match wanted {
        RequestedProtocol::Gemini if has_google_key(&uri, &headers) => {
            let protocol = GeminiLive::new(shared.clone(), framing);
            upgrade.on_upgrade(|socket| live::drive(socket, protocol, shared))
        }
        RequestedProtocol::Realtime { model } if has_openai_key(&headers) => {
            let protocol = OpenaiRealtime::new(shared.clone(), &model);
            let upgrade = upgrade.protocols(["realtime"]);
            upgrade.on_upgrade(|socket| live::drive(socket, protocol, shared))
        }
        RequestedProtocol::Live if authorization(&headers, &["Bearer "]) => {
            let protocol = OpenaiLive::new(shared.clone());
            upgrade.on_upgrade(|socket| live::drive(socket, protocol, shared))
        }
        RequestedProtocol::Gemini => no_google_key(),
        _ => no_openai_key(),
    }
}

/// Slashes may be doubled, and the version may be any.
fn requested_protocol(uri: &Uri) -> RequestedProtocol {
    let mut parts = uri.path().split('/').filter(|part| !part.is_empty());
    let last = parts.next_back().unwrap_or_default();
    let method = last.rsplit('.').next().unwrap_or_default();
    let before = parts.next_back().unwrap_or_default();
    let is_bidi = matches!(method, "BidiGenerateContent" | "BidiGenerateContentConstrained");
    match last {
        _ if is_bidi => RequestedProtocol::Gemini,
        "sessions" if before == "live" => RequestedProtocol::Live,
        "realtime" => {
            RequestedProtocol::Realtime { model: parameter(uri, "model").unwrap_or_default() }
        }
        _ => RequestedProtocol::Nothing,
    }
}

/// A parameter of the query, as it is written.
fn parameter(uri: &Uri, name: &str) -> Option<String> {
    let pairs = uri.query()?.split('&').filter_map(|pair| pair.split_once('='));
    let value = pairs.into_iter().find(|(key, _)| *key == name)?.1;
    Some(value.to_owned()).filter(|value| !value.is_empty())
}

fn has_google_key(uri: &Uri, headers: &HeaderMap) -> bool {
    let in_query = ["key", "access_token"].iter().any(|name| parameter(uri, name).is_some());
    let key = headers.get("x-goog-api-key").is_some_and(|key| !key.is_empty());
    in_query || key || authorization(headers, &["Token ", "Bearer "])
}

fn has_openai_key(headers: &HeaderMap) -> bool {
    let protocols = headers.get_all("sec-websocket-protocol").iter();
    let mut offered =
        protocols.filter_map(|value| value.to_str().ok()).flat_map(|it| it.split(','));
    let in_browser = offered.any(|protocol| {
        protocol.trim().strip_prefix(BROWSER_KEY).is_some_and(|key| !key.is_empty())
    });
    in_browser || authorization(headers, &["Bearer "])
}

fn authorization(headers: &HeaderMap, schemes: &[&str]) -> bool {
    let value = headers.get("authorization").and_then(|value| value.to_str().ok());
    let value = value.unwrap_or_default();
    schemes.iter().any(|scheme| value.strip_prefix(scheme).is_some_and(|key| !key.is_empty()))
}

fn no_google_key() -> Response {
    let message = "Method doesn't allow unregistered callers (callers without established \
                   identity). Please use API Key or other form of API consumer identity to call \
                   this API.";
    let error = json!({ "code": 403, "message": message, "status": "PERMISSION_DENIED" });
    (StatusCode::FORBIDDEN, Json(json!({ "error": error }))).into_response()
}

fn no_openai_key() -> Response {
    let error = json!({
        "message": "Missing bearer or basic authentication in header",
        "type": "invalid_request_error", "param": null, "code": null,
    });
    (StatusCode::UNAUTHORIZED, Json(json!({ "error": error }))).into_response()
}

fn not_found(uri: &Uri) -> Response {
    let message = format!("the simulator serves nothing at {}", uri.path());
    let error = json!({ "code": 404, "message": message, "status": "NOT_FOUND" });
    (StatusCode::NOT_FOUND, Json(json!({ "error": error }))).into_response()
}

#[cfg(test)]
#[path = "router_tests.rs"]
mod tests;
