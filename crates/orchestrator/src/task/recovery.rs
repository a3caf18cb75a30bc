//! Decides what happens to a task that no longer runs where it began. Pure: the ledger's view of its
//! call in, the consequence out.

use std::sync::Arc;

use aileron_contract::ToolResponse;
use aileron_store::CallStatus;

/// A task younger than this may be in the store before its call is in the ledger.
const SETTLING_MS: u64 = 5000;

/// The facts about a task that has not ended.
#[derive(Debug)]
pub(super) struct TaskFacts {
    /// The status of its call; `None` if the ledger does not have it.
    pub(super) status: Option<CallStatus>,
    pub(super) writes: bool,
    pub(super) cancel_requested: bool,
    /// How often it was started, and may be at most.
    pub(super) runs: u32,
    pub(super) max_runs: u32,
    pub(super) age_ms: u64,
}

/// The consequence for the task.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Recovery {
    /// It runs, here or in another process.
    Leave,
    /// Its call has ended, and the process died before it stored the end of the task.
    EndWith(Arc<ToolResponse>),
    /// It began to write; whether it took effect is not known.
    OutcomeUnknown,
    /// It only read, and the person cancelled it.
    Cancel,
    /// It only read, and was begun as often as it may be.
    GiveUp,
    /// It only read.
    RunAgain,
}

impl TaskFacts {
    pub(super) fn recovery(self) -> Recovery {
        match self.status {
            Some(CallStatus::Running(_) | CallStatus::RunningElsewhere) => Recovery::Leave,
            Some(CallStatus::Finished(answer)) => Recovery::EndWith(answer),
            None if self.age_ms < SETTLING_MS => Recovery::Leave,
            Some(CallStatus::Abandoned { .. }) | None if self.writes => Recovery::OutcomeUnknown,
            Some(CallStatus::Abandoned { .. }) | None if self.cancel_requested => Recovery::Cancel,
            Some(CallStatus::Abandoned { .. }) | None if self.runs >= self.max_runs => {
                Recovery::GiveUp
            }
            Some(CallStatus::Abandoned { .. }) | None => Recovery::RunAgain,
        }
    }
}

#[cfg(test)]
#[path = "recovery_tests.rs"]
mod tests;
