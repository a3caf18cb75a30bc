//! A request as a handler writes it, and the response it gets.

use std::collections::BTreeMap;
use std::fmt;

use serde::{Deserialize, Serialize};

/// A request to a server.
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
    /// The time limit for the whole answer, including redirects.
    #[serde(default)]
    pub timeout_ms: Option<u64>,
}

impl HttpRequest {
    /// A `GET` without additional headers.
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

/// Leaves out everything that may contain a secret: the URL, the headers' values and the body.
impl fmt::Debug for HttpRequest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("HttpRequest")
            .field("method", &self.method)
            .field("headers", &self.headers.keys())
            .field("timeout_ms", &self.timeout_ms)
            .finish_non_exhaustive()
    }
}

/// The answer of a server, with any status.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct HttpResponse {
    pub status: u16,
    /// By lower-case name; the values of a repeated header are joined by `, `.
    pub headers: BTreeMap<String, String>,
    pub body: String,
}

#[cfg(test)]
#[path = "message_tests.rs"]
mod tests;
