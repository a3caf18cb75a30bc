//! Which pages may talk to the server, and under which names it is reached.
//!
//! A browser says where a page is from. One from elsewhere is refused, whatever it sends: a form
//! or a WebSocket of another site would act in the name of whoever sits before the screen. On the
//! own machine the name is checked too, or any site could lend us its own (DNS rebinding).

use std::net::{IpAddr, Ipv6Addr};

use axum::http::{HeaderMap, HeaderValue, Method, Uri, header};

/// The pages and names that are let in.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Origins {
    /// Pages besides our own: `https://example.com`.
    pub allowed: Vec<String>,
    pub hosts: AllowedHosts,
}

/// Under which names the server may be asked.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub enum AllowedHosts {
    /// Those of the own machine, and these.
    #[default]
    Own,
    OwnAnd(Vec<String>),
    /// Any. For a server that is reached over the network, where everybody has to sign in.
    Any,
}

/// Where a request is from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum RequestOrigin {
    /// No page, or one of ours.
    Here,
    /// A page from elsewhere that is let in.
    Allowed(HeaderValue),
}

/// Why a request is not let in.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum OriginError {
    Name(String),
    Page(String),
}

const METHODS: &str = "GET, POST, PUT, DELETE, OPTIONS";
/// Some versions of `useChat` name themselves in `user-agent`; Safari and Firefox then ask whether they may.
const HEADERS: &str = "authorization, content-type, last-event-id, user-agent";
const EXPOSED: &str = "retry-after, x-vercel-ai-ui-message-stream";
const PREFLIGHT_SECONDS: &str = "600";

impl Origins {
    /// Where a request is from, if it may come from there.
    pub(crate) fn judge(
        &self,
        headers: &HeaderMap,
        uri: &Uri,
    ) -> Result<RequestOrigin, OriginError> {
        let host = host(headers, uri).map_err(OriginError::Name)?;
        if !self.hosts.includes(&host) {
            return Err(OriginError::Name(host));
        }
        let Some(origin) = headers.get(header::ORIGIN) else { return Ok(RequestOrigin::Here) };
        let text = origin.to_str().unwrap_or_default();
        if is_same(text, &host) {
            return Ok(RequestOrigin::Here);
        }
        match self.allowed.iter().any(|allowed| allowed.eq_ignore_ascii_case(text)) {
            true => Ok(RequestOrigin::Allowed(origin.clone())),
            false => Err(OriginError::Page(text.to_owned())),
        }
    }
}

impl AllowedHosts {
    /// Whether a host is one of them. One that is not written as a host is never.
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
    /// Tells the browser that the page may see the answer.
    pub(crate) fn open(&self, headers: &mut HeaderMap) {
        headers.append(header::VARY, HeaderValue::from_static("origin"));
        let Self::Allowed(origin) = self else { return };
        headers.insert(header::ACCESS_CONTROL_ALLOW_ORIGIN, origin.clone());
        headers.insert(header::ACCESS_CONTROL_EXPOSE_HEADERS, HeaderValue::from_static(EXPOSED));
    }

    /// Tells the browser what the page may send.
    pub(crate) fn open_for_requests(headers: &mut HeaderMap) {
        for (name, value) in [
            (header::ACCESS_CONTROL_ALLOW_METHODS, METHODS),
            (header::ACCESS_CONTROL_ALLOW_HEADERS, HEADERS),
            (header::ACCESS_CONTROL_MAX_AGE, PREFLIGHT_SECONDS),
        ] {
            headers.insert(name, HeaderValue::from_static(value));
        }
    }
}

/// Whether a browser only asks what it may send.
pub(crate) fn is_preflight(method: &Method, headers: &HeaderMap) -> bool {
    method == Method::OPTIONS && headers.contains_key(header::ACCESS_CONTROL_REQUEST_METHOD)
}

/// The host that the server was asked as. Of a full address in the request line and a header, the
/// address counts; several headers, which proxies read differently, are refused as they are.
fn host(headers: &HeaderMap, uri: &Uri) -> Result<String, String> {
    let named = headers.get_all(header::HOST).iter();
    let mut named = named.map(|value| String::from_utf8_lossy(value.as_bytes()).into_owned());
    let first = named.next();
    if let Some(second) = named.next() {
        return Err(format!("{}, {second}", first.unwrap_or_default()));
    }
    Ok(uri.authority().map(ToString::to_string).or(first).unwrap_or_default())
}

/// Whether a page is from the very place it asks, over plain HTTP or behind TLS.
fn is_same(origin: &str, host: &str) -> bool {
    let over = |scheme: &str, port: &str| {
        let place = origin.strip_prefix(scheme)?;
        let bare = host.strip_suffix(port).unwrap_or(host);
        Some(place.eq_ignore_ascii_case(host) || place.eq_ignore_ascii_case(bare))
    };
    !host.is_empty() && over("http://", ":80").or_else(|| over("https://", ":443")).unwrap_or(false)
}

/// The name in a host: `localhost`, `127.0.0.1:80`, `[::1]:80`. Nothing else may stand around it.
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
