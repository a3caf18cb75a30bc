//! Effects of a conversation's state on its voice session: a scheduled end, and a block.

use aileron_contract::intent::EndAfter;
use aileron_contract::transport::TurnEnd;
use aileron_orchestrator::state::{StateEffect, StateEvent};

use super::VoiceSessionLogic;
use super::action::{SessionEnd, VoiceAction};
use crate::voice::protocol::{SessionEndReason, VoiceServerMessage};

/// How long an end waits for the results of the last calls.
const LAST_RESULTS_MS: u64 = 5000;

/// How long after a block a tool may still request a farewell.
const FAREWELL_REQUEST_MS: u64 = 1000;

const BLOCKED: &str = "This conversation is paused.";

impl VoiceSessionLogic {
    /// A change of the conversation's state has an effect on the session.
    pub(crate) fn on_effect(&mut self, effect: StateEffect, now: u64) {
        match effect {
            StateEffect::EndVoice { after } => self.schedule_end(after, now),
            StateEffect::BlockUser { until } => self.on_blocked(until, now),
            StateEffect::Nothing
            | StateEffect::StartVoice
            | StateEffect::SuppressAudio { .. }
            | StateEffect::SuppressTranscript { .. } => {}
        }
    }

    fn schedule_end(&mut self, after: EndAfter, now: u64) {
        self.ending.after = Some(after);
        let wait = match after {
            EndAfter::Immediate => LAST_RESULTS_MS,
            EndAfter::CurrentTurn | EndAfter::FarewellSpoken => self.limits.farewell_ms,
        };
        self.ending.deadline = Some(now + wait);
        self.end_if_answered();
    }

    /// Informs the client at once. The session ends after the farewell if a tool requests one.
    fn on_blocked(&mut self, until: u64, now: u64) {
        self.ending.blocked = true;
        let farewell_message = self.ending.farewell.take().unwrap_or_else(|| BLOCKED.to_owned());
        self.send_message(VoiceServerMessage::Timeout {
            duration_seconds: until.saturating_sub(now).div_ceil(1000),
            timeout_until: until,
            farewell_message,
        });
        if self.ending.after.is_none() {
            let wait = if self.calls.has_open() { LAST_RESULTS_MS } else { FAREWELL_REQUEST_MS };
            self.ending.deadline = Some(now + wait);
        }
    }

    /// The model's turn ended. A scheduled end may have waited for that.
    pub(super) fn end_after_turn(&mut self, end: &TurnEnd) {
        if self.calls.has_open() {
            return;
        }
        match self.ending.after {
            Some(EndAfter::CurrentTurn) => {
                self.push_action(VoiceAction::ApplyStateEvent(StateEvent::TurnComplete));
            }
            Some(EndAfter::FarewellSpoken) if *end != TurnEnd::Interrupted => {
                self.push_action(VoiceAction::ApplyStateEventWhenSent(StateEvent::FarewellSpoken));
            }
            Some(EndAfter::FarewellSpoken | EndAfter::Immediate) | None => {}
        }
    }

    /// Performs an immediate end, or a block without a farewell, once the model has the results of its calls.
    pub(super) fn end_if_answered(&mut self) {
        let at_once = match self.ending.after {
            Some(after) => after == EndAfter::Immediate,
            None => self.ending.blocked,
        };
        if at_once && !self.calls.has_open() {
            self.end_by_tool();
        }
    }

    /// The scheduled end is overdue.
    pub(super) fn end_overdue(&mut self) {
        match self.ending.after {
            Some(EndAfter::CurrentTurn | EndAfter::FarewellSpoken) => {
                self.ending.deadline = None;
                self.push_action(VoiceAction::ApplyStateEvent(StateEvent::EndOverdue));
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
