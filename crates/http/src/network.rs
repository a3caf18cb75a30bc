//! The network as a connection: TLS, name resolution, and error messages without URLs.

use std::error::Error;

use aileron_capability::http::{
    CheckedRequest, Connection, HttpClient, HttpFault, HttpOptions, HttpSetupError,
    StreamingResponse, authority,
};
use futures_util::future::BoxFuture;
use futures_util::{FutureExt, StreamExt, stream};
use reqwest::{Certificate, Client, Response, redirect, retry};

use crate::resolver::{NotPublic, PublicResolver};

/// Idle connections kept for each host.
const MOST_IDLE: usize = 8;

/// The client for tools, over the network.
pub fn client(options: HttpOptions) -> Result<HttpClient, HttpSetupError> {
    HttpClient::over(Network(build(&options)?), options)
}

#[derive(Debug)]
struct Network(Client);

impl Connection for Network {
    fn send<'a>(
        &'a self,
        hop: &'a CheckedRequest,
    ) -> BoxFuture<'a, Result<StreamingResponse, HttpFault>> {
        let mut request = self.0.request(hop.method.clone(), hop.url.clone());
        if let Some(body) = &hop.body {
            request = request.body(body.clone());
        }
        let sent = request.headers(hop.headers.clone()).send();
        async move {
            let host = authority(&hop.url);
            let response = sent.await.map_err(|error| fault(&error, &host))?;
            Ok(received(response, host))
        }
        .boxed()
    }
}

fn received(mut response: Response, host: String) -> StreamingResponse {
    let (status, headers) = (response.status(), std::mem::take(response.headers_mut()));
    let body = stream::try_unfold((response, host), |(mut response, host)| async move {
        let chunk = response.chunk().await.map_err(|error| fault(&error, &host))?;
        Ok(chunk.map(|chunk| (Vec::from(chunk), (response, host))))
    });
    StreamingResponse { status, headers, body: body.boxed() }
}

/// A client without redirects, retries, environment proxies and decompression, so that a body is
/// never larger than the bytes received.
fn build(options: &HttpOptions) -> Result<Client, HttpSetupError> {
    // An error means that the process has already installed a provider, which is sufficient.
    let _ = rustls::crypto::ring::default_provider().install_default();
    Client::builder()
        .user_agent(concat!("aileron/", env!("CARGO_PKG_VERSION")))
        .redirect(redirect::Policy::none())
        .retry(retry::never())
        .no_proxy()
        .pool_max_idle_per_host(MOST_IDLE)
        .http1_max_headers(options.max_headers)
        .dns_resolver(PublicResolver { exempt: options.private_hosts()? })
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
/// The fault for an error of a request to `host`.
fn fault(error: &reqwest::Error, host: &str) -> HttpFault {
    if chain(error).any(<dyn Error>::is::<NotPublic>) {
        return HttpFault::not_public(host);
    }
    if chain(error).any(is_too_large) {
        return HttpFault::refused(format!("the head of the answer of `{host}` is too large"));
    }
    if error.is_builder() {
        return HttpFault::refused(format!("the request to `{host}` cannot be written as HTTP"));
    }
    let cause = root_cause(error);
    if error.is_timeout() {
        return HttpFault::timeout(format!("`{host}` did not answer in time: {cause}"));
    }
    HttpFault::unavailable(format!("`{host}` gave no usable answer: {cause}"))
}

/// The causes of an error, without the error itself, whose text contains the URL.
fn chain(error: &reqwest::Error) -> impl Iterator<Item = &(dyn Error + 'static)> {
    std::iter::successors(error.source(), |&cause| cause.source())
}

/// The text of the innermost cause, which is the most specific.
pub(crate) fn root_cause(error: &reqwest::Error) -> String {
    chain(error).last().map_or_else(|| "no reason is known".to_owned(), ToString::to_string)
}

fn is_too_large(cause: &(dyn Error + 'static)) -> bool {
    cause.downcast_ref::<hyper::Error>().is_some_and(hyper::Error::is_parse_too_large)
}
