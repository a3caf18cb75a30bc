//! The address of a provider, with its headers. Keys are sent in headers, never in the address, so that no
//! log of addresses contains them.

use std::fmt;

use tungstenite::client::IntoClientRequest;
use tungstenite::handshake::client::Request;
use tungstenite::http::HeaderValue;
use url::Url;

/// An address, and the headers of the handshake.
#[derive(Clone)]
pub struct Target {
    url: Url,
    headers: Vec<(&'static str, HeaderValue)>,
}

/// Headers are secrets, so only their names are shown.
impl fmt::Debug for Target {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names: Vec<_> = self.headers.iter().map(|(name, _)| name).collect();
        f.debug_struct("Target").field("url", &self.url.as_str()).field("headers", &names).finish()
    }
}

/// Why an address or a key cannot be used.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum TargetError {
    Address { found: String, why: String },
    Key,
}

impl fmt::Display for TargetError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Address { found, why } => write!(
                f,
                "expected an address like `wss://host` or `http://127.0.0.1:8080`, found {found:?}: {why}"
            ),
            Self::Key => {
                f.write_str("expected a key of visible characters, found others; copy it again")
            }
        }
    }
}

impl std::error::Error for TargetError {}

impl Target {
    /// An address below a base. `http` stands for `ws` and `https` for `wss`; duplicate slashes are removed.
    pub(crate) fn new(base: &str, path: &str) -> Result<Self, TargetError> {
        let fault = |why: String| TargetError::Address { found: base.to_owned(), why };
        let mut url = Url::parse(base).map_err(|error| fault(error.to_string()))?;
        let scheme = match url.scheme() {
            "ws" | "http" => "ws",
            "wss" | "https" => "wss",
            other => return Err(fault(format!("the scheme is {other:?}"))),
        };
        // Both are special schemes with hosts, between which a change is always allowed.
        let _ = url.set_scheme(scheme);
        let joined = format!("{}/{path}", url.path().trim_end_matches('/'));
        url.set_path(&joined);
        url.set_query(None);
        Ok(Self { url, headers: Vec::new() })
    }

    pub(crate) fn query(mut self, name: &str, value: &str) -> Self {
        self.url.query_pairs_mut().append_pair(name, value);
        self
    }

    pub(crate) fn secret(mut self, name: &'static str, value: &str) -> Result<Self, TargetError> {
        let mut value = HeaderValue::from_str(value).map_err(|_| TargetError::Key)?;
        value.set_sensitive(true);
        self.headers.push((name, value));
        Ok(self)
    }

    /// The address, without secrets.
    pub fn url(&self) -> &Url {
        &self.url
    }

    pub(crate) fn is_tls(&self) -> bool {
        self.url.scheme() == "wss"
    }

    /// The handshake request. The address was validated when the target was made.
    pub(crate) fn request(&self) -> Result<Request, String> {
        let request = self.url.as_str().into_client_request();
        let mut request = request.map_err(|error| error.to_string())?;
        for (name, value) in &self.headers {
            request.headers_mut().insert(*name, value.clone());
        }
        Ok(request)
    }
}

#[cfg(test)]
#[path = "target_tests.rs"]
mod tests;
