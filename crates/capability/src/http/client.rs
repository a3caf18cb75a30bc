//! Sends a request, follows its redirects itself to check each, and reads the answer within limits.

use http::Method;
use tokio::time::timeout;

use super::connection::{Connection, StreamingResponse};
use super::fault::{HttpFault, HttpSetupError};
use super::headers;
use super::hop::CheckedRequest;
use super::message::{HttpRequest, HttpResponse};
use super::options::HttpOptions;
use super::rules::{Rules, authority};
use super::script::{Exchange, Script};

pub(super) const MOST_REDIRECTS: usize = 5;

const METHODS: &[Method] = &[
    Method::GET,
    Method::HEAD,
    Method::POST,
    Method::PUT,
    Method::PATCH,
    Method::DELETE,
    Method::OPTIONS,
];

/// Sends requests for tools. It decides which requests are allowed; a [`Connection`] sends them.
#[derive(Debug)]
pub struct HttpClient {
    connection: Box<dyn Connection>,
    pub(super) rules: Rules,
    pub(super) options: HttpOptions,
}

impl HttpClient {
    /// A client that sends over this connection.
    pub fn over(
        connection: impl Connection + 'static,
        options: HttpOptions,
    ) -> Result<Self, HttpSetupError> {
        let rules = Rules::new(&options)?;
        Ok(Self { connection: Box::new(connection), rules, options })
    }

    /// A client without a network: allowed requests are answered from the script.
    pub fn scripted(script: Vec<Exchange>) -> Result<Self, HttpSetupError> {
        Self::over(Script::new(script), HttpOptions::default())
    }

    /// Sends a request. `allowed` are the declared hosts: `host` for the scheme's default port, or
    /// `host:port`.
    ///
    /// A fault does not mean that nothing happened: the server may have received the request, and
    /// its answer was late, truncated or not allowed.
    pub async fn fetch(
        &self,
        allowed: &[String],
        request: HttpRequest,
    ) -> Result<HttpResponse, HttpFault> {
        let limit = self.options.timeout(request.timeout_ms);
        let first = self.admit(allowed, request)?;
        let late =
            || HttpFault::timeout(format!("no whole answer within {} ms", limit.as_millis()));
        timeout(limit, self.follow(allowed, first)).await.unwrap_or_else(|_| Err(late()))
    }

    /// The time limit of a request that asks for this many milliseconds, or for none.
    pub fn timeout_ms(&self, asked: Option<u64>) -> u64 {
        u64::try_from(self.options.timeout(asked).as_millis()).unwrap_or(u64::MAX)
    }

    /// All checks that need no network.
    fn admit(&self, allowed: &[String], request: HttpRequest) -> Result<CheckedRequest, HttpFault> {
        let most = self.options.max_request_bytes;
        if request.body.as_ref().is_some_and(|body| body.len() > most) {
            return Err(HttpFault::refused(format!(
                "the request's body has more than {most} bytes"
            )));
        }
        Ok(CheckedRequest {
            method: method(&request.method)?,
            url: self.rules.admit(allowed, &request.url)?,
            headers: headers::outgoing(&request.headers, &self.options)?,
            body: request.body,
        })
    }

    async fn follow(
        &self,
        allowed: &[String],
        mut hop: CheckedRequest,
    ) -> Result<HttpResponse, HttpFault> {
        for _ in 0..=MOST_REDIRECTS {
            let response = self.send(&hop).await?;
            let Some(url) = hop.destination(response.status, &response.headers)? else {
                return self.read(response, &authority(&hop.url)).await;
            };
            self.rules.check(allowed, &url).map_err(|fault| redirected(fault, &hop))?;
            hop = hop.redirected(response.status, url);
        }
        Err(HttpFault::refused(format!("more than {MOST_REDIRECTS} redirects")))
    }

    pub(super) async fn send(&self, hop: &CheckedRequest) -> Result<StreamingResponse, HttpFault> {
        self.connection.send(hop).await
    }

    async fn read(
        &self,
        response: StreamingResponse,
        host: &str,
    ) -> Result<HttpResponse, HttpFault> {
        let status = response.status.as_u16();
        let headers = headers::incoming(&response.headers, &self.options)?;
        let bytes = response.read(host, self.options.max_response_bytes).await?;
        let body = String::from_utf8(bytes).map_err(|_| {
            HttpFault::refused(format!("`{host}` answered with what is not UTF-8 text"))
        })?;
        Ok(HttpResponse { status, headers, body })
    }
}

fn redirected(fault: HttpFault, from: &CheckedRequest) -> HttpFault {
    let from = authority(&from.url);
    HttpFault { message: format!("redirected by `{from}`: {}", fault.message), ..fault }
}

fn method(written: &str) -> Result<Method, HttpFault> {
    let known = METHODS.iter().find(|method| method.as_str().eq_ignore_ascii_case(written));
    known.cloned().ok_or_else(|| {
        let names: Vec<_> = METHODS.iter().map(Method::as_str).collect();
        HttpFault::refused(format!("expected a method among {}", names.join(", ")))
    })
}
