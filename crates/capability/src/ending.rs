//! How the run of a handler ended, before anyone decides what the model is told.

use aileron_contract::{ErrorType, Outcome};

use crate::defect::Defect;
use crate::outcome::{ToolError, ToolResult};

/// How a handler ended: its result, and the word for the record.
#[derive(Debug)]
pub struct HandlerEnd {
    pub result: ToolResult,
    pub outcome: Outcome,
    /// What went wrong inside, for the log only.
    pub defect: Option<Defect>,
}

impl HandlerEnd {
    /// The handler returned.
    pub fn completed(result: ToolResult) -> Self {
        let defect = result.as_ref().err().and_then(ToolError::reason).cloned();
        Self { result, outcome: Outcome::Completed, defect }
    }

    /// The handler broke; what it did before is not known.
    pub fn broken(message: &str, outcome: Outcome, defect: Defect) -> Self {
        let error = ToolError::new(ErrorType::Internal, message).with_partial_side_effects();
        Self { result: Err(error), outcome, defect: Some(defect) }
    }

    /// What ran the handler is gone, and with it the knowledge of what the handler did.
    pub fn unknown(message: &str, defect: Defect) -> Self {
        let error = ToolError::new(ErrorType::OutcomeUnknown, message).with_partial_side_effects();
        Self { result: Err(error), outcome: Outcome::ProcessDied, defect: Some(defect) }
    }

    /// The handler could not be run at all, or left nothing behind.
    pub fn not_run(kind: ErrorType, message: &str, defect: Defect) -> Self {
        let result = Err(ToolError::new(kind, message));
        Self { result, outcome: Outcome::Completed, defect: Some(defect) }
    }

    /// The handler was stopped; what that means for the answer is not decided here.
    pub fn stopped(outcome: Outcome) -> Self {
        let error = ToolError::new(ErrorType::Cancelled, ErrorType::Cancelled.sentence());
        Self { result: Err(error.with_partial_side_effects()), outcome, defect: None }
    }
}
