//! The options of the client.

use std::sync::Arc;
use std::time::Duration;

use url::Host;

use super::fault::HttpSetupError;

/// The settings of a client. The defaults allow only https to public addresses.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HttpOptions {
    /// Hosts that may have a private address: names or addresses, without a port.
    pub allow_private: Vec<String>,
    /// Hosts that may be used without TLS: names or addresses, without a port.
    pub allow_plain: Vec<String>,
    /// Root certificates to trust besides the platform's, one or more in PEM.
    pub extra_roots: Option<String>,
    /// The time limit of a request that sets none.
    pub default_timeout: Duration,
    /// The longest time limit that a request may set.
    pub longest_timeout: Duration,
    pub max_request_bytes: usize,
    pub max_response_bytes: usize,
    /// The maximum number of headers, in requests and responses.
    pub max_headers: usize,
    /// The maximum bytes in the names and values of all headers, in requests and responses.
    pub max_header_bytes: usize,
}

impl Default for HttpOptions {
    fn default() -> Self {
        Self {
            allow_private: Vec::new(),
            allow_plain: Vec::new(),
            extra_roots: None,
            default_timeout: Duration::from_secs(10),
            longest_timeout: Duration::from_secs(60),
            max_request_bytes: 1024 * 1024,
            max_response_bytes: 1024 * 1024,
            max_headers: 100,
            max_header_bytes: 32 * 1024,
        }
    }
}

impl HttpOptions {
    /// The hosts of `allow_private`, parsed.
    pub fn private_hosts(&self) -> Result<Arc<[Host]>, HttpSetupError> {
        parse_hosts(&self.allow_private)
    }

    /// The hosts of `allow_plain`, parsed.
    pub(super) fn plain_hosts(&self) -> Result<Arc<[Host]>, HttpSetupError> {
        parse_hosts(&self.allow_plain)
    }

    /// The time limit of a request that asks for this many milliseconds.
    pub(super) fn timeout(&self, asked_ms: Option<u64>) -> Duration {
        asked_ms.map_or(self.default_timeout, Duration::from_millis).min(self.longest_timeout)
    }
}

fn parse_hosts(entries: &[String]) -> Result<Arc<[Host]>, HttpSetupError> {
    let parse =
        |entry: &String| Host::parse(entry).map_err(|_| HttpSetupError::Host(entry.clone()));
    entries.iter().map(parse).collect()
}
