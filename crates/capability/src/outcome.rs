//! The result of a handler.

use std::fmt;

use aileron_contract::envelope::Failure;
use aileron_contract::{ErrorType, Intent};
use serde_json::Value;

use crate::defect::Defect;

/// The result of a handler.
pub type ToolResult = Result<Success, ToolError>;

/// The result of a handler that succeeded.
#[derive(Debug, Clone, PartialEq)]
pub struct Success {
    pub data: Value,
    pub intents: Vec<Intent>,
}

/// A result without intents.
pub fn success(data: Value) -> ToolResult {
    Ok(Success { data, intents: Vec::new() })
}

const SAID: &str = "the handler reports a fault of its own";

/// The message for the model when a handler failed unexpectedly.
pub const BROKE: &str = "the tool failed unexpectedly";

/// The failure of a handler.
#[derive(Debug, Clone, PartialEq)]
pub struct ToolError(Box<FailureInner>);

#[derive(Debug, Clone, PartialEq)]
struct FailureInner {
    failure: Failure,
    /// For the log only.
    defect: Option<Defect>,
}

impl ToolError {
    /// A failure without effects, retryable as the error table says.
    pub fn new(kind: ErrorType, message: impl Into<String>) -> Self {
        Failure::new(kind, message).into()
    }

    /// A defect of the handler itself: the reason is logged, and the model only gets [`BROKE`].
    pub fn defect(reason: impl Into<String>) -> Self {
        let mut error = Self::new(ErrorType::Internal, BROKE);
        error.0.defect = Some(Defect::quoting(SAID, reason));
        error
    }

    /// Adds a description of a problem with the installation, in fixed text without quoted data.
    pub fn diagnosed(mut self, diagnosis: String) -> Self {
        self.0.defect = Some(Defect::plain(diagnosis));
        self
    }

    /// Sets whether a retry may help.
    #[must_use]
    pub fn retryable(mut self, retryable: bool) -> Self {
        self.0.failure.retryable = retryable;
        self
    }

    /// Marks that effects may have happened before the failure.
    #[must_use]
    pub fn with_partial_side_effects(mut self) -> Self {
        self.0.failure.partial_side_effects = true;
        self
    }

    /// Sets what the model should do instead.
    #[must_use]
    pub fn suggest(mut self, suggestion: impl Into<String>) -> Self {
        self.0.failure.suggestion = Some(suggestion.into());
        self
    }

    /// The failure as in the envelope.
    pub fn failure(&self) -> &Failure {
        &self.0.failure
    }

    /// The failure as in the envelope.
    pub fn into_failure(self) -> Failure {
        self.0.failure
    }

    /// Adds facts for the model.
    #[must_use]
    pub fn with_details(mut self, details: Value) -> Self {
        self.0.failure.details = Some(details);
        self
    }

    /// The defect, if the handler reported one.
    pub fn reason(&self) -> Option<&Defect> {
        self.0.defect.as_ref()
    }
}

impl From<Failure> for ToolError {
    fn from(failure: Failure) -> Self {
        Self(Box::new(FailureInner { failure, defect: None }))
    }
}

impl fmt::Display for ToolError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.0.failure.kind, self.0.failure.message)
    }
}

impl std::error::Error for ToolError {}
