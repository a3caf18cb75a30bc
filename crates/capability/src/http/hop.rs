//! One request of a chain of redirects, and the request that follows a redirect.

use http::header::{
    ACCEPT, ACCEPT_LANGUAGE, CONTENT_ENCODING, CONTENT_LANGUAGE, CONTENT_LOCATION, CONTENT_TYPE,
    HeaderMap, HeaderName, LOCATION, USER_AGENT,
};
use http::{Method, StatusCode};
use url::Url;

use super::fault::HttpFault;
use super::rules::authority;

/// Headers that describe a body and are removed with it.
const OF_BODY: &[HeaderName] =
    &[CONTENT_ENCODING, CONTENT_LANGUAGE, CONTENT_LOCATION, CONTENT_TYPE];

/// Headers that may be sent to another origin. Any other may contain a secret for the first origin.
const OF_ANY_ORIGIN: &[HeaderName] = &[
    ACCEPT,
    ACCEPT_LANGUAGE,
    CONTENT_ENCODING,
    CONTENT_LANGUAGE,
    CONTENT_LOCATION,
    CONTENT_TYPE,
    USER_AGENT,
];

/// A request that passed every check which needs no network.
#[derive(Debug)]
pub struct CheckedRequest {
    pub method: Method,
    pub url: Url,
    pub headers: HeaderMap,
    pub body: Option<String>,
}

impl CheckedRequest {
    /// The request that follows a redirect.
    pub(super) fn redirected(mut self, status: StatusCode, url: Url) -> Self {
        if becomes_get(status, &self.method) {
            self.method = Method::GET;
            self.body = None;
            OF_BODY.iter().for_each(|name| drop(self.headers.remove(name)));
        }
        if url.origin() != self.url.origin() {
            let keep = |name: &HeaderName| Some((name.clone(), self.headers.remove(name)?));
            self.headers = OF_ANY_ORIGIN.iter().filter_map(keep).collect();
        }
        Self { url, ..self }
    }

    /// The target of a response, if it is a redirect with one.
    pub(super) fn destination(
        &self,
        status: StatusCode,
        headers: &HeaderMap,
    ) -> Result<Option<Url>, HttpFault> {
        let Some(location) = headers.get(LOCATION).filter(|_| is_redirect(status)) else {
            return Ok(None);
        };
        let joined = location.to_str().ok().and_then(|text| self.url.join(text).ok());
        let from = authority(&self.url);
        let bad = || HttpFault::refused(format!("`{from}` redirects to what is no URL"));
        joined.map(Some).ok_or_else(bad)
    }
}

fn is_redirect(status: StatusCode) -> bool {
    matches!(status.as_u16(), 301 | 302 | 303 | 307 | 308)
}

/// Like browsers: 303 becomes a `GET`, and 301 and 302 turn a `POST` into one.
fn becomes_get(status: StatusCode, method: &Method) -> bool {
    match status.as_u16() {
        303 => method != Method::HEAD,
        301 | 302 => method == Method::POST,
        _ => false,
    }
}

#[cfg(test)]
#[path = "hop_tests.rs"]
mod tests;
