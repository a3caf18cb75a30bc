//! The results of tasks that the model of a conversation does not have yet.

use std::sync::Arc;

use aileron_contract::ToolResponse;
use aileron_store::{CallStatus, StoreError, StoredTask, TaskFilter, TaskState};

use crate::confirmation::LateAnswer;
use crate::conversation_info::ConversationInfo;

/// How many results one turn is given at most. The next turn gets the others.
const MAX_RESULTS: usize = 50;

/// The interval for checking whether a task of another process has ended.
const POLL_MS: u64 = 200;

/// The results that were not told, the oldest first. They stay untold until the caller marks them. No
/// cost for a conversation without tasks.
pub(crate) async fn results(info: &ConversationInfo) -> Vec<LateAnswer> {
    let tasks = &info.services.tasks;
    if !tasks.is_watched(&info.id) {
        return Vec::new();
    }
    let conversation = Some(info.id.clone());
    let filter = TaskFilter { conversation, state: TaskState::Untold, ..TaskFilter::default() };
    // If the store cannot be read, the next turn asks again.
    let Ok(untold) = info.store().tasks(&filter, None, MAX_RESULTS).await else {
        return Vec::new();
    };
    if untold.is_empty() && runs_none(info) {
        tasks.unwatch(&info.id);
    }
    untold.into_iter().rev().filter_map(late).collect()
}

fn runs_none(info: &ConversationInfo) -> bool {
    info.store().count_tasks(&info.id, None).is_ok_and(|counts| counts.conversation == 0)
}

fn late(StoredTask { call_id, end, .. }: StoredTask) -> Option<LateAnswer> {
    end.map(|end| LateAnswer { call_id, answer: end.answer })
}

/// Waits for the result, if an answer is the first one of a task.
pub(crate) async fn final_answer(
    info: &ConversationInfo,
    answer: Arc<ToolResponse>,
) -> Result<Arc<ToolResponse>, StoreError> {
    let Some(id) = answer.meta().task.as_ref().filter(|task| !task.has_ended()) else {
        return Ok(answer);
    };
    let id = id.id.clone();
    loop {
        let Some(task) = info.store().task(&id).await? else { return Ok(answer) };
        if let Some(end) = task.end {
            return Ok(end.answer);
        }
        match info.store().lookup(&task.conversation, &task.key)? {
            Some(CallStatus::Finished(result)) => return Ok(result),
            Some(CallStatus::Running(running)) => drop(running.await),
            Some(CallStatus::RunningElsewhere | CallStatus::Abandoned { .. }) | None => {
                info.services.clock.wait_until(info.now() + POLL_MS).await;
            }
        }
    }
}

/// The ids of the tasks whose results are among these answers.
pub fn told_tasks<'a>(answers: impl IntoIterator<Item = &'a ToolResponse>) -> Vec<String> {
    let tasks = answers.into_iter().filter_map(|answer| answer.meta().task.as_ref());
    tasks.filter(|task| task.has_ended()).map(|task| task.id.clone()).collect()
}
