//! Sends a request, follows its redirects by hand, and reads the answer within limits.

use std::fmt;

use reqwest::{Certificate, Client, Method, Response, redirect, retry};
use tokio::time::timeout;

use super::fault::{HttpFault, HttpSetupError, root_cause};
use super::headers;
use super::hop::Hop;
use super::message::{HttpRequest, HttpResponse};
use super::options::HttpOptions;
use super::resolver::PublicResolver;
use super::rules::{Rules, authority};
use super::script::{Exchange, Script};

pub(super) const MOST_REDIRECTS: usize = 5;

/// Idle connections kept for each host.
const MOST_IDLE: usize = 8;

const METHODS: &[Method] = &[
    Method::GET,
    Method::HEAD,
    Method::POST,
    Method::PUT,
    Method::PATCH,
    Method::DELETE,
    Method::OPTIONS,
];

/// Asks servers on behalf of tools. One client serves all of them; it keeps connections, and nothing else.
pub struct HttpClient {
    way: Way,
    pub(super) rules: Rules,
    pub(super) options: HttpOptions,
}

/// Where requests go that may leave.
enum Way {
    Network(Client),
    /// To answers that were given beforehand.
    Script(Script),
}

impl fmt::Debug for HttpClient {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("HttpClient").field("options", &self.options).finish_non_exhaustive()
    }
}

impl HttpClient {
    pub fn new(options: HttpOptions) -> Result<Self, HttpSetupError> {
        let rules = Rules::new(&options)?;
        let client = build(&options, &rules)?;
        Ok(Self { way: Way::Network(client), rules, options })
    }

    /// A client that asks nobody: what may leave is answered as the script says.
    pub fn scripted(script: Vec<Exchange>) -> Result<Self, HttpSetupError> {
        let options = HttpOptions::default();
        let rules = Rules::new(&options)?;
        Ok(Self { way: Way::Script(Script::new(script)), rules, options })
    }

    /// Asks a server. `allowed` are the declared hosts: `host` for the scheme's own port, or `host:port`.
    ///
    /// A fault does not mean that nothing happened: the server may have got the request, and only its answer
    /// was late, cut short or not allowed.
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

    /// How long a request may take that asks for this many milliseconds, or for none.
    pub fn timeout_ms(&self, asked: Option<u64>) -> u64 {
        u64::try_from(self.options.timeout(asked).as_millis()).unwrap_or(u64::MAX)
    }

    /// Every check that needs no network.
    fn admit(&self, allowed: &[String], request: HttpRequest) -> Result<Hop, HttpFault> {
        let most = self.options.max_request_bytes;
        if request.body.as_ref().is_some_and(|body| body.len() > most) {
            return Err(HttpFault::refused(format!(
                "the request's body has more than {most} bytes"
            )));
        }
        Ok(Hop {
            method: method(&request.method)?,
            url: self.rules.admit(allowed, &request.url)?,
            headers: headers::outgoing(&request.headers, &self.options)?,
            body: request.body,
        })
    }

    async fn follow(&self, allowed: &[String], mut hop: Hop) -> Result<HttpResponse, HttpFault> {
        for _ in 0..=MOST_REDIRECTS {
            let response = self.send(&hop).await?;
            let Some(url) = hop.destination(response.status(), response.headers())? else {
                return self.read(response).await;
            };
            self.rules.check(allowed, &url).map_err(|fault| redirected(fault, &hop))?;
            hop = hop.redirected(response.status(), url);
        }
        Err(HttpFault::refused(format!("more than {MOST_REDIRECTS} redirects")))
    }

    pub(super) async fn send(&self, hop: &Hop) -> Result<Response, HttpFault> {
        let client = match &self.way {
            Way::Network(client) => client,
            Way::Script(script) => return script.answer(hop),
        };
        let mut request = client.request(hop.method.clone(), hop.url.clone());
        if let Some(body) = &hop.body {
            request = request.body(body.clone());
        }
        let sent = request.headers(hop.headers.clone()).send().await;
        sent.map_err(|error| HttpFault::of(&error, &authority(&hop.url)))
    }

    async fn read(&self, response: Response) -> Result<HttpResponse, HttpFault> {
        Ok(HttpResponse {
            status: response.status().as_u16(),
            headers: headers::incoming(response.headers(), &self.options)?,
            body: read_text(response, self.options.max_response_bytes).await?,
        })
    }
}

/// Reads a body as it comes in and stops at the limit.
async fn read_text(mut response: Response, most: usize) -> Result<String, HttpFault> {
    let host = authority(response.url());
    let mut bytes = Vec::new();
    while let Some(chunk) = response.chunk().await.map_err(|error| HttpFault::of(&error, &host))? {
        if bytes.len() + chunk.len() > most {
            return Err(HttpFault::refused(format!(
                "`{host}` answered with more than {most} bytes"
            )));
        }
        bytes.extend_from_slice(&chunk);
    }
    String::from_utf8(bytes)
        .map_err(|_| HttpFault::refused(format!("`{host}` answered with what is not UTF-8 text")))
}

fn redirected(fault: HttpFault, from: &Hop) -> HttpFault {
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

/// A client that goes nowhere by itself: no redirects, no retries, no proxies of the environment, and no
/// decompression, so that a body is never larger than what came over the wire.
fn build(options: &HttpOptions, rules: &Rules) -> Result<Client, HttpSetupError> {
    // An error means that the process has chosen a provider already, which will do.
    let _ = rustls::crypto::ring::default_provider().install_default();
    Client::builder()
        .user_agent(concat!("aileron/", env!("CARGO_PKG_VERSION")))
        .redirect(redirect::Policy::none())
        .retry(retry::never())
        .no_proxy()
        .pool_max_idle_per_host(MOST_IDLE)
        .http1_max_headers(options.max_headers)
        .dns_resolver(PublicResolver { exempt: rules.allow_private.clone() })
        .tls_certs_merge(extra_roots(options.extra_roots.as_deref())?)
        .build()
        .map_err(|error| HttpSetupError::Tls(root_cause(&error)))
}

fn extra_roots(pem: Option<&str>) -> Result<Vec<Certificate>, HttpSetupError> {
    let Some(pem) = pem else { return Ok(Vec::new()) };
    let roots = Certificate::from_pem_bundle(pem.as_bytes())
        .map_err(|error| HttpSetupError::Roots(error.to_string()))?;
    if roots.is_empty() {
        return Err(HttpSetupError::Roots("there is no certificate in it".to_owned()));
    }
    Ok(roots)
}
