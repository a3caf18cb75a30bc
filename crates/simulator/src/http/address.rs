//! The paths of the protocols.

use std::sync::Arc;

use axum::Json;
use axum::Router;
use axum::body::Bytes;
use axum::extract::{DefaultBodyLimit, Path, RawQuery, State};
use axum::http::{HeaderMap, StatusCode};
use axum::response::{IntoResponse, Response};
use axum::routing::{MethodRouter, get, post};
use serde_json::json;

use super::serve::{IncomingRequest, answer, refuse};
use super::{HttpWorld, RequestRefusal, image};
use crate::anthropic::Anthropic;
use crate::gemini::{self, Gemini};
use crate::openai::{Chat, Responses, error};

type Shared = State<Arc<HttpWorld>>;
type Route = MethodRouter<Arc<HttpWorld>>;

/// Maximum bytes of a request, the largest limit of the providers.
const MAX_BODY: usize = 32 << 20;

/// The models that lists name. Any other name is answered as well.
const MODELS: &[&str] = &["simulated"];

pub(crate) fn routes() -> Router<Arc<HttpWorld>> {
    let list: [(&str, Route); 6] = [
        ("/v1/responses", post(responses)),
        ("/v1/chat/completions", post(chat)),
        ("/v1/messages", post(messages)),
        ("/v1/images/generations", post(image::openai)),
        ("/{version}/models", get(models)),
        ("/{version}/models/{action}", get(model).post(generate)),
    ];
    let router = list.into_iter().fold(Router::new(), |router, (path, route)| {
        router.route(path, route.clone()).route(&format!("/{path}"), route)
    });
    router.layer(DefaultBodyLimit::max(MAX_BODY))
}

async fn responses(shared: Shared, headers: HeaderMap, body: Bytes) -> Response {
    answer(&Responses, shared.0, IncomingRequest::new(headers, body)).await
}

async fn chat(shared: Shared, headers: HeaderMap, body: Bytes) -> Response {
    answer(&Chat, shared.0, IncomingRequest::new(headers, body)).await
}

async fn messages(shared: Shared, headers: HeaderMap, body: Bytes) -> Response {
    answer(&Anthropic, shared.0, IncomingRequest::new(headers, body)).await
}

async fn generate(
    shared: Shared,
    Path((_version, action)): Path<(String, String)>,
    RawQuery(query): RawQuery,
    headers: HeaderMap,
    body: Bytes,
) -> Response {
    let query = query.unwrap_or_default();
    let incoming = IncomingRequest { headers, body, query, action };
    answer(&Gemini, shared.0, incoming).await
}

async fn models(RawQuery(query): RawQuery, headers: HeaderMap) -> Response {
    let incoming = IncomingRequest {
        query: query.unwrap_or_default(),
        ..IncomingRequest::new(headers, Bytes::new())
    };
    if gemini::has_key(&incoming) {
        let models = MODELS.iter().map(|name| gemini::model(name));
        return Json(json!({ "models": models.collect::<Vec<_>>() })).into_response();
    }
    if !incoming.has_bearer() && incoming.header("x-api-key").is_none() {
        return refuse(&Chat, &RequestRefusal::unauthenticated(error::NO_KEY));
    }
    let models: Vec<_> = MODELS.iter().map(|name| incoming.described(name)).collect();
    let (first, last) = (MODELS.first(), MODELS.last());
    Json(json!({
        "object": "list", "data": models, "has_more": false, "first_id": first, "last_id": last
    }))
    .into_response()
}

async fn model(
    Path((_version, name)): Path<(String, String)>,
    RawQuery(query): RawQuery,
    headers: HeaderMap,
) -> Response {
    let incoming = IncomingRequest {
        query: query.unwrap_or_default(),
        ..IncomingRequest::new(headers, Bytes::new())
    };
    if gemini::has_key(&incoming) {
        return Json(gemini::model(&name)).into_response();
    }
    if !incoming.has_bearer() && incoming.header("x-api-key").is_none() {
        return refuse(&Chat, &RequestRefusal::unauthenticated(error::NO_KEY));
    }
    (StatusCode::OK, Json(incoming.described(&name))).into_response()
}
