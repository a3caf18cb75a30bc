//! The conversation as a handler sees it: a read-only view, a way to the
//! person, and the way to other tools. Never the conversation itself.

use std::fmt;

use aileron_contract::ToolResponse;
use futures_util::future::BoxFuture;
use serde_json::Value;

use super::{Answer, Caller};

/// What the conversation offers to the handlers it runs.
pub trait ConversationAccess: Send + Sync + fmt::Debug {
    /// Whether the session is still open.
    fn is_active(&self) -> bool;

    /// The version of the toolset that the conversation began with.
    fn tools_version(&self) -> &str;

    /// What the state controller knows: mode, voice session, what is suppressed. A copy, so that nothing a handler does
    /// to it changes the conversation.
    fn state(&self) -> Value;

    /// Whether the person and the agent are talking.
    fn voice_is_active(&self) -> bool;

    /// `messaging`: shows something to the person.
    fn send(&self, caller: &Caller, message: Value) -> Answer<()>;

    /// `audit`: a note that goes to the structured log with the call.
    fn note(&self, caller: &Caller, event: &str, details: Value);

    /// A line the handler wrote to its console.
    fn log(&self, caller: &Caller, level: Level, text: &str);

    /// How far the call has come, for the person.
    fn progress(&self, caller: &Caller, update: Value);

    /// `tools`: what another tool says of itself to a model, or the tools that are named most like it.
    fn documentation(&self, tool: &str) -> Result<String, Vec<String>>;

    /// `tools`: calls another tool through the same gate.
    fn call_tool(
        &self,
        caller: &Caller,
        tool: String,
        args: Value,
    ) -> BoxFuture<'static, ToolResponse>;
}

/// How loud a log line is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Level {
    Debug,
    Info,
    Warn,
    Error,
}
