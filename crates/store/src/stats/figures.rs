//! The figures of some calls, from their records.

use std::collections::BTreeMap;

use aileron_contract::{AuditEntry, Outcome};

use super::distribution::Distribution;

/// Approximate number of characters per token.
const TOKEN_CHARS: u64 = 4;

/// The figures of some calls.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Figures {
    /// All calls, refused ones too.
    pub calls: u64,
    /// Calls whose handler was started.
    pub ran: u64,
    /// Calls whose handler answered without an error.
    pub succeeded: u64,
    /// Refused calls, by the policy that refused them.
    pub refused: BTreeMap<String, u64>,
    /// Milliseconds of the calls that ran.
    pub durations: Distribution,
    /// Result bytes of the calls that ran, where known.
    pub sizes: Distribution,
    /// Estimated tokens of all answers, refusals too: a quarter of their characters.
    /// For an answer too large to be recorded, bytes stand for characters.
    pub tokens: u64,
}

impl Figures {
    /// The part of the calls that ran which succeeded, from 0 to 1.
    pub fn success_rate(&self) -> Option<f64> {
        (self.ran > 0).then(|| self.succeeded as f64 / self.ran as f64)
    }

    pub(super) fn add(&mut self, entry: &AuditEntry) {
        self.calls += 1;
        self.tokens += tokens(entry);
        match &entry.outcome {
            Outcome::Refused(policy) => {
                *self.refused.entry(policy.to_string()).or_default() += 1;
            }
            Outcome::Denied | Outcome::Superseded | Outcome::Replayed => {}
            Outcome::Completed
            | Outcome::Cancelled
            | Outcome::TimedOut
            | Outcome::Panicked
            | Outcome::ProcessDied => self.add_run(entry),
        }
    }

    fn add_run(&mut self, entry: &AuditEntry) {
        let succeeded = entry.outcome == Outcome::Completed && entry.error.is_none();
        self.ran += 1;
        self.succeeded += u64::from(succeeded);
        // The duration of a call whose process died was not measured.
        if entry.outcome != Outcome::ProcessDied {
            self.durations.add(entry.duration);
        }
        entry.result_bytes.into_iter().for_each(|bytes| self.sizes.add(bytes));
    }
}

fn tokens(entry: &AuditEntry) -> u64 {
    let recorded = entry.result.as_ref().map(|result| result.to_string().chars().count() as u64);
    recorded.or(entry.result_bytes).unwrap_or_default().div_ceil(TOKEN_CHARS)
}
