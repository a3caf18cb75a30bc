//! The answers that a task gives besides the result of its handler.

use aileron_capability::Success;
use aileron_capability::envelope::{ResponseMeta, failed, succeeded};
use aileron_contract::envelope::Failure;
use aileron_contract::{ErrorType, TaskMeta, TaskStatus, ToolResponse};
use serde_json::json;

use super::record::{TaskCause, TaskRecord, task_id};
use crate::call_identity::CallIdentity;
use crate::conversation_info::ConversationInfo;

const RUNS: &str = "this runs in the background; its result follows when it is ready, and is not \
                    known before that; do not call the tool again to wait for it";
const DETACHED: &str = "the person interrupted; this continues in the background and its result \
                        follows when it is ready";
const DIED: &str = "the action was running in the background when its process died; whether it took \
                    effect is not known";
const GAVE_UP: &str = "the work in the background was begun as often as it may be, and its process \
                       died each time";
const CANCELLED: &str = "the work in the background was cancelled";
const CONVERSATION_OVER: &str = "the conversation was ended before the work was done";
const TOOL_GONE: &str = "the tool of this work is not loaded any more, so it cannot be run again";

/// The answer must not be cut: it is short and its shape is fixed.
const UNCUT: usize = usize::MAX;

/// The first answer of a task: it runs.
pub(super) fn running(
    info: &ConversationInfo,
    call: &CallIdentity,
    cause: TaskCause,
) -> ToolResponse {
    let id = task_id(&info.id, &call.key);
    let message = match cause {
        TaskCause::Background => RUNS,
        TaskCause::Detached => DETACHED,
    };
    let data = json!({ "taskId": id, "status": TaskStatus::Running, "message": message });
    let success = Success { data, intents: Vec::new() };
    let answer = succeeded(success, info.stamp(call), UNCUT);
    answer.of_task(TaskMeta { id, status: TaskStatus::Running })
}

/// The answer to another delivery of a call that runs in the background.
pub(crate) fn still_running(info: &ConversationInfo, call: &CallIdentity) -> ToolResponse {
    running(info, call, TaskCause::Background)
}

/// Why a task ended without a result of its handler.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum TaskLoss {
    OutcomeUnknown,
    GaveUp,
    Cancelled,
    ConversationOver,
    ToolGone,
}

impl TaskLoss {
    fn failure(self) -> Failure {
        let (kind, message) = match self {
            Self::OutcomeUnknown => (ErrorType::OutcomeUnknown, DIED),
            Self::GaveUp => (ErrorType::Transient, GAVE_UP),
            Self::Cancelled => (ErrorType::Cancelled, CANCELLED),
            Self::ConversationOver => (ErrorType::Cancelled, CONVERSATION_OVER),
            Self::ToolGone => (ErrorType::Unavailable, TOOL_GONE),
        };
        let mut failure = Failure::new(kind, message);
        failure.partial_side_effects = self == Self::OutcomeUnknown;
        failure
    }

    /// The result of the task.
    pub(super) fn answer(self, id: &str, record: &TaskRecord) -> ToolResponse {
        let stamp = ResponseMeta {
            tool_id: &record.tool_id,
            tool_version: record.tool_version.as_deref(),
            registry_version: &record.registry_version,
            call_id: &record.call_id,
            duration_ms: 0,
            attempts: 0,
            clamped: Vec::new(),
            over_budget: false,
        };
        let answer = failed(self.failure(), stamp);
        let status = TaskStatus::of(&answer);
        answer.of_task(TaskMeta { id: id.to_owned(), status })
    }
}
