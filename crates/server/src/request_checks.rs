//! The checks of every request: host and origin, authentication, rate limit, size of the body.

mod body;

use std::net::IpAddr;

use aileron_orchestrator::Person;
use axum::extract::{FromRequestParts, Request, State};
use axum::http::request::Parts;
use axum::http::{HeaderValue, Method, StatusCode, header};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use serde_json::json;

use crate::app::App;
use crate::auth::AuthError;
use crate::error::{ApiError, ApiErrorCode};
use crate::limits::RateLimitKey;
use crate::origins::{self, OriginError, RequestOrigin};
use crate::page;
use crate::paths;
use crate::refusal_format::RefusalFormat;
use crate::role::Role;

/// Paths that need no authentication, besides those of the page.
const PUBLIC: [&str; 5] = ["/", "/health", "/health/live", "/health/ready", "/openapi.json"];

/// The address of the client.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Peer(pub(crate) IpAddr);

/// The authenticated person who sent a request.
#[derive(Debug, Clone)]
pub struct Caller(pub Person);

impl FromRequestParts<App> for Caller {
    type Rejection = ApiError;

    /// `admit` has authenticated the request already; a route without it authenticates here.
    async fn from_request_parts(parts: &mut Parts, app: &App) -> Result<Self, ApiError> {
        match parts.extensions.get::<Self>() {
            Some(caller) => Ok(caller.clone()),
            None => Ok(Self(app.auth().person(&parts.headers).await.map_err(unauthenticated)?)),
        }
    }
}

/// Checks a request and passes it on, or refuses it.
pub(crate) async fn admit(State(app): State<App>, request: Request, next: Next) -> Response {
    let checked_origin = app.origins().check(request.method(), request.headers(), request.uri());
    let from = match checked_origin {
        Ok(from) => from,
        Err(stranger) => return form(&request).refusal(stranger.refused()),
    };
    let mut response = if origins::is_preflight(request.method(), request.headers()) {
        preflight()
    } else {
        let form = form(&request);
        match checked(&app, request).await {
            Ok(request) => next.run(request).await,
            Err(error) => form.refusal(error),
        }
    };
    from.allow_reading(response.headers_mut());
    set_default_headers(&mut response);
    response
}

fn form(request: &Request) -> RefusalFormat {
    RefusalFormat::of(request.uri().path(), request.headers())
}

fn preflight() -> Response {
    let mut response = StatusCode::NO_CONTENT.into_response();
    RequestOrigin::allow_requests(response.headers_mut());
    response
}

async fn checked(app: &App, mut request: Request) -> Result<Request, ApiError> {
    let peer = request.extensions().get::<Peer>().map(|peer| peer.0);
    if PUBLIC.contains(&request.uri().path()) {
        count_request(app, RateLimitKey::Address(peer))?;
        return Ok(request);
    }
    // The files are not counted: behind a proxy all people share one address, and a browser loads many at once.
    if page::is_page_request(app, &request) {
        return Ok(request);
    }
    match app.auth().person(request.headers()).await {
        Ok(person) => {
            count_request(
                app,
                person.id.clone().map_or(RateLimitKey::Local, RateLimitKey::Person),
            )?;
            if acts(&request) {
                Role::of(app, &person).require_acting()?;
            }
            request.extensions_mut().insert(Caller(person));
        }
        Err(unknown) => {
            count_request(app, RateLimitKey::Failing(peer))?;
            return Err(unauthenticated(unknown));
        }
    }
    body::read(app.limits(), request).await
}

/// Whether a request may change something. A voice connection does; a dry run and a replay do not.
fn acts(request: &Request) -> bool {
    let path = request.uri().path();
    match *request.method() {
        Method::GET | Method::HEAD | Method::OPTIONS => path == paths::VOICE,
        Method::POST => path != paths::DRY_RUN && !paths::is_replay(path),
        _ => true,
    }
}

fn count_request(app: &App, rate_limit_key: RateLimitKey) -> Result<(), ApiError> {
    app.rates().take(rate_limit_key, app.clock().now_ms()).map_err(|too_fast| {
        let seconds = too_fast.wait_seconds.get();
        let message = format!("too many requests; wait {seconds} s");
        ApiError::too_many(ApiErrorCode::TooManyRequests, message, seconds)
    })
}

fn unauthenticated(unknown: AuthError) -> ApiError {
    let code = match unknown {
        AuthError::KeysUnavailable => ApiErrorCode::Unavailable,
        _ => ApiErrorCode::Unauthenticated,
    };
    ApiError::new(code, unknown.to_string())
        .header(header::WWW_AUTHENTICATE, HeaderValue::from_static("Bearer"))
}

/// Sets headers against content sniffing and caching, unless the route has set its own.
fn set_default_headers(response: &mut Response) {
    let headers = response.headers_mut();
    headers.insert(header::X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff"));
    let unkept = HeaderValue::from_static("no-store");
    headers.entry(header::CACHE_CONTROL).or_insert(unkept);
}

impl OriginError {
    fn refused(self) -> ApiError {
        match self {
            Self::Name(name) => {
                let message = "the server is not known under this name; ask it as localhost, or \
                               add the name to [server] hosts";
                ApiError::new(ApiErrorCode::HostRefused, message).with("found", json!(name))
            }
            Self::Page(page) => {
                let message = "a page from there may not ask this server; add it to [server] \
                               origins";
                ApiError::new(ApiErrorCode::OriginRefused, message).with("found", json!(page))
            }
        }
    }
}
