//! Checks the `Origin` and `Host` of requests.
//!
//! A browser states the origin of a page. Other origins are refused, because a form or a WebSocket of another
//! site would act with the person's access. A browser also states whether the page is on the same site, even
//! where it hides the origin. On this machine the host is checked too, against DNS rebinding.

use std::net::{IpAddr, Ipv6Addr};

use axum::http::{HeaderMap, HeaderValue, Method, Uri, header};

/// The origins and hosts that are accepted.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Origins {
    /// Origins besides our own: `https://example.com`.
    pub allowed: Vec<String>,
    pub hosts: AllowedHosts,
}

/// The `Host` names that are accepted.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub enum AllowedHosts {
    /// The names of this machine, and these.
    #[default]
    Own,
    OwnAnd(Vec<String>),
    /// Any. For a server that is reached over the network, where every person has to sign in.
    Any,
}

/// The origin of a request.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum RequestOrigin {
    /// No page, or a page of this server.
    Here,
    /// A page of another origin that is allowed.
    Allowed(HeaderValue),
}

/// Why a request is refused.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum OriginError {
    Name(String),
    Page(String),
}

const METHODS: &str = "GET, POST, PUT, DELETE, OPTIONS";
/// Some versions of `useChat` set `user-agent`, for which Safari and Firefox send a preflight request.
const HEADERS: &str = "authorization, content-type, last-event-id, user-agent";
const EXPOSED: &str = "retry-after, x-vercel-ai-ui-message-stream";
const PREFLIGHT_SECONDS: &str = "600";

/// Set by browsers; a page cannot change it.
const FETCH_SITE: &str = "sec-fetch-site";

impl Origins {
    /// The origin of a request, if it is allowed.
    pub(crate) fn check(
        &self,
        method: &Method,
        headers: &HeaderMap,
        uri: &Uri,
    ) -> Result<RequestOrigin, OriginError> {
        let host = host(headers, uri).map_err(OriginError::Name)?;
        if !self.hosts.includes(&host) {
            return Err(OriginError::Name(host));
        }
        let origin = headers.get(header::ORIGIN);
        let is_here =
            origin.is_none_or(|origin| is_same(origin.to_str().unwrap_or_default(), &host));
        let Some(origin) = origin.filter(|_| !is_here) else {
            return match other_site(headers) {
                Some(site) if changes(method) => Err(OriginError::Page(site)),
                _ => Ok(RequestOrigin::Here),
            };
        };
        let text = origin.to_str().unwrap_or_default();
        match self.allowed.iter().any(|allowed| allowed.eq_ignore_ascii_case(text)) {
            true => Ok(RequestOrigin::Allowed(origin.clone())),
            false => Err(OriginError::Page(text.to_owned())),
        }
    }
}

impl AllowedHosts {
    /// Whether a host is accepted. A malformed host never is.
    fn includes(&self, host: &str) -> bool {
        let Some(name) = name(host) else { return false };
        match self {
            Self::Any => true,
            Self::Own => is_own(name),
            Self::OwnAnd(names) => {
                is_own(name) || names.iter().any(|other| other.eq_ignore_ascii_case(name))
            }
        }
    }
}

impl RequestOrigin {
    /// Allows the page to read the response (CORS).
    pub(crate) fn allow_reading(&self, headers: &mut HeaderMap) {
        headers.append(header::VARY, HeaderValue::from_static("origin"));
        let Self::Allowed(origin) = self else { return };
        headers.insert(header::ACCESS_CONTROL_ALLOW_ORIGIN, origin.clone());
        headers.insert(header::ACCESS_CONTROL_EXPOSE_HEADERS, HeaderValue::from_static(EXPOSED));
    }

    /// Allows the page to send requests (CORS preflight).
    pub(crate) fn allow_requests(headers: &mut HeaderMap) {
        for (name, value) in [
            (header::ACCESS_CONTROL_ALLOW_METHODS, METHODS),
            (header::ACCESS_CONTROL_ALLOW_HEADERS, HEADERS),
            (header::ACCESS_CONTROL_MAX_AGE, PREFLIGHT_SECONDS),
        ] {
            headers.insert(name, HeaderValue::from_static(value));
        }
    }
}

/// Whether a request may change something.
fn changes(method: &Method) -> bool {
    !matches!(*method, Method::GET | Method::HEAD | Method::OPTIONS)
}

/// The relation of the page that sends a request, as its browser states it, if it is not a page of this server.
fn other_site(headers: &HeaderMap) -> Option<String> {
    let site = headers.get(FETCH_SITE)?.to_str().unwrap_or_default();
    (!matches!(site, "same-origin" | "none")).then(|| site.to_owned())
}

/// Whether a request is a CORS preflight.
pub(crate) fn is_preflight(method: &Method, headers: &HeaderMap) -> bool {
    method == Method::OPTIONS && headers.contains_key(header::ACCESS_CONTROL_REQUEST_METHOD)
}

/// The host of a request. The address in the request line precedes the header; several `Host` headers, which
/// proxies read differently, are refused.
fn host(headers: &HeaderMap, uri: &Uri) -> Result<String, String> {
    let named = headers.get_all(header::HOST).iter();
    let mut named = named.map(|value| String::from_utf8_lossy(value.as_bytes()).into_owned());
    let first = named.next();
    if let Some(second) = named.next() {
        return Err(format!("{}, {second}", first.unwrap_or_default()));
    }
    Ok(uri.authority().map(ToString::to_string).or(first).unwrap_or_default())
}

/// Whether a page has the origin of the server it calls, over plain HTTP or behind TLS.
fn is_same(origin: &str, host: &str) -> bool {
    let over = |scheme: &str, port: &str| {
        let place = origin.strip_prefix(scheme)?;
        let bare = host.strip_suffix(port).unwrap_or(host);
        Some(place.eq_ignore_ascii_case(host) || place.eq_ignore_ascii_case(bare))
    };
    !host.is_empty() && over("http://", ":80").or_else(|| over("https://", ":443")).unwrap_or(false)
}

/// The name in a host: `localhost`, `127.0.0.1:80`, `[::1]:80`. Other syntax is refused.
fn name(host: &str) -> Option<&str> {
    let (name, port) = match host.strip_prefix('[') {
        Some(rest) => {
            let (address, port) = rest.split_once(']')?;
            address.parse::<Ipv6Addr>().ok()?;
            (address, port)
        }
        None => {
            let end = host.find(':').unwrap_or(host.len());
            let (name, port) = host.split_at(end);
            let fits = |byte: u8| byte.is_ascii_alphanumeric() || b"-._".contains(&byte);
            (!name.is_empty() && name.bytes().all(fits)).then_some((name, port))?
        }
    };
    let is_port = |digits: &str| {
        digits.bytes().all(|byte| byte.is_ascii_digit()) && digits.parse::<u16>().is_ok()
    };
    (port.is_empty() || port.strip_prefix(':').is_some_and(is_port)).then_some(name)
}

fn is_own(name: &str) -> bool {
    name.eq_ignore_ascii_case("localhost")
        || name.parse::<IpAddr>().is_ok_and(|address| address.is_loopback())
}

#[cfg(test)]
#[path = "origins_tests.rs"]
mod tests;
