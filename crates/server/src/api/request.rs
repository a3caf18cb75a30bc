//! Extractors of requests, which parse strictly: the conversation from the path, JSON from the body.

use std::sync::Arc;

use aileron_contract::{CallId, ConversationId, Mode};
use aileron_orchestrator::{ConversationSnapshot, OpenError, OpenRequest, Person};
use aileron_runtime::Registry;
use axum::body::Bytes;
use axum::extract::{FromRequest, FromRequestParts, Request};
use serde::de::{DeserializeOwned, Error as _, IgnoredAny};
use serde::{Deserialize, Deserializer};
use serde_json::Value;

use crate::app::App;
use crate::content_type;
use crate::conversations::Lease;
use crate::error::{ApiError, ApiErrorCode};
use crate::object::Object;
use crate::role::Role;

/// The body of a request.
#[derive(Debug)]
pub(super) struct Json<T>(pub(super) T);

impl<T: DeserializeOwned> FromRequest<App> for Json<T> {
    type Rejection = ApiError;

    async fn from_request(request: Request, app: &App) -> Result<Self, ApiError> {
        let Text(body) = Text::from_request(request, app).await?;
        parsed(&body).map(Self)
    }
}

/// The body of a request with a JSON content type, not parsed.
#[derive(Debug)]
pub(super) struct Text(pub(super) Bytes);

impl FromRequest<App> for Text {
    type Rejection = ApiError;

    async fn from_request(request: Request, app: &App) -> Result<Self, ApiError> {
        content_type::expect_json(request.headers())?;
        let body = Bytes::from_request(request, app).await;
        body.map(Self).map_err(|unread| ApiError::invalid(unread.body_text()))
    }
}

/// Parses an object strictly.
pub(super) fn parsed<'a, T: Deserialize<'a>>(text: &'a [u8]) -> Result<T, ApiError> {
    serde_json::from_slice(text).map(|Object(read)| read).map_err(|error| wrong(text, &error))
}

/// The error of a text that could not be parsed: it is no JSON, or does not fit the type. Where the parser
/// cannot tell, the text is parsed once more as JSON.
fn wrong(text: &[u8], error: &serde_json::Error) -> ApiError {
    let is_json = match serde_json::from_slice::<IgnoredAny>(text) {
        Ok(_) if error.is_data() => Ok(()),
        Ok(_) => serde_json::from_slice::<Value>(text).map(drop),
        Err(broken) => Err(broken),
    };
    match is_json {
        Ok(()) => ApiError::invalid(error.to_string()),
        Err(broken) => {
            ApiError::new(ApiErrorCode::InvalidJson, format!("the body is no JSON: {broken}"))
        }
    }
}

/// The path parameter, percent-decoded.
#[derive(Debug)]
pub(super) struct Path<T>(pub(super) T);

impl<T: DeserializeOwned + Send> FromRequestParts<App> for Path<T> {
    type Rejection = ApiError;

    async fn from_request_parts(
        parts: &mut axum::http::request::Parts,
        app: &App,
    ) -> Result<Self, ApiError> {
        let path = axum::extract::Path::from_request_parts(parts, app).await;
        path.map(|axum::extract::Path(path)| Self(path))
            .map_err(|_| ApiError::not_found("there is nothing of that name"))
    }
}

/// The query parameters.
#[derive(Debug)]
pub(super) struct Query<T>(pub(super) T);

impl<T: DeserializeOwned> FromRequestParts<App> for Query<T> {
    type Rejection = ApiError;

    async fn from_request_parts(
        parts: &mut axum::http::request::Parts,
        app: &App,
    ) -> Result<Self, ApiError> {
        let query = axum::extract::Query::from_request_parts(parts, app).await;
        query.map(|axum::extract::Query(query)| Self(query)).map_err(|error| {
            let (found, cause) = (parts.uri.query().unwrap_or_default(), root_cause(&error));
            ApiError::invalid(format!("the query `?{found}` cannot be read: {cause}"))
        })
    }
}

/// The innermost error, which names the parameter and the fault.
fn root_cause(error: &dyn std::error::Error) -> String {
    error.source().map_or_else(|| error.to_string(), root_cause)
}

/// The id of a call, printable: the provider's or the agent's.
#[derive(Debug, Clone, Deserialize)]
#[serde(try_from = "String")]
pub(super) struct Printable(pub(super) CallId);

impl TryFrom<String> for Printable {
    type Error = String;

    fn try_from(text: String) -> Result<Self, String> {
        if !is_printable(&text) {
            return Err(format!("expected an id of printable characters, found {text:?}"));
        }
        CallId::new(text).map(Self).map_err(|error| error.to_string())
    }
}

pub(super) fn is_printable(text: &str) -> bool {
    text.bytes().all(|byte| byte.is_ascii_graphic())
}

/// The id in a path. An invalid id is answered like an unknown one.
pub(super) fn id(text: String) -> Result<ConversationId, ApiError> {
    ConversationId::new(text).map_err(|_| ApiError::no_conversation())
}

/// The largest integer that every JSON parser reads exactly.
pub(super) const MAX_EXACT: u64 = (1 << 53) - 1;

/// An integer, also one written with a decimal point, because JSON does not distinguish them.
pub(super) fn whole<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<u64>, D::Error> {
    let Some(number) = Option::<f64>::deserialize(deserializer)? else { return Ok(None) };
    if number.fract() == 0.0 && (0.0..=MAX_EXACT as f64).contains(&number) {
        return Ok(Some(number as u64));
    }
    Err(D::Error::custom(format!("expected a whole number from 0 to {MAX_EXACT}, found {number}")))
}

/// A number of a query that every JSON parser reads exactly.
pub(super) fn exact(name: &str, number: Option<u64>) -> Result<Option<u64>, ApiError> {
    match number {
        Some(found) if found > MAX_EXACT => {
            Err(ApiError::invalid(format!("`{name}`: expected 0 to {MAX_EXACT}, found {found}")))
        }
        number => Ok(number),
    }
}

/// The number of entries on a page.
pub(super) fn page_size(
    limit: Option<usize>,
    usual: usize,
    most: usize,
) -> Result<usize, ApiError> {
    match limit.unwrap_or(usual) {
        limit if (1..=most).contains(&limit) => Ok(limit),
        limit => Err(ApiError::invalid(format!("`limit`: expected 1 to {most}, found {limit}"))),
    }
}

/// A snapshot of the person's conversation.
pub(super) async fn glance(
    app: &App,
    id: &ConversationId,
    person: &Person,
) -> Result<ConversationSnapshot, ApiError> {
    app.orchestrator().look(id, person).await?.ok_or_else(ApiError::no_conversation)
}

/// The registry of new conversations.
pub(super) fn current_registry(app: &App) -> Result<Arc<Registry>, ApiError> {
    app.orchestrator().current().ok_or_else(|| OpenError::NoRegistry.into())
}

/// A loaded registry.
pub(super) fn registry(app: &App, version: &str) -> Result<Arc<Registry>, ApiError> {
    app.orchestrator().registry(version).ok_or_else(|| {
        ApiError::not_found("no registry of this version is loaded; GET /v1/registries lists them")
    })
}

/// A snapshot of a conversation that the caller may see: their own, or anybody's for operators and viewers.
pub(super) async fn visible(
    app: &App,
    id: &ConversationId,
    person: &Person,
) -> Result<ConversationSnapshot, ApiError> {
    let owners = Role::of(app, person).visible(person);
    let found = app.orchestrator().inspect(id).await?;
    let found = found.filter(|found| owners.includes(found.user.as_ref()));
    found.ok_or_else(ApiError::no_conversation)
}

/// Opens the person's conversation in its current mode.
pub(super) async fn open(app: &App, id: String, person: Person) -> Result<Lease, ApiError> {
    let id = self::id(id)?;
    let mode = glance(app, &id, &person).await?.state.mode();
    Ok(app.conversations().find(OpenRequest { id, mode, person }).await?)
}

/// Opens the person's conversation and moves it to a mode.
pub(super) async fn moved(
    app: &App,
    id: String,
    mode: Mode,
    person: Person,
) -> Result<Lease, ApiError> {
    Ok(app.conversations().move_to(OpenRequest { id: self::id(id)?, mode, person }).await?)
}
