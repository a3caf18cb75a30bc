//! What the scripts together have to show, and whether a run showed what its script claims.

use std::collections::BTreeSet;
use std::sync::Arc;

use aileron_contract::{ErrorType, Outcome, ToolResponse};
use aileron_orchestrator::policy;
use aileron_script::Claim;

/// The rules of the pipeline, one name each: those of the table of policies, of confirmation, of
/// conversations and of what a tool may say about itself.
pub const ROWS: &[&str] = &[
    "availability",
    "batch-order",
    "budgets-batch",
    "budgets-text-retrieval",
    "budgets-text-total",
    "budgets-voice-retrieval",
    "budgets-voice-total",
    "cancel-call",
    "clamp",
    "confirm-asked-twice",
    "confirm-changed-arguments",
    "confirm-click",
    "confirm-decline",
    "confirm-expiry",
    "confirm-gates-again",
    "confirm-model-token",
    "confirm-not-yours",
    "confirm-once",
    "confirm-one-by-one",
    "confirm-restart",
    "confirm-same-response",
    "confirm-siblings",
    "confirm-speech-no",
    "confirm-speech-unclear",
    "confirm-speech-yes",
    "confirm-superseded",
    "confirm-when",
    "confirm-written-yes",
    "deadline-read",
    "deadline-write",
    "door-blocked",
    "door-ended",
    "duplicate-died-read",
    "duplicate-died-write",
    "duplicate-finished",
    "duplicate-in-message",
    "duplicate-no-budget",
    "duplicate-running",
    "duplicate-short-id",
    "intent-applied",
    "intent-refused",
    "interrupt-cancel",
    "interrupt-continue",
    "interrupt-detach",
    "interrupt-queued",
    "kb-missing",
    "kb-readers",
    "latency-soft",
    "loop-alternation",
    "loop-empty",
    "loop-error",
    "loop-identical",
    "loop-next-turn",
    "mode",
    "move-asked",
    "move-back",
    "move-budget",
    "move-by-person",
    "move-question",
    "move-running",
    "nested-call",
    "nested-denied",
    "not-yours",
    "other-mode",
    "permission",
    "rate-limit",
    "redacted",
    "registry-pinned",
    "result-cut-text",
    "result-cut-voice",
    "resume",
    "retries-not-idempotent",
    "retries-text",
    "retries-voice",
    "returns-broken",
    "rule-fails-closed",
];

/// Everything that at least one script has to claim.
pub fn required() -> BTreeSet<Claim> {
    let policies = policy::names().map(|name| Claim::Policy(name.to_owned()));
    let errors = ErrorType::ALL.iter().map(|kind| Claim::Error(kind.as_str().to_owned()));
    let outcomes = outcomes().map(|outcome| Claim::Outcome(outcome.word().to_owned()));
    let rows = ROWS.iter().map(|row| Claim::Row((*row).to_owned()));
    policies.chain(errors).chain(outcomes).chain(rows).collect()
}

fn outcomes() -> impl Iterator<Item = Outcome> {
    [
        Outcome::Completed,
        Outcome::refused_by("any"),
        Outcome::Cancelled,
        Outcome::TimedOut,
        Outcome::Denied,
        Outcome::Superseded,
        Outcome::Panicked,
        Outcome::ProcessDied,
    ]
    .into_iter()
}

/// What a run left behind.
#[derive(Debug, Default)]
pub struct Traces {
    pub answers: Vec<Arc<ToolResponse>>,
    pub outcomes: Vec<Outcome>,
}

impl Traces {
    /// Whether the run showed what is claimed.
    pub fn show(&self, claim: &Claim) -> bool {
        match claim {
            Claim::Policy(name) => self.met(name),
            Claim::Error(name) => self.has_error(name),
            Claim::Outcome(word) => self.outcomes.iter().any(|outcome| outcome.word() == word),
            Claim::Row(name) => ROWS.contains(&name.as_str()),
        }
    }

    /// Whether a policy had something to say. Two of them answer without refusing.
    fn met(&self, policy: &str) -> bool {
        let refused = format!("refused:{policy}");
        let answered = |answer: &ToolResponse| match policy {
            "duplicates" => answer.meta().replayed,
            "clamp" => !answer.meta().clamped.is_empty(),
            _ => false,
        };
        self.outcomes.iter().any(|outcome| outcome.to_string() == refused)
            || self.answers.iter().any(|answer| answered(answer))
    }

    fn has_error(&self, name: &str) -> bool {
        let failures = self.answers.iter().filter_map(|answer| answer.failure());
        failures.into_iter().any(|failure| failure.kind.as_str() == name)
    }
}
