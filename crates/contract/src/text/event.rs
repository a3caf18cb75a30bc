//! What comes of a request, piece by piece.

use std::fmt;
use std::time::Duration;

use super::message::{ProviderMessage, ReplyPart};
use crate::call::ToolCall;
use crate::id::CallId;
use crate::transport::{Severity, Usage};

/// A piece of a reply.
#[derive(Debug, Clone, PartialEq)]
pub enum ReplyEvent {
    /// More words of the answer.
    Text(String),
    /// More words of how the model gets there, where the provider shows them.
    Reasoning(String),
    /// The model has begun to write a call. Its arguments are not there yet.
    CallBegun { call_id: CallId, tool_id: String },
    /// A call is complete.
    Call(ToolCall),
    /// The last event of a reply that came to its end.
    Done(CompletedReply),
}

/// A whole reply.
#[derive(Debug, Clone, PartialEq)]
pub struct CompletedReply {
    pub parts: Vec<ReplyPart>,
    pub original: Option<ProviderMessage>,
    pub ending: FinishReason,
    pub usage: Usage,
}

impl CompletedReply {
    /// The calls, in their order.
    pub fn calls(&self) -> impl Iterator<Item = &ToolCall> {
        self.parts.iter().filter_map(|part| match part {
            ReplyPart::Call { call } => Some(call),
            ReplyPart::Text { .. } | ReplyPart::Reasoning { .. } => None,
        })
    }
}

/// How a reply ended.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum FinishReason {
    /// The model has answered.
    Answered,
    /// The model waits for the results of its calls.
    Calls,
    /// The answer was cut off at the longest length.
    Length,
    /// The provider withheld the answer; its own word for why.
    Refused(String),
}

/// Why there is no reply, or no more of it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ReplyFault {
    pub severity: Severity,
    /// The provider's own code, or ours where it sent none.
    pub code: String,
    /// The provider's own words. They may quote what was sent, so they are not for the person.
    pub message: String,
    /// Why it is classified as it is.
    pub reason: &'static str,
    /// How long the provider asks to be left alone.
    pub retry_after: Option<Duration>,
}

impl fmt::Display for ReplyFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {} ({})", self.code, self.message, self.reason)
    }
}

impl std::error::Error for ReplyFault {}
