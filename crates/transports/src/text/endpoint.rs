//! The address and headers of requests, and why an address or a key cannot be used. Keys are sent in
//! headers, never in the address.

use std::fmt;

use reqwest::header::{HeaderMap, HeaderName, HeaderValue};
use url::Url;

use super::options::ApiKey;

/// Why a model cannot be set up.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum TextError {
    Address {
        found: String,
        why: &'static str,
    },
    /// The key cannot be sent in a header.
    Key,
    /// The provider's own address requires a key.
    NoKey {
        provider: &'static str,
    },
    NoModel,
    /// A setting cannot be sent in a header.
    Setting {
        name: &'static str,
    },
    /// TLS cannot be set up; the text says why.
    Tls(String),
}

impl fmt::Display for TextError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Address { found, why } => write!(
                f,
                "expected an address like `https://host` or `http://127.0.0.1:8080/v1`, found {found:?}: {why}"
            ),
            Self::Key => {
                f.write_str("expected a key of visible characters, found others; copy it again")
            }
            Self::NoKey { provider } => write!(
                f,
                "expected a key for {provider}, found none; set one, or the address of a server that needs none"
            ),
            Self::NoModel => f.write_str("expected the name of a model, found none; set one"),
            Self::Setting { name } => {
                write!(f, "expected visible characters in {name}, found others")
            }
            Self::Tls(why) => write!(f, "TLS could not be set up: {why}"),
        }
    }
}

impl std::error::Error for TextError {}

/// An address with its headers. Secret ones are marked, so that they are not shown.
#[derive(Debug, Clone)]
pub(super) struct Endpoint {
    pub(super) url: Url,
    pub(super) headers: HeaderMap,
}

impl Endpoint {
    /// An address below a base; duplicate slashes are removed, and `version` is omitted if the base ends
    /// with one.
    pub(super) fn new(base: &Url, version: &str, path: &str) -> Result<Self, TextError> {
        let fault = |why| TextError::Address { found: base.to_string(), why };
        if !matches!(base.scheme(), "http" | "https") {
            return Err(fault("it is neither http nor https"));
        }
        if !base.username().is_empty() || base.password().is_some() {
            return Err(TextError::Address {
                found: base.host_str().unwrap_or_default().to_owned(),
                why: "it has a name or a password in it",
            });
        }
        let mut url = base.clone();
        let above = base.path().trim_end_matches('/');
        let joined = if version.is_empty() || ends_with_version(above) {
            format!("{above}/{path}")
        } else {
            format!("{above}/{version}/{path}")
        };
        url.set_path(&joined);
        url.set_query(None);
        url.set_fragment(None);
        Ok(Self { url, headers: HeaderMap::new() })
    }

    pub(super) fn query(mut self, name: &str, value: &str) -> Self {
        self.url.query_pairs_mut().append_pair(name, value);
        self
    }

    pub(super) fn header(mut self, name: &'static str, value: &str) -> Result<Self, TextError> {
        let value = HeaderValue::from_str(value).map_err(|_| TextError::Setting { name })?;
        self.headers.insert(HeaderName::from_static(name), value);
        Ok(self)
    }

    /// The key, if there is one, after `prefix`.
    pub(super) fn secret(
        mut self,
        name: &'static str,
        prefix: &str,
        key: Option<&ApiKey>,
    ) -> Result<Self, TextError> {
        let Some(key) = key else { return Ok(self) };
        let value = HeaderValue::from_str(&format!("{prefix}{}", key.secret()));
        let mut value = value.map_err(|_| TextError::Key)?;
        value.set_sensitive(true);
        self.headers.insert(HeaderName::from_static(name), value);
        Ok(self)
    }
}

/// Whether a path ends with a segment like `v1` or `v1beta`.
fn ends_with_version(path: &str) -> bool {
    let last = path.rsplit('/').next().unwrap_or_default();
    let number = last.strip_prefix('v').and_then(|rest| rest.bytes().next());
    number.is_some_and(|first| first.is_ascii_digit())
}

/// The base to use: the configured one, or the provider's own, which requires a key.
pub(super) fn base(
    set: Option<&Url>,
    own: &str,
    key: Option<&ApiKey>,
    provider: &'static str,
) -> Result<Url, TextError> {
    if let Some(url) = set {
        return Ok(url.clone());
    }
    if key.is_none() {
        return Err(TextError::NoKey { provider });
    }
    Url::parse(own)
        .map_err(|_| TextError::Address { found: own.to_owned(), why: "it is no address" })
}

#[cfg(test)]
#[path = "endpoint_tests.rs"]
mod tests;
