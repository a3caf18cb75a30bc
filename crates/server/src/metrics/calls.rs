//! Counters of calls, by tool, policy and confirmation.

use std::sync::atomic::{AtomicU32, Ordering};

use aileron_contract::{Outcome, ToolResponse};
use aileron_orchestrator::{ConfirmationOutcome, ConversationEvent, PolicyName};

use super::figure::{Counter, Histogram};
use super::tools::{ToolFigures, ToolTable, outcome_index};
use crate::voice::{json_chars, tokens};

/// Outcomes of all calls of a server.
#[derive(Debug, Default)]
pub struct CallMetrics {
    pub(super) tools: ToolTable,
    refusals: [Counter; PolicyName::COUNT],
    /// Faults of handlers, rules and the store.
    pub defects: Counter,
    /// Intents of handlers that the state of the conversation did not allow.
    pub intents_refused: Counter,
    /// Calls that took longer than their tool's `latencyBudgetMs`.
    pub over_budget: Counter,
    pub confirmations: ConfirmationCounts,
    /// Of each call whose handler ran.
    pub duration_ms: Histogram,
    pub response_chars: Histogram,
    pub response_tokens: Histogram,
    /// The current step of the time series.
    step: AtomicU32,
}

/// Confirmations by state.
#[derive(Debug, Default)]
pub struct ConfirmationCounts {
    pub asked: Counter,
    pub approved: Counter,
    pub declined: Counter,
    pub expired: Counter,
    pub superseded: Counter,
}

impl ConfirmationCounts {
    fn of(&self, how: ConfirmationOutcome) -> &Counter {
        match how {
            ConfirmationOutcome::Approved => &self.approved,
            ConfirmationOutcome::Declined => &self.declined,
            ConfirmationOutcome::Expired => &self.expired,
            ConfirmationOutcome::Superseded => &self.superseded,
        }
    }

    /// Each count with its label.
    pub(super) fn all(&self) -> [(&'static str, u64); 5] {
        let Self { asked, approved, declined, expired, superseded } = self;
        [
            ("asked", asked.count()),
            ("approved", approved.count()),
            ("declined", declined.count()),
            ("expired", expired.count()),
            ("superseded", superseded.count()),
        ]
    }
}

impl CallMetrics {
    pub(super) fn count(&self, event: &ConversationEvent) {
        match event {
            ConversationEvent::Answered { outcome, answer } => self.answered(outcome, answer),
            ConversationEvent::Defect { .. } => self.defects.add(1),
            ConversationEvent::IntentRefused { .. } => self.intents_refused.add(1),
            ConversationEvent::ConfirmationRequested(_) => self.confirmations.asked.add(1),
            ConversationEvent::ConfirmationClosed { how, .. } => self.confirmations.of(*how).add(1),
            _ => {}
        }
    }

    fn answered(&self, outcome: &Outcome, answer: &ToolResponse) {
        let Some(index) = outcome_index(outcome) else { return };
        let meta = answer.meta();
        // Only a tool that exists has a version.
        let tool = match &meta.tool_version {
            Some(_) => self.tools.of(&meta.tool_id),
            None => self.tools.other(),
        };
        tool.outcomes[index].add(1);
        if let Outcome::Refused(policy) = outcome
            && let Some(policy) = PolicyName::parse(policy)
        {
            self.refusals[policy as usize].add(1);
        }
        if meta.over_budget {
            self.over_budget.add(1);
            tool.over_budget.add(1);
        }
        if meta.attempts > 0 {
            self.duration_ms.record(meta.duration);
            tool.ran(meta.duration, self.step.load(Ordering::Relaxed));
        }
        if let ToolResponse::Success { data, .. } = answer {
            self.succeeded(tool, json_chars(data));
        }
    }

    fn succeeded(&self, tool: &ToolFigures, chars: usize) {
        tool.succeeded.add(1);
        let tokens = tokens(chars);
        self.response_chars.record(chars as u64);
        self.response_tokens.record(tokens);
        tool.responded(chars as u64, tokens, self.step.load(Ordering::Relaxed));
    }

    /// Values are recorded in this step of the time series from here on.
    pub(super) fn set_step(&self, step: u32) {
        self.step.store(step, Ordering::Relaxed);
    }

    /// Refusals of each policy.
    pub(super) fn refusals(&self) -> impl Iterator<Item = (&'static str, u64)> {
        let policies = PolicyName::all().zip(&self.refusals);
        policies.map(|(policy, count)| (policy.as_str(), count.count()))
    }

    pub(super) fn refused_by(&self, policy: PolicyName) -> u64 {
        self.refusals[policy as usize].count()
    }

    /// The calls of all tools with an outcome of these labels.
    pub(super) fn with_outcome(&self, labels: &[&str]) -> u64 {
        let tools =
            self.tools.all().flat_map(|tool| super::tools::OUTCOMES.iter().zip(&tool.outcomes));
        tools.filter(|(label, _)| labels.contains(label)).map(|(_, count)| count.count()).sum()
    }

    /// The share of executed calls that succeeded.
    pub(super) fn success_rate(&self) -> f64 {
        let succeeded: u64 = self.tools.all().map(|tool| tool.succeeded.count()).sum();
        match self.executions() {
            0 => 1.0,
            ran => succeeded as f64 / ran as f64,
        }
    }

    /// Calls whose handler ran.
    pub(super) fn executions(&self) -> u64 {
        self.with_outcome(&["completed", "cancelled", "timed_out", "aborted"])
    }
}
