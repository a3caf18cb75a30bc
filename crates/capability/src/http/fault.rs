//! Why there is no response, in text for the author of the tool, without URL, header or body.

use std::error::Error;
use std::fmt;

use crate::{CapabilityFault, FaultCode};

/// Why a request has no response. A status of 400 or more is a response.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HttpFault {
    /// `Timeout` (no whole answer in time), `Unavailable` (no connection, or no HTTP over it) or
    /// `Refused` (not allowed).
    pub code: FaultCode,
    pub message: String,
}

impl HttpFault {
    /// The server did not answer completely in time.
    pub fn timeout(message: impl Into<String>) -> Self {
        Self { code: FaultCode::Timeout, message: message.into() }
    }

    /// The request, or the response to it, is not allowed.
    pub fn refused(message: impl Into<String>) -> Self {
        Self { code: FaultCode::Refused, message: message.into() }
    }

    /// There is no connection, or no HTTP over it.
    pub fn unavailable(message: impl Into<String>) -> Self {
        Self { code: FaultCode::Unavailable, message: message.into() }
    }

    /// Does not contain the address: a tool must not learn how names resolve inside a network.
    pub fn not_public(host: &str) -> Self {
        Self::refused(format!("`{host}` leads to an address that is not public"))
    }
}

impl fmt::Display for HttpFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.code.as_str(), self.message)
    }
}

impl Error for HttpFault {}

impl From<HttpFault> for CapabilityFault {
    fn from(fault: HttpFault) -> Self {
        Self::new(fault.code, fault.message)
    }
}

/// Why a client cannot be created from its options.
#[derive(Debug)]
pub enum HttpSetupError {
    /// An entry of `allow_private` or `allow_plain` is not a host.
    Host(String),
    /// The extra roots are not certificates; the text says why.
    Roots(String),
    /// TLS could not be set up, such as on a system without root certificates; the text says why.
    Tls(String),
}

impl fmt::Display for HttpSetupError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Host(found) => {
                write!(f, "expected a host name or address without a port, found `{found}`")
            }
            Self::Roots(why) => write!(f, "expected root certificates in PEM: {why}"),
            Self::Tls(why) => write!(f, "TLS could not be set up: {why}"),
        }
    }
}

impl Error for HttpSetupError {}
