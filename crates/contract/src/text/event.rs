//! The events of a streamed reply.

use std::fmt;
use std::time::Duration;

use super::message::{ProviderMessage, ReplyPart};
use crate::call::ToolCall;
use crate::id::CallId;
use crate::transport::{Severity, Usage};

/// A piece of a reply.
#[derive(Debug, Clone, PartialEq)]
pub enum ReplyEvent {
    /// More text of the answer.
    Text(String),
    /// More text of the model's reasoning, if the provider sends it.
    Reasoning(String),
    /// The model has begun to write a call; its arguments are not complete.
    CallBegun { call_id: CallId, tool_id: String },
    /// A call is complete.
    Call(ToolCall),
    /// The last event of a completed reply.
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
    /// The answer was cut off at the maximum length.
    Length,
    /// The provider withheld the answer; the provider's reason.
    Refused(String),
}

/// Why there is no reply, or no more of it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ReplyFault {
    pub severity: Severity,
    /// The provider's code, or ours if it sent none.
    pub code: String,
    /// The provider's message. It may quote the request, so it is not shown to the person.
    pub message: String,
    /// The reason for the classification.
    pub reason: &'static str,
    /// The wait that the provider asks for (`Retry-After`).
    pub retry_after: Option<Duration>,
}

impl fmt::Display for ReplyFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {} ({})", self.code, self.message, self.reason)
    }
}

impl std::error::Error for ReplyFault {}
