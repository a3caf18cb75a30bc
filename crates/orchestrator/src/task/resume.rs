//! Continues after the death of a process: ends the tasks that cannot run again, and starts the others
//! again.

use std::sync::Arc;

use aileron_contract::{TaskStatus, ToolResponse};
use aileron_store::{
    BeginResult, CallStart, StoreError, StoredTask, TaskChange, TaskCursor, TaskFilter, TaskState,
};

use super::answer::TaskLoss;
use super::record::{TaskRecord, TaskSeed};
use super::recovery::{Recovery, TaskFacts};
use super::run::{begin_run, run_task};
use crate::call_identity::CallIdentity;
use crate::conversation_core::ConversationCore;
use crate::event::{ConversationEvent, EventSource};
use crate::executor::{CallRun, WriteTurn};
use crate::history::HistoryIndex;
use crate::invocation::Invocation;
use crate::person::Person;
use crate::services::Services;
use crate::trail::Trail;

/// How many tasks are read at once.
const PAGE: usize = 100;

/// A read whose process died and that may run again.
#[derive(Debug)]
pub(crate) struct Interrupted {
    task: StoredTask,
    record: TaskRecord,
}

impl Interrupted {
    pub(crate) fn task(&self) -> &StoredTask {
        &self.task
    }

    /// The person of the task.
    pub(crate) fn person(&self) -> Person {
        self.record.person.person()
    }
}

/// Goes through all tasks that have not ended. Cancels those of this process that another process was
/// asked to cancel, ends those that cannot run again, and returns those that can.
pub(crate) async fn interrupted(services: &Services) -> Result<Vec<Interrupted>, StoreError> {
    let filter = TaskFilter { state: TaskState::Running, ..TaskFilter::default() };
    let (mut after, mut found) = (None, Vec::new());
    loop {
        let page = services.store.tasks(&filter, after.as_ref(), PAGE).await?;
        let is_last = page.len() < PAGE;
        after = page.last().map(|task| TaskCursor { began: task.began, id: task.id.clone() });
        for task in page {
            found.extend(look(services, task).await?);
        }
        if is_last {
            return Ok(found);
        }
    }
}

async fn look(services: &Services, task: StoredTask) -> Result<Option<Interrupted>, StoreError> {
    if let Some(running) = services.tasks.find(&task.id) {
        if task.cancel_requested {
            running.cancel.cancel();
        }
        return Ok(None);
    }
    let Ok(record) = serde_json::from_value::<TaskRecord>((*task.body).clone()) else {
        return Ok(None);
    };
    let facts = TaskFacts {
        status: services.store.lookup(&task.conversation, &task.key)?,
        writes: record.writes,
        cancel_requested: task.cancel_requested,
        runs: task.runs,
        max_runs: services.config.tasks.max_runs,
        age_ms: services.now().saturating_sub(task.began),
    };
    let interrupted = Interrupted { task, record };
    let loss = match facts.recovery() {
        Recovery::Leave => return Ok(None),
        Recovery::RunAgain => return Ok(Some(interrupted)),
        Recovery::EndWith(answer) => {
            end(services, &interrupted, answer).await?;
            return Ok(None);
        }
        Recovery::OutcomeUnknown => TaskLoss::OutcomeUnknown,
        Recovery::Cancel => TaskLoss::Cancelled,
        Recovery::GiveUp => TaskLoss::GaveUp,
    };
    end_without_running(services, &interrupted, loss).await.map(|()| None)
}

/// Ends a task that will not run again.
pub(crate) async fn end_without_running(
    services: &Services,
    interrupted: &Interrupted,
    loss: TaskLoss,
) -> Result<(), StoreError> {
    let answer = loss.answer(&interrupted.task.id, &interrupted.record);
    end(services, interrupted, Arc::new(answer)).await
}

/// Stores the end, and informs the person. If another process did that meanwhile, nothing happens.
async fn end(
    services: &Services,
    Interrupted { task, record }: &Interrupted,
    answer: Arc<ToolResponse>,
) -> Result<(), StoreError> {
    let status = TaskStatus::of(&answer);
    let change = TaskChange::End { at: services.now(), answer };
    if services.store.change_task(&task.id, change).await? && services.observer.is_enabled() {
        services.tasks.watch(&task.conversation);
        let source = EventSource {
            conversation: &task.conversation,
            user: task.user.as_ref(),
            registry_version: &record.registry_version,
        };
        let (task_id, call_id) = (task.id.clone(), record.call_id.clone());
        let tool = task.tool.clone();
        let event = ConversationEvent::Task { task_id, call_id, tool, status };
        services.observer.on_event(source, event);
    }
    Ok(())
}

/// Starts a task again in its conversation. It was admitted when it was made, so that no policy decides
/// about it; the ledger lets one process start it.
pub(crate) async fn run_again(
    core: &Arc<ConversationCore>,
    interrupted: Interrupted,
) -> Result<(), StoreError> {
    let info = &core.info;
    let Interrupted { task, record } = &interrupted;
    let Some(entry) = info.toolset.entry(&record.tool_id).cloned() else {
        return end_without_running(&info.services, &interrupted, TaskLoss::ToolGone).await;
    };
    let call = CallIdentity {
        call_id: record.call_id.clone(),
        tool_id: record.tool_id.clone(),
        entry: Some(entry.clone()),
        key: task.key.as_str().into(),
        given: record.given.clone(),
    };
    let invocation = Invocation {
        call,
        entry,
        args: Arc::new(record.args.clone()),
        clamped: Vec::new(),
        parent: None,
        model_id: Some(task.call_id.clone()),
    };
    let start = call_start(core, &invocation, record);
    let running = core.executor.running().add(&invocation);
    let Some(slot) = running.stage.task.clone() else { return Ok(()) };
    let BeginResult::Started(ticket) = info.store().begin(start.clone()).await? else {
        return Ok(());
    };
    let seed = TaskSeed::new(&invocation, start, running.stage.cancel.clone());
    running.stage.start();
    let begun = (task.began, task.runs.saturating_add(1));
    begin_run(core, &slot, &seed, record.cause, begun).await?;
    let alone = WriteTurn::default();
    let run = CallRun { invocation, mode: record.mode, running, alone };
    drop(tokio::spawn(run_task(core.clone(), run, HistoryIndex::NOWHERE, ticket, slot)));
    Ok(())
}

/// The call as the ledger knows it, in the turn and the mode in which it was made.
fn call_start(
    core: &ConversationCore,
    invocation: &Invocation,
    record: &TaskRecord,
) -> Arc<CallStart> {
    let (info, locked) = (&core.info, core.lock());
    let (call, args, now) = (&invocation.call, invocation.args.clone(), info.now());
    let mut start = info.call_start(call, args, &Trail::default(), &locked.policy, now);
    let own = Arc::make_mut(&mut start);
    own.turn = record.turn;
    Arc::make_mut(&mut own.scope).mode = record.mode;
    start
}
