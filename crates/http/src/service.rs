//! A client for engines: requests to one server that the settings name, bounded in time and size,
//! redirected only within that server, and never retried automatically. Faults carry no address,
//! header or body. The settings name the server; `HttpClient` limits the hosts that tools may
//! reach.

use std::time::Duration;

use aileron_capability::{CapabilityFault, FaultCode};
use reqwest::header::{CONTENT_TYPE, HeaderMap, HeaderName, HeaderValue, LOCATION};
use reqwest::{Certificate, Client, Method, Response, redirect, retry};
use url::Url;

use crate::network::root_cause;

const MOST_REDIRECTS: usize = 5;

/// Limits of requests to a server.
#[derive(Debug, Clone)]
pub struct Service {
    client: Client,
    most_bytes: usize,
    timeout: Duration,
}

/// One request.
#[derive(Debug, Clone)]
pub struct HttpCall {
    pub method: Method,
    pub url: Url,
    pub headers: HeaderMap,
    pub body: Option<Vec<u8>>,
}

/// One answer, read whole.
#[derive(Debug, Clone)]
pub struct HttpReply {
    pub status: u16,
    pub headers: HeaderMap,
    pub body: Vec<u8>,
    /// Where it came from, after redirects.
    pub url: Url,
}

/// Why there is no answer, and whether the request may have arrived.
#[derive(Debug, Clone)]
pub enum RequestError {
    NotSent(CapabilityFault),
    Lost(CapabilityFault),
}

impl HttpReply {
    /// The body as text; invalid UTF-8 is replaced.
    pub fn text(&self) -> String {
        String::from_utf8_lossy(&self.body).into_owned()
    }
}

impl From<RequestError> for CapabilityFault {
    fn from(no_reply: RequestError) -> Self {
        match no_reply {
            RequestError::NotSent(fault) | RequestError::Lost(fault) => fault,
        }
    }
}

impl HttpCall {
    /// A request without headers and body.
    pub fn new(method: Method, url: Url) -> Self {
        Self { method, url, headers: HeaderMap::new(), body: None }
    }

    /// With one more header.
    #[must_use]
    pub fn header(mut self, name: HeaderName, value: HeaderValue) -> Self {
        self.headers.insert(name, value);
        self
    }

    /// With a body of this type.
    #[must_use]
    pub fn body(self, kind: &'static str, body: impl Into<Vec<u8>>) -> Self {
        let asked = self.header(CONTENT_TYPE, HeaderValue::from_static(kind));
        Self { body: Some(body.into()), ..asked }
    }
}

impl Service {
    /// A client with these headers on every request. Extra roots are certificates in PEM.
    pub fn new(
        headers: HeaderMap,
        timeout: Duration,
        most_bytes: usize,
        extra_roots: Option<&str>,
    ) -> Result<Self, String> {
        // An error means that the process has already installed a provider, which is sufficient.
        let _ = rustls::crypto::ring::default_provider().install_default();
        let roots = extra_roots.map(|pem| Certificate::from_pem_bundle(pem.as_bytes())).transpose();
        let roots =
            roots.map_err(|error| format!("the extra roots are no certificates: {error}"))?;
        let client = Client::builder()
            .user_agent(concat!("aileron/", env!("CARGO_PKG_VERSION")))
            .default_headers(headers)
            .redirect(redirect::Policy::none())
            .retry(retry::never())
            .no_proxy()
            .tls_certs_merge(roots.unwrap_or_default())
            .build();
        let client = client.map_err(|error| format!("TLS cannot be set up: {error}"))?;
        Ok(Self { client, most_bytes, timeout })
    }

    /// Sends a request, and follows redirects that stay on the server.
    pub async fn ask(&self, ask: HttpCall) -> Result<HttpReply, RequestError> {
        let late = || {
            let message = format!("no whole answer within {} s", self.timeout.as_secs_f32());
            RequestError::Lost(CapabilityFault::new(FaultCode::Timeout, message))
        };
        let done = tokio::time::timeout(self.timeout, self.follow(ask)).await;
        done.unwrap_or_else(|_| Err(late()))
    }

    async fn follow(&self, mut ask: HttpCall) -> Result<HttpReply, RequestError> {
        for _ in 0..=MOST_REDIRECTS {
            let response = self.send(&ask).await?;
            match destination(&ask.url, &response).map_err(RequestError::NotSent)? {
                Some(url) => ask.url = url,
                None => return self.read(response).await,
            }
        }
        let message = format!("the server redirects more than {MOST_REDIRECTS} times");
        Err(RequestError::NotSent(CapabilityFault::new(FaultCode::Refused, message)))
    }

    async fn send(&self, ask: &HttpCall) -> Result<Response, RequestError> {
        let request = self.client.request(ask.method.clone(), ask.url.clone());
        let mut request = request.headers(ask.headers.clone());
        if let Some(body) = &ask.body {
            request = request.body(body.clone());
        }
        request.send().await.map_err(|error| lost(&error))
    }

    async fn read(&self, mut response: Response) -> Result<HttpReply, RequestError> {
        let (status, url) = (response.status().as_u16(), response.url().clone());
        let headers = response.headers().clone();
        let mut bytes = Vec::new();
        while let Some(chunk) = response.chunk().await.map_err(|error| lost(&error))? {
            if bytes.len() + chunk.len() > self.most_bytes {
                let message =
                    format!("the server answered with more than {} bytes", self.most_bytes);
                return Err(RequestError::Lost(CapabilityFault::new(
                    FaultCode::Unavailable,
                    message,
                )));
            }
            bytes.extend_from_slice(&chunk);
        }
        Ok(HttpReply { status, headers, body: bytes, url })
    }
}

/// The target of a redirect: same host, scheme and port, so that no credentials leave the server.
fn destination(asked: &Url, response: &Response) -> Result<Option<Url>, CapabilityFault> {
    if !matches!(response.status().as_u16(), 301 | 302 | 307 | 308) {
        return Ok(None);
    }
    let refused =
        |why: &str| CapabilityFault::new(FaultCode::Refused, format!("the server redirects {why}"));
    let place = response.headers().get(LOCATION).and_then(|it| it.to_str().ok());
    let place = place.ok_or_else(|| refused("to nowhere"))?;
    let url = asked.join(place).map_err(|_| refused("to an invalid address"))?;
    match url.origin() == asked.origin() {
        true => Ok(Some(url)),
        false => Err(refused("to another server; if that is intended, configure its address")),
    }
}

fn lost(error: &reqwest::Error) -> RequestError {
    let cause = root_cause(error);
    if error.is_connect() || error.is_builder() {
        let message = format!("the server cannot be reached: {cause}");
        return RequestError::NotSent(CapabilityFault::new(FaultCode::Unavailable, message));
    }
    let code = if error.is_timeout() { FaultCode::Timeout } else { FaultCode::Unavailable };
    RequestError::Lost(CapabilityFault::new(
        code,
        format!("the server gave no whole answer: {cause}"),
    ))
}

/// Requires TLS for a URL that receives secrets, except on this machine or if the settings allow
/// it.
pub fn require_tls(url: &Url, allow_plain: bool) -> Result<(), String> {
    match url.scheme() {
        "https" => Ok(()),
        "http" if allow_plain || is_loopback(url) => Ok(()),
        "http" => Err("expected https, found http: list the host in [http] allow_plain to use it all the same".to_owned()),
        other => Err(format!("expected https, found {other:?}")),
    }
}

/// Whether a URL has a loopback address.
pub fn is_loopback(url: &Url) -> bool {
    match url.host() {
        Some(url::Host::Domain(name)) => name == "localhost",
        Some(url::Host::Ipv4(address)) => address.is_loopback(),
        Some(url::Host::Ipv6(address)) => address.is_loopback(),
        None => false,
    }
}

/// A header that is never logged.
pub fn secret_header(text: &str) -> Result<HeaderValue, String> {
    let value = HeaderValue::from_str(text);
    let mut value = value.map_err(|_| "a secret has characters no header takes".to_owned())?;
    value.set_sensitive(true);
    Ok(value)
}

/// The fault of an HTTP status that has no more specific meaning.
pub fn fault_of(status: u16, who: &str) -> CapabilityFault {
    let (code, why) = match status {
        401 => (FaultCode::Auth, "it does not accept the credentials"),
        403 => (FaultCode::Auth, "the credentials do not allow it"),
        404 | 410 => (FaultCode::Refused, "it knows no such address"),
        408 | 504 => (FaultCode::Timeout, "it gave up waiting"),
        429 => (FaultCode::RateLimit, "it was asked too often"),
        500..=599 => (FaultCode::Unavailable, "it has an internal error"),
        _ => (FaultCode::Refused, "it refused"),
    };
    CapabilityFault::new(code, format!("{who} answered with status {status}: {why}"))
}
