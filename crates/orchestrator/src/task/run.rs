//! A call becomes a task, runs and ends.

use std::sync::Arc;

use aileron_capability::envelope::failed;
use aileron_contract::envelope::Failure;
use aileron_contract::{ErrorType, Outcome, TaskStatus, ToolResponse};
use aileron_store::{PendingWrite, StoreError, TaskChange, Ticket};
use tokio::task::JoinHandle;

use super::answer::running;
use super::record::{TaskCause, TaskSeed};
use super::running_tasks::RunningTask;
use super::slot::TaskSlot;
use crate::conversation_core::ConversationCore;
use crate::conversation_info::ConversationInfo;
use crate::event::ConversationEvent;
use crate::executor::{CallRun, WriteTurn};
use crate::handler_view::HandlerHost;
use crate::history::{CallEnd, HistoryIndex};
use crate::policy::PolicyName;
use crate::refusal::not_entered;
use crate::settle::settle;

const RESULT_LOST: &str = "interrupted by the person; the action continues in the background and its \
                           result will not be reported";
const END_NOT_STORED: &str = "the end of a task could not be stored; it is stored later";

/// Answers a call whose tool runs in the background, and goes on running it. A write gives its turn
/// back when it has started: other writes do not wait for its end.
pub(crate) async fn run_in_background(
    core: &Arc<ConversationCore>,
    mut run: CallRun,
    place: HistoryIndex,
    ticket: Ticket,
    (seed, slot): (TaskSeed, Arc<TaskSlot>),
) -> Arc<ToolResponse> {
    if !run.running.stage.start() {
        // It was withdrawn while it waited, so it ends at once.
        return run_task(core.clone(), run, place, ticket, slot).await;
    }
    match begin(core, &slot, &seed, TaskCause::Background).await {
        Ok(Some(_)) => {}
        Ok(None) => return run_task(core.clone(), run, place, ticket, slot).await,
        Err(error) => return refuse(core, &run, place, ticket, &error).await,
    }
    core.lock().policy.history.end(place, CallEnd::Succeeded);
    let answer = Arc::new(running(&core.info, &seed.call, TaskCause::Background));
    run.alone = WriteTurn::default();
    drop(tokio::spawn(run_task(core.clone(), run, place, ticket, slot)));
    answer
}

/// Answers a call that the person interrupted while it goes on. `work` is the call.
pub(crate) async fn detach(
    core: &Arc<ConversationCore>,
    work: JoinHandle<Arc<ToolResponse>>,
    seed: TaskSeed,
    slot: &TaskSlot,
) -> Arc<ToolResponse> {
    let info = &core.info;
    match begin(core, slot, &seed, TaskCause::Detached).await {
        Ok(Some(_)) => Arc::new(running(info, &seed.call, TaskCause::Detached)),
        // It ended meanwhile.
        Ok(None) => match work.await {
            Ok(answer) => answer,
            Err(_) => Arc::new(result_lost(info, &seed)),
        },
        Err(error) => {
            info.publish_defect(&seed.call, error.to_string());
            Arc::new(result_lost(info, &seed))
        }
    }
}

fn result_lost(info: &ConversationInfo, seed: &TaskSeed) -> ToolResponse {
    let mut failure = Failure::new(ErrorType::Cancelled, RESULT_LOST);
    failure.partial_side_effects = seed.writes();
    failed(failure, info.stamp(&seed.call))
}

/// Makes the call a task, durably. `None`: its handler has ended.
async fn begin(
    core: &ConversationCore,
    slot: &TaskSlot,
    seed: &TaskSeed,
    cause: TaskCause,
) -> Result<Option<Arc<RunningTask>>, StoreError> {
    begin_run(core, slot, seed, cause, (core.info.now(), 1)).await
}

/// The same for a task that began earlier.
pub(super) async fn begin_run(
    core: &ConversationCore,
    slot: &TaskSlot,
    seed: &TaskSeed,
    cause: TaskCause,
    begun: (u64, u32),
) -> Result<Option<Arc<RunningTask>>, StoreError> {
    let info = &core.info;
    let tasks = &info.services.tasks;
    let made = slot.become_task(|| {
        let (id, cancel) = (seed.id(), seed.cancel.clone());
        let task = Arc::new(RunningTask::new(id, info.id.clone(), seed.writes(), cancel));
        tasks.add(task.clone());
        (task, info.store().put_task(seed.stored(info, cause, begun)))
    });
    let Some((task, stored)): Option<(_, PendingWrite<()>)> = made else { return Ok(None) };
    if let Err(error) = stored.await {
        tasks.remove(&task.id);
        return Err(error);
    }
    publish(info, &task.id, seed, TaskStatus::Running);
    Ok(Some(task))
}

/// Runs the handler to its end, and settles the call.
pub(crate) async fn run_task(
    core: Arc<ConversationCore>,
    run: CallRun,
    place: HistoryIndex,
    ticket: Ticket,
    slot: Arc<TaskSlot>,
) -> Arc<ToolResponse> {
    let host: Arc<dyn HandlerHost> = core.clone();
    let report = core.executor.execute(&run, &host).await;
    let task = slot.close();
    let (call_id, tool) =
        (run.invocation.call.call_id.clone(), run.invocation.call.tool_id.clone());
    let id = task.as_ref().map(|task| task.id.clone());
    let answer = settle(&core, run, place, ticket, report, id).await;
    if let Some(task) = task {
        let info = &core.info;
        info.services.tasks.remove(&task.id);
        let end = TaskChange::End { at: info.now(), answer: answer.clone() };
        if let Err(error) = info.store().change_task(&task.id, end).await {
            // The ledger has the result, and `resume` takes it from there.
            let what = format!("{END_NOT_STORED}: {error}");
            let (call_id, tool) = (call_id.clone(), tool.clone());
            info.publish(|| ConversationEvent::Defect { call_id, tool, what });
        }
        let status = TaskStatus::of(&answer);
        info.publish(|| ConversationEvent::Task {
            task_id: task.id.clone(),
            call_id,
            tool,
            status,
        });
    }
    answer
}

fn publish(info: &ConversationInfo, id: &str, seed: &TaskSeed, status: TaskStatus) {
    info.publish(|| ConversationEvent::Task {
        task_id: id.to_owned(),
        call_id: seed.call.call_id.clone(),
        tool: seed.call.tool_id.clone(),
        status,
    });
}

/// Answers a call whose task could not be stored. It does not run.
async fn refuse(
    core: &ConversationCore,
    run: &CallRun,
    place: HistoryIndex,
    ticket: Ticket,
    error: &StoreError,
) -> Arc<ToolResponse> {
    let (info, call) = (&core.info, &run.invocation.call);
    info.publish_defect(call, error.to_string());
    let failure = not_entered();
    core.lock().policy.history.end(place, CallEnd::failed(&failure));
    let answer = Arc::new(failed(failure, info.stamp(call)));
    let outcome = Outcome::refused_by(PolicyName::Ledger.as_str());
    // The store that could not take the task may not accept its record either, and retries it.
    let _ = info.store().settle(ticket, outcome.clone(), answer.clone()).await;
    info.publish_answered(call.entry.as_deref(), outcome, &answer);
    answer
}
