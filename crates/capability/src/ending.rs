//! How the run of a handler ended, before the answer to the model is decided.

use aileron_contract::{ErrorType, Outcome};

use crate::defect::Defect;
use crate::outcome::{ToolError, ToolResult};

/// How a handler ended: its result, and the outcome for the record.
#[derive(Debug)]
pub struct HandlerEnd {
    pub result: ToolResult,
    pub outcome: Outcome,
    /// The defect inside the handler, for the log only.
    pub defect: Option<Defect>,
}

impl HandlerEnd {
    /// The handler returned.
    pub fn completed(result: ToolResult) -> Self {
        let defect = result.as_ref().err().and_then(ToolError::reason).cloned();
        Self { result, outcome: Outcome::Completed, defect }
    }

    /// The handler failed unexpectedly; its effects are not known.
    pub fn broken(message: &str, outcome: Outcome, defect: Defect) -> Self {
        let error = ToolError::new(ErrorType::Internal, message).with_partial_side_effects();
        Self { result: Err(error), outcome, defect: Some(defect) }
    }

    /// The worker that ran the handler was lost, so the effects of the handler are not known.
    pub fn unknown(message: &str, defect: Defect) -> Self {
        let error = ToolError::new(ErrorType::OutcomeUnknown, message).with_partial_side_effects();
        Self { result: Err(error), outcome: Outcome::ProcessDied, defect: Some(defect) }
    }

    /// The handler could not be run at all, or had no effect.
    pub fn not_run(kind: ErrorType, message: &str, defect: Defect) -> Self {
        let result = Err(ToolError::new(kind, message));
        Self { result, outcome: Outcome::Completed, defect: Some(defect) }
    }

    /// The handler was stopped; the caller decides the answer.
    pub fn stopped(outcome: Outcome) -> Self {
        let error = ToolError::new(ErrorType::Cancelled, ErrorType::Cancelled.sentence());
        Self { result: Err(error.with_partial_side_effects()), outcome, defect: None }
    }
}
