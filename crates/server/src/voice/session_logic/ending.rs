//! The end of a session that a tool requested, directly or by blocking the person: when, and with which
//! messages.

use aileron_contract::intent::EndAfter;
use aileron_contract::{Intent, ToolResponse};
use serde_json::Value;

use super::action::ClosingMessages;

#[derive(Debug, Clone, Default)]
pub(crate) struct SessionEnding {
    /// The moment at which the session is to end.
    pub(super) after: Option<EndAfter>,
    /// The time at which it ends although that moment has not come.
    pub(super) deadline: Option<u64>,
    pub(super) blocked: bool,
    over: bool,
    pub(super) closing_messages: ClosingMessages,
    pub(super) farewell: Option<String>,
}

impl SessionEnding {
    pub(crate) fn is_blocked(&self) -> bool {
        self.blocked
    }

    pub(crate) fn due(&self) -> Option<u64> {
        self.deadline.filter(|_| !self.over)
    }

    pub(crate) fn is_overdue(&self, now: u64) -> bool {
        self.due().is_some_and(|due| now >= due)
    }

    /// Marks the session as ended. Returns false if it was already.
    pub(crate) fn end_once(&mut self) -> bool {
        !std::mem::replace(&mut self.over, true)
    }

    /// Keeps the messages of a tool that ends the session.
    pub(crate) fn keep_closing_messages(&mut self, answer: &ToolResponse) {
        let ToolResponse::Success { data, intents, .. } = answer else { return };
        if intents.iter().any(|intent| matches!(intent, Intent::EndVoiceSession { .. })) {
            let words = |name: &str| data.get(name).and_then(Value::as_str).map(str::to_owned);
            self.closing_messages = ClosingMessages {
                reason: words("reason"),
                closing_message: words("closingMessage"),
                text_response: words("textResponse"),
            };
        }
    }

    /// Keeps the farewell of a handler message that announces a block. Returns false for other messages.
    pub(crate) fn keep_farewell(&mut self, message: &Value) -> bool {
        let is_timeout = message.get("type").and_then(Value::as_str) == Some("timeout");
        if is_timeout {
            let farewell = message.get("farewellMessage").and_then(Value::as_str);
            self.farewell = farewell.map(str::to_owned);
        }
        is_timeout
    }
}
