//! How the run of a handler ended, before the answer to the model is decided.

use aileron_contract::{ErrorType, Outcome};

use crate::announcement::Announcements;
use crate::defect::Defect;
use crate::outcome::{ToolError, ToolResult};

/// How a handler ended: its result, and the outcome for the record.
#[derive(Debug)]
pub struct HandlerEnd {
    pub result: ToolResult,
    pub outcome: Outcome,
    /// The defect inside the handler, for the log only.
    pub defect: Option<Defect>,
    /// Sentences about actions of the handler without the effect that its author expects:
    /// `meta.warnings`.
    pub warnings: Vec<String>,
}

impl HandlerEnd {
    /// The handler returned.
    pub fn completed(result: ToolResult) -> Self {
        let defect = result.as_ref().err().and_then(ToolError::reason).cloned();
        Self { result, outcome: Outcome::Completed, defect, warnings: Vec::new() }
    }

    /// The handler failed unexpectedly; its effects are not known.
    pub fn broken(message: &str, outcome: Outcome, defect: Defect) -> Self {
        let error = ToolError::new(ErrorType::Internal, message).with_partial_side_effects();
        Self { result: Err(error), outcome, defect: Some(defect), warnings: Vec::new() }
    }

    /// The worker that ran the handler was lost, so the effects of the handler are not known.
    pub fn unknown(message: &str, defect: Defect) -> Self {
        let error = ToolError::new(ErrorType::OutcomeUnknown, message).with_partial_side_effects();
        let outcome = Outcome::ProcessDied;
        Self { result: Err(error), outcome, defect: Some(defect), warnings: Vec::new() }
    }

    /// The handler could not be run at all, or had no effect.
    pub fn not_run(kind: ErrorType, message: &str, defect: Defect) -> Self {
        let result = Err(ToolError::new(kind, message));
        let outcome = Outcome::Completed;
        Self { result, outcome, defect: Some(defect), warnings: Vec::new() }
    }

    /// The handler was stopped; the caller decides the answer.
    pub fn stopped(outcome: Outcome) -> Self {
        let error = ToolError::new(ErrorType::Cancelled, ErrorType::Cancelled.sentence());
        let result = Err(error.with_partial_side_effects());
        Self { result, outcome, defect: None, warnings: Vec::new() }
    }

    /// With the warnings about messages that announced what the handler did not request.
    #[must_use]
    pub fn warned(mut self, announcements: &Announcements) -> Self {
        self.warnings.extend(announcements.warnings(&self.result));
        self
    }
}
