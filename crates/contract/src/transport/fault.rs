//! What can go wrong with a provider, and what that means for the connection.

use std::fmt;

use crate::id::CallId;

/// What a fault means.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Severity {
    /// It can be passed over; the connection goes on.
    Ignore,
    /// This connection is of no more use, another one may be.
    Retry,
    /// Trying again would end the same way.
    Fatal,
}

/// A fault, classified.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ProviderFault {
    pub severity: Severity,
    /// The provider's own code.
    pub code: String,
    /// The provider's own words. They may quote what was sent, so they are not for the person.
    pub message: String,
    /// Why it is classified as it is.
    pub reason: &'static str,
    /// What it is about, where the provider says so.
    pub about: FaultSubject,
}

impl fmt::Display for ProviderFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {} ({})", self.code, self.message, self.reason)
    }
}

/// Which of our commands a fault is about.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum FaultSubject {
    /// None in particular.
    Connection,
    Setup,
    Text,
    Audio,
    /// The answer to this call was not taken; it is told once more, as a late result.
    Result(CallId),
    /// A reply that was asked for.
    Reply,
    Say,
    Interrupt,
    Truncate,
}

/// How a connection ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CloseCode {
    /// The code of the WebSocket's close frame.
    Code(u16),
    /// The socket went away without a word.
    Missing,
    /// The connection was never made; the server answered with this HTTP status.
    Http(u16),
}

impl fmt::Display for CloseCode {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Code(code) => write!(f, "close {code}"),
            Self::Missing => f.write_str("dropped"),
            Self::Http(status) => write!(f, "http {status}"),
        }
    }
}

/// Why a frame cannot be read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FrameError {
    /// What should have been there.
    pub expected: &'static str,
    /// What is there instead.
    pub found: String,
}

impl FrameError {
    pub fn new(expected: &'static str, found: impl fmt::Display) -> Self {
        Self { expected, found: found.to_string() }
    }
}

impl fmt::Display for FrameError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "expected {}, found {}; the frame was passed over", self.expected, self.found)
    }
}

impl std::error::Error for FrameError {}
