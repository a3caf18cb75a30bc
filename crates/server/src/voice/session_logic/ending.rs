//! How a session comes to its end: a tool asks for it, or has the person blocked.

use aileron_contract::intent::EndAfter;
use aileron_contract::transport::TurnEnd;
use aileron_contract::{Intent, ToolResponse};
use aileron_orchestrator::state::{StateEffect, StateEvent};
use serde_json::Value;

use super::{ClosingMessages, SessionEnd, VoiceAction, VoiceSessionLogic};
use crate::voice::protocol::{SessionEndReason, VoiceServerMessage};

/// How long answers to the last calls are waited for.
const LAST_ANSWERS_MS: u64 = 5000;

/// How long a farewell may still be asked for after a block.
const LAST_WORD_MS: u64 = 1000;

const BLOCKED: &str = "This conversation is paused.";

#[derive(Debug, Clone, Default)]
pub(crate) struct SessionEnding {
    /// When the session is to end.
    after: Option<EndAfter>,
    /// When that is overdue.
    overdue: Option<u64>,
    blocked: bool,
    over: bool,
    closing_messages: ClosingMessages,
    farewell: Option<String>,
}

impl SessionEnding {
    pub(crate) fn is_blocked(&self) -> bool {
        self.blocked
    }

    pub(crate) fn due(&self) -> Option<u64> {
        self.overdue.filter(|_| !self.over)
    }

    pub(crate) fn is_overdue(&self, now: u64) -> bool {
        self.due().is_some_and(|due| now >= due)
    }

    /// Says whether this is the first end.
    pub(crate) fn end_once(&mut self) -> bool {
        !std::mem::replace(&mut self.over, true)
    }

    /// A tool that ends the session may leave words on the page.
    pub(crate) fn remember(&mut self, answer: &ToolResponse) {
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

    /// A handler's announcement of a block has the farewell; says whether it was one.
    pub(crate) fn announce(&mut self, message: &Value) -> bool {
        let is_timeout = message.get("type").and_then(Value::as_str) == Some("timeout");
        if is_timeout {
            let farewell = message.get("farewellMessage").and_then(Value::as_str);
            self.farewell = farewell.map(str::to_owned);
        }
        is_timeout
    }
}

impl VoiceSessionLogic {
    /// The state of the conversation changed.
    pub(crate) fn on_effect(&mut self, effect: StateEffect, now: u64) {
        match effect {
            StateEffect::EndVoice { after } => self.ends(after, now),
            StateEffect::BlockUser { until } => self.blocked(until, now),
            StateEffect::Nothing
            | StateEffect::StartVoice
            | StateEffect::SuppressAudio { .. }
            | StateEffect::SuppressTranscript { .. } => {}
        }
    }

    fn ends(&mut self, after: EndAfter, now: u64) {
        self.ending.after = Some(after);
        let patience = match after {
            EndAfter::Immediate => LAST_ANSWERS_MS,
            EndAfter::CurrentTurn | EndAfter::FarewellSpoken => self.limits.farewell_ms,
        };
        self.ending.overdue = Some(now + patience);
        self.end_if_answered();
    }

    /// The client is told at once. The session ends with the farewell if there is to be one.
    fn blocked(&mut self, until: u64, now: u64) {
        self.ending.blocked = true;
        let farewell_message = self.ending.farewell.take().unwrap_or_else(|| BLOCKED.to_owned());
        self.tell(VoiceServerMessage::Timeout {
            duration_seconds: until.saturating_sub(now).div_ceil(1000),
            timeout_until: until,
            farewell_message,
        });
        if self.ending.after.is_none() {
            let patience = if self.calls.has_open() { LAST_ANSWERS_MS } else { LAST_WORD_MS };
            self.ending.overdue = Some(now + patience);
        }
    }

    /// The model's turn ended, which an end may have waited for.
    pub(super) fn turn_ended(&mut self, end: &TurnEnd) {
        if self.calls.has_open() {
            return;
        }
        match self.ending.after {
            Some(EndAfter::CurrentTurn) => {
                self.act(VoiceAction::ApplyStateEvent(StateEvent::TurnComplete));
            }
            Some(EndAfter::FarewellSpoken) if *end != TurnEnd::Interrupted => {
                self.act(VoiceAction::ApplyStateEventWhenSent(StateEvent::FarewellSpoken));
            }
            Some(EndAfter::FarewellSpoken | EndAfter::Immediate) | None => {}
        }
    }

    /// The model has all answers.
    pub(super) fn calls_answered(&mut self) {
        self.end_if_answered();
    }

    /// An end at once still lets the model have its answers. One who was blocked without a farewell
    /// is not talked to any more.
    fn end_if_answered(&mut self) {
        let at_once = match self.ending.after {
            Some(after) => after == EndAfter::Immediate,
            None => self.ending.blocked,
        };
        if at_once && !self.calls.has_open() {
            self.end_by_tool();
        }
    }

    pub(super) fn overdue(&mut self) {
        match self.ending.after {
            Some(EndAfter::CurrentTurn | EndAfter::FarewellSpoken) => {
                self.ending.overdue = None;
                self.act(VoiceAction::ApplyStateEvent(StateEvent::EndOverdue));
            }
            Some(EndAfter::Immediate) | None => self.end_by_tool(),
        }
    }

    fn end_by_tool(&mut self) {
        let reason =
            if self.ending.blocked { SessionEndReason::Blocked } else { SessionEndReason::Tool };
        let closing_messages = std::mem::take(&mut self.ending.closing_messages);
        self.end(SessionEnd { reason, closing_messages });
    }
}
