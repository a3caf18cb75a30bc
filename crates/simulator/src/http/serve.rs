//! Handles one HTTP request, for every protocol.

use std::sync::Arc;

use axum::Json;
use axum::body::Bytes;
use axum::http::{HeaderMap, HeaderValue, header};
use axum::response::{Html, IntoResponse, Response};
use serde_json::{Value, json};

use super::exchange::{Delivery, ModelReply, ProviderRequest, RequestRefusal};
use super::faults::HttpFaults;
use super::image;
use super::shared::{HttpWorld, NumberedRequest};
use crate::simulated_model::{HistoryItem, ModelAction, ModelInput, PlannedCall};
use crate::sse::{self, SentEvent};

pub(super) const PAGE: &str = "<!doctype html><title>Bad gateway</title><h1>Bad gateway</h1>";
const OUT_OF_ORDER: &str = "The simulated provider was told to fail";

/// A received request.
#[derive(Debug)]
pub(crate) struct IncomingRequest {
    pub(crate) headers: HeaderMap,
    pub(crate) body: Bytes,
    pub(crate) query: String,
    /// The last part of the path, where the protocol puts a model and a method.
    pub(crate) action: String,
}

/// The position of an event in a reply.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum StreamPosition {
    Within,
    /// A call has begun and is not complete.
    InCall,
    /// A call, complete in this one event.
    WholeCall,
    /// The final events of a reply.
    Closing,
}

/// The part that differs between protocols. Pure, except for stored responses.
pub(crate) trait HttpProtocol: Sync {
    /// Parses a request, or returns the refusal.
    fn read(
        &self,
        incoming: &IncomingRequest,
        shared: &HttpWorld,
    ) -> Result<ProviderRequest, RequestRefusal>;
    /// The reply as events.
    fn frames(&self, question: &ProviderRequest, reply: &ModelReply) -> Vec<SentEvent>;
    /// The reply in one piece.
    fn whole(&self, question: &ProviderRequest, reply: &ModelReply) -> Value;
    /// The body of an error.
    fn refusal(&self, refusal: &RequestRefusal) -> Value;
    /// An error after that many events.
    fn error_frame(&self, sequence: usize) -> SentEvent;
    /// Stores a reply that a later request may refer to.
    fn remember(&self, _question: &ProviderRequest, _reply: &ModelReply, _world: &HttpWorld) {}
}

pub(crate) async fn answer<D: HttpProtocol>(
    dialect: &D,
    shared: Arc<HttpWorld>,
    incoming: IncomingRequest,
) -> Response {
    let numbered = shared.number();
    if shared.faults.html {
        return Html(PAGE).into_response();
    }
    let question = match ordered(&shared.faults, numbered.number)
        .and_then(|()| dialect.read(&incoming, &shared))
    {
        Ok(question) => question,
        Err(refusal) => return refuse(dialect, &refusal),
    };
    let reply = reply(&shared, &question, numbered).await;
    dialect.remember(&question, &reply, &shared);
    send(dialect, &shared, &question, &reply)
}

/// The injected error of this request.
pub(super) fn ordered(faults: &HttpFaults, number: usize) -> Result<(), RequestRefusal> {
    match faults.status {
        Some(status) if status.times.is_none_or(|times| number < times) => Err(RequestRefusal {
            retry_after: status.retry_after,
            ..RequestRefusal::new(status.code, OUT_OF_ORDER)
        }),
        _ => Ok(()),
    }
}

async fn reply(
    shared: &HttpWorld,
    question: &ProviderRequest,
    numbered: NumberedRequest,
) -> ModelReply {
    if question.picture {
        let reply = image::reply(numbered.stem, question);
        return if shared.faults.refuse { reply.refused() } else { reply };
    }
    let repeated = repeated(&question.scene).filter(|_| shared.faults.repeat_call);
    let steps = match repeated {
        Some(call) => vec![ModelAction::Call(vec![call])],
        None => shared.model.reply(question.scene.clone()).await,
    };
    let reply = ModelReply::new(numbered.stem, question, steps);
    if shared.faults.refuse { reply.refused() } else { reply }
}

/// The first call of the conversation, to be repeated. Disabled tools cannot be called.
fn repeated(scene: &ModelInput) -> Option<PlannedCall> {
    let first = scene.items.iter().find_map(|item| match item {
        HistoryItem::Called(call) => Some(call),
        HistoryItem::Heard { .. } | HistoryItem::Said { .. } | HistoryItem::Returned(_) => None,
    })?;
    let offered = scene.tools.iter().any(|tool| tool.name == first.name);
    offered.then(|| PlannedCall { id: None, name: first.name.clone(), args: first.args.clone() })
}

fn send<D: HttpProtocol>(
    dialect: &D,
    shared: &HttpWorld,
    question: &ProviderRequest,
    reply: &ModelReply,
) -> Response {
    let framing = match question.delivery {
        Delivery::Whole => {
            let body = dialect.whole(question, reply).to_string();
            return sse::whole(body, &shared.faults);
        }
        Delivery::Events => sse::Framing::Events,
        Delivery::Array => sse::Framing::Array,
    };
    let frames = dialect.frames(question, reply);
    let script = sse::script(frames, &shared.faults, |sent| dialect.error_frame(sent));
    sse::stream(script, framing, shared.faults.slow.unwrap_or(shared.pace))
}

pub(super) fn refuse<D: HttpProtocol>(dialect: &D, refusal: &RequestRefusal) -> Response {
    let mut response = (refusal.status, Json(dialect.refusal(refusal))).into_response();
    if let Some(seconds) = refusal.retry_after {
        response.headers_mut().insert(header::RETRY_AFTER, HeaderValue::from(seconds));
    }
    response
}

impl IncomingRequest {
    pub(crate) fn new(headers: HeaderMap, body: Bytes) -> Self {
        Self { headers, body, query: String::new(), action: String::new() }
    }

    /// A header, if present and not empty.
    pub(crate) fn header(&self, name: &str) -> Option<&str> {
        let value = self.headers.get(name).and_then(|value| value.to_str().ok());
        value.filter(|value| !value.is_empty())
    }

    pub(crate) fn has_bearer(&self) -> bool {
        let value = self.header("authorization").and_then(|value| value.strip_prefix("Bearer "));
        value.is_some_and(|key| !key.trim().is_empty())
    }

    /// The value of a part of the query.
    pub(crate) fn queried(&self, name: &str) -> Option<&str> {
        let pairs = self.query.split('&').filter_map(|pair| pair.split_once('='));
        pairs.into_iter().find(|(known, _)| *known == name).map(|(_, value)| value)
    }

    /// A model, in the form of the provider whose headers these are.
    pub(crate) fn described(&self, name: &str) -> Value {
        if self.header("anthropic-version").is_some() {
            return json!({
                "type": "model", "id": name, "display_name": name, "created_at": "2026-01-01T00:00:00Z"
            });
        }
        json!({ "id": name, "object": "model", "created": 1_767_225_600, "owned_by": "simulator" })
    }
}
