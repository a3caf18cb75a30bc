//! The HTTP client, and the meaning of its errors.

use std::error::Error;
use std::io;
use std::sync::Arc;

use aileron_contract::text::ReplyFault;
use reqwest::header::{ACCEPT, ACCEPT_ENCODING, CONTENT_TYPE, HeaderMap, HeaderValue};
use reqwest::{Client, redirect, retry};
use rustls::{ClientConfig, RootCertStore};
use url::Url;

use super::endpoint::TextError;
use super::fault::LocalFault;
use super::options::TextOptions;
use crate::socket;

/// A client without redirects, which would forward the key, without retries, and without decompression, so
/// that a body is never larger than the bytes that came.
pub(super) fn client(options: &TextOptions, url: &Url) -> Result<Client, TextError> {
    let config = certificates(options, url).map_err(|error| TextError::Tls(error.to_string()))?;
    Client::builder()
        .user_agent(concat!("aileron/", env!("CARGO_PKG_VERSION")))
        .default_headers(headers())
        .redirect(redirect::Policy::none())
        .retry(retry::never())
        .no_proxy()
        .connect_timeout(options.timeouts.connect)
        .tls_backend_preconfigured((*config).clone())
        .build()
        .map_err(|error| TextError::Tls(root_cause(&error)))
}

fn headers() -> HeaderMap {
    let json = HeaderValue::from_static("application/json");
    let events = HeaderValue::from_static("text/event-stream, application/json");
    let identity = HeaderValue::from_static("identity");
    HeaderMap::from_iter([(CONTENT_TYPE, json), (ACCEPT, events), (ACCEPT_ENCODING, identity)])
}

/// A server without TLS needs no certificates, so a machine without any can reach it.
fn certificates(options: &TextOptions, url: &Url) -> io::Result<Arc<ClientConfig>> {
    match &options.tls {
        Some(config) => Ok(Arc::clone(config)),
        None if url.scheme() == "http" => socket::tls(RootCertStore::empty()),
        None => socket::trusted_tls(),
    }
}

/// The fault of a request or response that failed on the network.
pub(super) fn broken(error: &reqwest::Error) -> ReplyFault {
    let cause = root_cause(error);
    if chain(error).any(is_bad_certificate) {
        return LocalFault::Certificate.fault(cause);
    }
    let found = if error.is_timeout() { LocalFault::Timeout } else { LocalFault::Connection };
    found.fault(cause)
}

/// The causes of an error, without the error itself, whose text contains the address.
fn chain(error: &reqwest::Error) -> impl Iterator<Item = &(dyn Error + 'static)> {
    std::iter::successors(error.source(), |&cause| cause.source())
}

/// The innermost cause as text, which is the most specific.
fn root_cause(error: &reqwest::Error) -> String {
    chain(error).last().map(ToString::to_string).unwrap_or_default()
}

/// An I/O error hides its inner error from the chain of causes, and may contain another one.
fn is_bad_certificate(cause: &(dyn Error + 'static)) -> bool {
    let carried = cause.downcast_ref::<io::Error>().and_then(io::Error::get_ref);
    match carried {
        Some(carried) => is_bad_certificate(carried),
        None => matches!(
            cause.downcast_ref::<rustls::Error>(),
            Some(rustls::Error::InvalidCertificate(_))
        ),
    }
}
