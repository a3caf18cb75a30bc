//! The text contract: how the core asks a model for one reply without knowing
//! whose model it is.
//!
//! A request carries everything; a reply comes in pieces and ends with the message for the history.
//! How it is sent, and sent again, belongs to the transports; what calls do, to the core.

mod event;
mod message;

pub use event::{CompletedReply, FinishReason, ReplyEvent, ReplyFault};
pub use message::{ChatMessage, ProviderMessage, ReplyPart, ToolResultMessage};

use serde_json::Value;

/// What a model is asked.
#[derive(Debug, Clone, Copy)]
pub struct ModelRequest<'a> {
    pub instructions: &'a str,
    /// Each tool's declaration as the registry has it for this transport, sent unchanged.
    pub declarations: &'a [Value],
    /// Everything so far, the oldest first. It ends with what the model has not seen yet.
    pub messages: &'a [ChatMessage],
    pub tools: Tools,
}

/// Whether the model may make calls.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Tools {
    Offered,
    /// The model is to answer with what it has.
    Withheld,
}
