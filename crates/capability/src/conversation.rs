//! The conversation as a handler sees it: a read-only view, messages to the person, and calls of
//! other tools. Never the conversation itself.

use std::fmt;

use aileron_contract::ToolResponse;
use futures_util::future::BoxFuture;
use serde_json::Value;

use super::{Answer, Caller};

/// The services of a conversation for its handlers.
pub trait ConversationAccess: Send + Sync + fmt::Debug {
    /// Whether the session is still open.
    fn is_active(&self) -> bool;

    /// The version of the toolset that the conversation began with.
    fn tools_version(&self) -> &str;

    /// The state: mode, voice session, suppressed output. A copy, so that a handler cannot change
    /// the conversation through it.
    fn state(&self) -> Value;

    /// Whether a voice session is active.
    fn voice_is_active(&self) -> bool;

    /// `messaging`: shows a message to the person.
    fn send(&self, caller: &Caller, message: Value) -> Answer<()>;

    /// `audit`: writes a note to the structured log, with the call.
    fn note(&self, caller: &Caller, event: &str, details: Value);

    /// A line the handler wrote to its console.
    fn log(&self, caller: &Caller, level: Level, text: &str);

    /// Reports the progress of the call to the person.
    fn progress(&self, caller: &Caller, update: Value);

    /// Shows a piece of the result to the person before the result is complete.
    fn partial(&self, caller: &Caller, data: Value);

    /// `tools`: the documentation of another tool, or the tools with the most similar names.
    fn documentation(&self, tool: &str) -> Result<String, Vec<String>>;

    /// `tools`: calls another tool through the same policies.
    fn call_tool(
        &self,
        caller: &Caller,
        tool: String,
        args: Value,
    ) -> BoxFuture<'static, ToolResponse>;
}

/// The level of a log line.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Level {
    Debug,
    Info,
    Warn,
    Error,
}
