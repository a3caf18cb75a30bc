//! The faults of a provider and their consequence for the connection.

use std::fmt;

use crate::id::CallId;

/// The consequence of a fault.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Severity {
    /// It can be ignored; the connection continues.
    Ignore,
    /// This connection is unusable; a new one may work.
    Retry,
    /// A retry would fail in the same way.
    Fatal,
}

/// A fault, classified.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ProviderFault {
    pub severity: Severity,
    /// The provider's code.
    pub code: String,
    /// The provider's message. It may quote the request, so it is not shown to the person.
    pub message: String,
    /// The reason for the classification.
    pub reason: &'static str,
    /// Its subject, if the provider names it.
    pub about: FaultSubject,
}

impl fmt::Display for ProviderFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {} ({})", self.code, self.message, self.reason)
    }
}

/// The command that a fault is about.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum FaultSubject {
    /// None in particular.
    Connection,
    Setup,
    Text,
    Audio,
    /// The result of this call was not accepted; it is sent again, as a late result.
    Result(CallId),
    /// A reply that was requested.
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
    /// The connection was lost without a close frame.
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
    /// The expected content.
    pub expected: &'static str,
    /// The found content.
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
