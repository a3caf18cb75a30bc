//! A request as a handler writes it, and the response it is given.

use std::collections::BTreeMap;
use std::fmt;

use serde::{Deserialize, Serialize};

/// What to ask of a server.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct HttpRequest {
    /// `GET` when left out.
    #[serde(default = "default_method")]
    pub method: String,
    pub url: String,
    #[serde(default)]
    pub headers: BTreeMap<String, String>,
    #[serde(default)]
    pub body: Option<String>,
    /// How long to wait for the whole of the answer, redirects included.
    #[serde(default)]
    pub timeout_ms: Option<u64>,
}

impl HttpRequest {
    /// A `GET` without headers of its own.
    #[must_use]
    pub fn get(url: impl Into<String>) -> Self {
        Self {
            method: default_method(),
            url: url.into(),
            headers: BTreeMap::new(),
            body: None,
            timeout_ms: None,
        }
    }
}

fn default_method() -> String {
    "GET".to_owned()
}

/// Leaves out whatever may carry a secret: the URL, the headers' values and the body.
impl fmt::Debug for HttpRequest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("HttpRequest")
            .field("method", &self.method)
            .field("headers", &self.headers.keys())
            .field("timeout_ms", &self.timeout_ms)
            .finish_non_exhaustive()
    }
}

/// What a server answered, whatever its status.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct HttpResponse {
    pub status: u16,
    /// By lower-case name; the values of a header that came several times are joined by `, `.
    pub headers: BTreeMap<String, String>,
    pub body: String,
}

#[cfg(test)]
#[path = "message_tests.rs"]
mod tests;
