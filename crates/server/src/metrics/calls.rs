//! Counters of calls, updated by an observer.

use std::sync::Arc;

use aileron_contract::{ConversationId, Outcome, ToolResponse};
use aileron_orchestrator::{ConfirmationOutcome, ConversationEvent, Observer};

use super::figure::{Counter, Histogram};
use crate::voice::{json_chars, tokens};

/// The call metrics of a server, shared with its observer.
pub type Metrics = Arc<CallMetrics>;

/// Outcomes of all calls of a server.
#[derive(Debug, Default)]
pub struct CallMetrics {
    pub completed: Counter,
    /// Completed with a success.
    pub succeeded: Counter,
    pub refused: Counter,
    pub denied: Counter,
    pub cancelled: Counter,
    pub timed_out: Counter,
    pub aborted: Counter,
    pub refused_by_loops: Counter,
    pub refused_by_budgets: Counter,
    /// Faults of handlers, rules and the store.
    pub defects: Counter,
    /// Intents of handlers that the state of the conversation did not allow.
    pub intents_refused: Counter,
    /// Calls that took longer than their tool's `latencyBudgetMs`.
    pub over_budget: Counter,
    pub confirmations_asked: Counter,
    pub confirmations_approved: Counter,
    pub confirmations_declined: Counter,
    pub confirmations_expired: Counter,
    pub duration_ms: Histogram,
    pub response_chars: Histogram,
    pub response_tokens: Histogram,
}

/// An observer that counts each event and passes it on.
#[derive(Debug)]
pub struct MeteredObserver {
    pub figures: Arc<CallMetrics>,
    pub inner: Arc<dyn Observer>,
}

impl Observer for MeteredObserver {
    fn on_event(&self, conversation: &ConversationId, event: ConversationEvent) {
        self.figures.count(&event);
        self.inner.on_event(conversation, event);
    }
}

impl CallMetrics {
    fn count(&self, event: &ConversationEvent) {
        match event {
            ConversationEvent::Answered { outcome, answer } => self.answered(outcome, answer),
            ConversationEvent::Defect { .. } => self.defects.add(1),
            ConversationEvent::IntentRefused { .. } => self.intents_refused.add(1),
            ConversationEvent::ConfirmationRequested(_) => self.confirmations_asked.add(1),
            ConversationEvent::ConfirmationClosed {
                how: ConfirmationOutcome::Approved, ..
            } => {
                self.confirmations_approved.add(1);
            }
            ConversationEvent::ConfirmationClosed {
                how: ConfirmationOutcome::Declined, ..
            } => {
                self.confirmations_declined.add(1);
            }
            ConversationEvent::ConfirmationClosed { how: ConfirmationOutcome::Expired, .. } => {
                self.confirmations_expired.add(1);
            }
            _ => {}
        }
    }

    fn answered(&self, outcome: &Outcome, answer: &ToolResponse) {
        match outcome {
            Outcome::Completed => self.completed.add(1),
            Outcome::Refused(by) => self.refused_by(by),
            Outcome::Denied | Outcome::Superseded => self.denied.add(1),
            // The first run was counted when it ran.
            Outcome::Replayed => return,
            Outcome::Cancelled => self.cancelled.add(1),
            Outcome::TimedOut => self.timed_out.add(1),
            Outcome::Panicked | Outcome::ProcessDied => self.aborted.add(1),
        }
        if answer.meta().over_budget {
            self.over_budget.add(1);
        }
        if let ToolResponse::Success { data, meta, .. } = answer {
            self.succeeded.add(1);
            self.duration_ms.record(meta.duration);
            let chars = json_chars(data);
            self.response_chars.record(chars as u64);
            self.response_tokens.record(tokens(chars));
        }
    }

    fn refused_by(&self, policy: &str) {
        self.refused.add(1);
        match policy {
            "loops" => self.refused_by_loops.add(1),
            "budgets" => self.refused_by_budgets.add(1),
            _ => {}
        }
    }

    /// The share of completed calls that succeeded.
    pub(super) fn success_rate(&self) -> f64 {
        let ran = self.executions();
        if ran == 0 { 1.0 } else { self.succeeded.count() as f64 / ran as f64 }
    }

    /// Calls whose handler ran.
    pub(super) fn executions(&self) -> u64 {
        let ran = [&self.completed, &self.cancelled, &self.timed_out, &self.aborted];
        ran.into_iter().map(Counter::count).sum()
    }
}
