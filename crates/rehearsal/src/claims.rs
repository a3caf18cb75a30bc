//! The behaviour that the scripts together must cover, and whether a run shows what its script
//! claims.

use std::collections::BTreeSet;
use std::sync::Arc;

use aileron_contract::envelope::Failure;
use aileron_contract::redact::REDACTED;
use aileron_contract::{AuditEntry, ErrorType, Mode, Outcome, ToolResponse};
use aileron_orchestrator::policy;
use aileron_script::ScriptClaim;
use serde_json::{Value, json};

use crate::rows::ROWS;

/// Everything that at least one script must claim.
pub fn required() -> BTreeSet<ScriptClaim> {
    let policies = policy::names().map(|name| ScriptClaim::Policy(name.to_owned()));
    let errors = ErrorType::ALL.iter().map(|kind| ScriptClaim::Error(kind.as_str().to_owned()));
    let outcomes = outcomes().map(|outcome| ScriptClaim::Outcome(outcome.word().to_owned()));
    let rows = ROWS.iter().map(|(row, _)| ScriptClaim::Row((*row).to_owned()));
    policies.chain(errors).chain(outcomes).chain(rows).collect()
}

fn outcomes() -> impl Iterator<Item = Outcome> {
    [
        Outcome::Completed,
        Outcome::refused_by("any"),
        Outcome::Replayed,
        Outcome::Cancelled,
        Outcome::TimedOut,
        Outcome::Denied,
        Outcome::Superseded,
        Outcome::Panicked,
        Outcome::ProcessDied,
    ]
    .into_iter()
}

/// An observation of a run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Observation {
    /// A policy refused a call.
    Refused(&'static str),
    /// A record has this outcome.
    Recorded(&'static str),
    /// A call that a tool made has a record with this outcome.
    Inner(&'static str),
    /// A call was made at this nesting depth.
    Deep(usize),
    /// The model received an error of this type.
    Failed(&'static str),
    /// The message of an error contains this text.
    Said(&'static str),
    /// `meta` of an answer has this field, and it is not empty.
    Meta(&'static str),
    /// An answer took this many attempts, and no answer took more.
    Attempts(u32),
    /// The data of an answer has something at this pointer.
    Data(&'static str),
    /// Events that contain these texts came in this order.
    InOrder(&'static [&'static str]),
    /// One event contains the text, and no more.
    Once(&'static str),
    /// A confirmation, or opening the conversation, ended with this word.
    Ended(&'static str),
    /// A call was made in this mode.
    In(Mode),
    /// A call ran after one that this policy refused.
    AgainAfter(&'static str),
    /// A record has redacted values.
    Redacted,
}

/// The results of a run.
#[derive(Debug, Default)]
pub struct Traces {
    pub answers: Vec<Arc<ToolResponse>>,
    pub entries: Vec<AuditEntry>,
    /// The events, as lines.
    pub events: Vec<String>,
    /// How confirmations ended, and the results of opening the conversation.
    pub words: Vec<&'static str>,
}

impl Traces {
    /// Whether the run shows the claim.
    pub fn show(&self, claim: &ScriptClaim) -> bool {
        match claim {
            ScriptClaim::Policy(name) => self.decided_by(name),
            ScriptClaim::Error(name) => self.has_error(name),
            ScriptClaim::Outcome(word) => self.records().any(|entry| entry.outcome.word() == word),
            ScriptClaim::Row(name) => {
                let row = ROWS.iter().find(|(row, _)| row == name);
                row.is_some_and(|(_, signs)| signs.iter().all(|sign| self.has(*sign)))
            }
        }
    }

    fn has(&self, sign: Observation) -> bool {
        match sign {
            Observation::Refused(policy) => self.has_refused(policy),
            Observation::Recorded(outcome) => self.records().any(|entry| is(entry, outcome)),
            Observation::Inner(outcome) => self.inner().any(|entry| is(entry, outcome)),
            Observation::Deep(depth) => self.inner().any(|entry| depth_of(entry) == depth),
            Observation::Failed(kind) => self.has_error(kind),
            Observation::Said(words) => {
                self.failures().any(|failure| failure.message.contains(words))
            }
            Observation::Meta(field) => self.answers.iter().any(|answer| is_set(answer, field)),
            Observation::Attempts(times) => {
                self.answers.iter().map(|answer| answer.meta().attempts).max() == Some(times)
            }
            Observation::Data(pointer) => {
                self.answers.iter().any(|answer| has_data(answer, pointer))
            }
            Observation::InOrder(texts) => self.came_in_order(texts),
            Observation::Once(text) => {
                self.events.iter().filter(|line| line.contains(text)).count() == 1
            }
            Observation::Ended(word) => self.words.contains(&word),
            Observation::In(mode) => self.records().any(|entry| entry.mode == mode),
            Observation::AgainAfter(policy) => self.refusals(policy).any(|refused| {
                let later = |entry: &&AuditEntry| {
                    (entry.turn, entry.time) > (refused.turn, refused.time)
                        && entry.tool_id == refused.tool_id
                };
                self.records().filter(later).any(|entry| is(entry, "completed"))
            }),
            Observation::Redacted => {
                self.records().any(|entry| entry.args.to_string().contains(REDACTED))
            }
        }
    }

    fn records(&self) -> impl Iterator<Item = &AuditEntry> {
        self.entries.iter()
    }

    /// The records of calls that tools made.
    fn inner(&self) -> impl Iterator<Item = &AuditEntry> {
        let own = |entry: &&AuditEntry| !entry.call_id.as_str().starts_with("confirmed-");
        self.records().filter(own).filter(|entry| depth_of(entry) > 0)
    }

    fn refusals(&self, policy: &str) -> impl Iterator<Item = &AuditEntry> {
        let refused = format!("refused:{policy}");
        self.records().filter(move |entry| is(entry, &refused))
    }

    fn failures(&self) -> impl Iterator<Item = &Failure> {
        self.answers.iter().filter_map(|answer| answer.failure())
    }

    fn came_in_order(&self, texts: &[&str]) -> bool {
        let mut lines = self.events.iter();
        texts.iter().all(|text| lines.any(|line| line.contains(text)))
    }

    /// Whether a policy decided about a call. Two of them answer without refusing.
    fn decided_by(&self, policy: &str) -> bool {
        let answered = match policy {
            "duplicates" => self.has(Observation::Meta("replayed")),
            "clamp" => self.has(Observation::Meta("clamped")),
            _ => false,
        };
        answered || self.has_refused(policy)
    }

    fn has_refused(&self, policy: &str) -> bool {
        self.refusals(policy).next().is_some()
    }

    fn has_error(&self, name: &str) -> bool {
        self.failures().any(|failure| failure.kind.as_str() == name)
    }
}

fn is(entry: &AuditEntry, outcome: &str) -> bool {
    entry.outcome.to_string() == outcome
}

/// The nesting depth of a call.
fn depth_of(entry: &AuditEntry) -> usize {
    entry.call_id.as_str().matches('.').count()
}

fn is_set(answer: &ToolResponse, field: &str) -> bool {
    match &json!(answer.meta())[field] {
        Value::Null | Value::Bool(false) => false,
        Value::Array(items) => !items.is_empty(),
        _ => true,
    }
}

fn has_data(answer: &ToolResponse, pointer: &str) -> bool {
    match answer {
        ToolResponse::Success { data, .. } => data.pointer(pointer).is_some(),
        ToolResponse::Failure { .. } => false,
    }
}

#[cfg(test)]
#[path = "claims_tests.rs"]
mod tests;
