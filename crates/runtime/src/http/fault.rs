//! Why there is no response, in words that a tool's author can act on and that carry no URL, header or body.

use std::error::Error;
use std::fmt;

use super::resolver::NotPublic;
use crate::capability::{Fault, FaultCode};

/// Why a request has no response. A status of 400 or more is a response.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HttpFault {
    /// `Timeout` (no whole answer in time), `Unavailable` (no connection, or no HTTP over it) or
    /// `Refused` (not allowed).
    pub code: FaultCode,
    pub message: String,
}

impl HttpFault {
    pub(super) fn timeout(message: impl Into<String>) -> Self {
        Self { code: FaultCode::Timeout, message: message.into() }
    }

    pub(super) fn refused(message: impl Into<String>) -> Self {
        Self { code: FaultCode::Refused, message: message.into() }
    }

    /// What went wrong while `host` was asked.
    pub(super) fn of(error: &reqwest::Error, host: &str) -> Self {
        if chain(error).any(<dyn Error>::is::<NotPublic>) {
            return Self::not_public(host);
        }
        if chain(error).any(is_too_large) {
            return Self::refused(format!("the head of the answer of `{host}` is too large"));
        }
        if error.is_builder() {
            return Self::refused(format!("the request to `{host}` cannot be written as HTTP"));
        }
        let cause = root_cause(error);
        if error.is_timeout() {
            return Self::timeout(format!("`{host}` did not answer in time: {cause}"));
        }
        Self {
            code: FaultCode::Unavailable,
            message: format!("`{host}` gave no usable answer: {cause}"),
        }
    }

    /// Says nothing of the address itself: a tool shall not learn what names mean inside a network.
    pub(super) fn not_public(host: &str) -> Self {
        Self::refused(format!("`{host}` leads to an address that is not public"))
    }
}

/// The causes of an error, without the error itself: its own text holds the URL.
fn chain(error: &reqwest::Error) -> impl Iterator<Item = &(dyn Error + 'static)> {
    std::iter::successors(error.source(), |&cause| cause.source())
}

/// The innermost cause in words, the one that says most.
pub(super) fn root_cause(error: &reqwest::Error) -> String {
    chain(error).last().map_or_else(|| "no reason is known".to_owned(), ToString::to_string)
}

fn is_too_large(cause: &(dyn Error + 'static)) -> bool {
    cause.downcast_ref::<hyper::Error>().is_some_and(hyper::Error::is_parse_too_large)
}

impl fmt::Display for HttpFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.code.as_str(), self.message)
    }
}

impl Error for HttpFault {}

impl From<HttpFault> for Fault {
    fn from(fault: HttpFault) -> Self {
        Self::new(fault.code, fault.message)
    }
}

/// Why a client cannot be made of its options.
#[derive(Debug)]
pub enum HttpSetupError {
    /// An entry of `allow_private` or `allow_plain` is no host.
    Host(String),
    /// The extra roots are no certificates; the text says why.
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
