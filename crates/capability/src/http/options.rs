//! How the client is set up.

use std::sync::Arc;
use std::time::Duration;

use url::Host;

use super::fault::HttpSetupError;

/// The settings of a client. The defaults let nothing through but https to public addresses.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HttpOptions {
    /// Hosts that may have an address which is not public: names or addresses, without a port.
    pub allow_private: Vec<String>,
    /// Hosts that may be asked without TLS: names or addresses, without a port.
    pub allow_plain: Vec<String>,
    /// Root certificates to trust besides the platform's, one or more in PEM.
    pub extra_roots: Option<String>,
    /// How long a request may take that does not say so itself.
    pub default_timeout: Duration,
    /// The longest time that a request may ask for.
    pub longest_timeout: Duration,
    pub max_request_bytes: usize,
    pub max_response_bytes: usize,
    /// The most headers either way.
    pub max_headers: usize,
    /// The most bytes in the names and values of all headers, either way.
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

    /// How long a request may take that asks for this many milliseconds.
    pub(super) fn timeout(&self, asked_ms: Option<u64>) -> Duration {
        asked_ms.map_or(self.default_timeout, Duration::from_millis).min(self.longest_timeout)
    }
}

fn parse_hosts(entries: &[String]) -> Result<Arc<[Host]>, HttpSetupError> {
    let parse =
        |entry: &String| Host::parse(entry).map_err(|_| HttpSetupError::Host(entry.clone()));
    entries.iter().map(parse).collect()
}
