//! Tasks: calls that continue after their first answer.

use std::fmt;

use serde::{Deserialize, Serialize};

use crate::envelope::ToolResponse;
use crate::error::ErrorType;

/// The task of a call, in the metadata of its answers.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct TaskMeta {
    pub id: String,
    /// `running` in the first answer; how it ended in the last.
    pub status: TaskStatus,
}

impl TaskMeta {
    /// Whether the answer with this metadata is the result of the task.
    pub fn has_ended(&self) -> bool {
        self.status != TaskStatus::Running
    }
}

/// Whether a task runs, or how it ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum TaskStatus {
    Running,
    Completed,
    Failed,
    Cancelled,
    /// It had begun to write when its process died, or did not end in time.
    OutcomeUnknown,
}

impl TaskStatus {
    /// How a task with this result ended.
    pub fn of(result: &ToolResponse) -> Self {
        match result.failure().map(|failure| failure.kind) {
            None => Self::Completed,
            Some(ErrorType::Cancelled) => Self::Cancelled,
            Some(ErrorType::OutcomeUnknown) => Self::OutcomeUnknown,
            Some(_) => Self::Failed,
        }
    }

    /// The name for programs.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Running => "running",
            Self::Completed => "completed",
            Self::Failed => "failed",
            Self::Cancelled => "cancelled",
            Self::OutcomeUnknown => "outcome_unknown",
        }
    }
}

impl fmt::Display for TaskStatus {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}
