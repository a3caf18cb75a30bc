//! The text contract: how the core asks a model for one reply without knowing
//! whose model it is.
//!
//! A request carries everything; a reply comes in pieces and ends with the message for the history.
//! The transports send and retry requests; the core executes calls.

mod event;
mod message;

pub use event::{CompletedReply, FinishReason, ReplyEvent, ReplyFault};
pub use message::{ChatMessage, ProviderMessage, ReplyPart, ToolResultMessage};

use serde_json::Value;

/// A request to a model.
#[derive(Debug, Clone, Copy)]
pub struct ModelRequest<'a> {
    pub instructions: &'a str,
    /// Each tool's declaration as the registry has it for this transport, sent unchanged.
    pub declarations: &'a [Value],
    /// Everything so far, the oldest first. The last messages are those that the model has not
    /// seen.
    pub messages: &'a [ChatMessage],
    pub tools: Tools,
}

/// Whether the model may make calls.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Tools {
    Offered,
    /// Calls are disabled; the model must answer.
    Withheld,
}
