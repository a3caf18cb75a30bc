//! The audit steps: the records, and the rules for every log.

use aileron_contract::{AuditEntry, CallId, Outcome};
use aileron_script::{Script, ScriptClaim};
use aileron_store::AuditFilter;
use serde_json::json;

use super::{Run, RunResult};
use crate::check::FailedExpectation;

/// The prefix of the id of an approved call, before its random part.
const CONFIRMED: &str = "confirmed-";

impl Run {
    /// Compares the records since the last comparison.
    pub(super) async fn records(
        &mut self,
        line: usize,
        wanted: &[String],
    ) -> Result<(), FailedExpectation> {
        let all = self.entries().await;
        let fresh: Vec<_> = all.iter().skip(self.records_seen).map(shown).collect();
        self.records_seen = all.len();
        FailedExpectation::unless_same(line, &wanted.join(", "), &fresh.join(", "))
    }

    /// The outcome in the newest record of a call.
    pub(super) async fn outcome(&self, call: &CallId) -> Option<String> {
        let entries = self.entries().await;
        let newest = entries.iter().rev().find(|entry| entry.call_id == *call);
        newest.map(|entry| entry.outcome.to_string())
    }

    /// Checks that a text is in no record and no event.
    pub(super) fn nowhere(&self, line: usize, text: &str) -> Result<(), FailedExpectation> {
        let registry = self.conversation.registry();
        let redact =
            |tool: &str| registry.tool(tool).is_some_and(|it| !it.spec().redact.is_empty());
        let told = self.observer.full(redact);
        let records = self.store.audit(AuditFilter::default());
        let recorded = records.map(|record| json!(record.unwrap()).to_string());
        let mut everything = told.lines().map(str::to_owned).chain(recorded);
        match everything.find(|one| one.contains(text)) {
            Some(found) => {
                Err(FailedExpectation::new(line, format!("nothing with {text:?}"), found))
            }
            None => Ok(()),
        }
    }

    /// Checks the rules for the end of every script, and its claims.
    pub async fn end(mut self, script: &Script) -> Result<RunResult, FailedExpectation> {
        let end = script.steps.last().map_or(1, |step| step.line);
        if !self.started.is_empty() {
            return Err(FailedExpectation::new(
                end,
                "`model gets` for every `model starts`",
                "fewer",
            ));
        }
        let entries = self.entries().await;
        self.check_counts(end, &entries)?;
        self.store.verify_audit().map_err(|error| {
            FailedExpectation::new(end, "a whole chain of records", error.to_string())
        })?;
        self.traces.entries.clone_from(&entries);
        self.traces.events = self.observer.lines();
        self.traces.words = self.played.iter().flat_map(|played| played.words.clone()).collect();
        let missing: Vec<&ScriptClaim> =
            script.covers.iter().filter(|claim| !self.traces.show(claim)).collect();
        if missing.is_empty() {
            return Ok(RunResult { played: self.played, events: self.observer.events(), entries });
        }
        Err(FailedExpectation::new(
            1,
            "that the run shows what `covers` claims",
            format!("not {missing:?}"),
        ))
    }

    /// Every answered call has a record, unless it still runs as a task, and none has more records than
    /// its own answers. A replayed or unanswered call is recorded as such.
    fn check_counts(&self, line: usize, entries: &[AuditEntry]) -> Result<(), FailedExpectation> {
        let answers = &self.traces.answers;
        for call in answers.iter().map(|answer| &answer.meta().call_id) {
            let same = || answers.iter().filter(|answer| answer.meta().call_id == *call);
            let own = same().filter(|answer| !answer.meta().replayed).count();
            let is_task = same().all(|answer| answer.meta().task.is_some());
            let records = || entries.iter().filter(|entry| entry.call_id == *call);
            let own_records = records().filter(|entry| is_own(&entry.outcome)).count();
            if (records().count() == 0 && !is_task) || (own > 0 && own_records > own) {
                let found = format!("{own_records} records and {own} answers of {call}");
                return Err(FailedExpectation::new(line, "one record for each call", found));
            }
        }
        Ok(())
    }

    async fn entries(&self) -> Vec<AuditEntry> {
        self.store.flush().await.unwrap();
        self.store.audit(AuditFilter::default()).map(|record| record.unwrap().entry).collect()
    }
}

/// Whether a call with this outcome was answered itself, not by a replay.
fn is_own(outcome: &Outcome) -> bool {
    !matches!(outcome, Outcome::Replayed | Outcome::ProcessDied)
}

/// Call id and outcome; the random part of the id of an approved call is left out.
fn shown(entry: &AuditEntry) -> String {
    let id = entry.call_id.as_str();
    let id = match id.strip_prefix(CONFIRMED) {
        Some(rest) => format!("confirmed{}", rest.find('.').map_or("", |dot| &rest[dot..])),
        None => id.to_owned(),
    };
    format!("{id} {}", entry.outcome)
}
