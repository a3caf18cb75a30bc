//! Runs one admitted call: ledger entry, rate count, handler, settling.

use std::sync::Arc;

use aileron_capability::envelope::failed;
use aileron_contract::envelope::Failure;
use aileron_contract::{Outcome, ToolResponse};
use aileron_store::{BeginResult, CallStart, CountResult, PendingWrite, StoreError, Ticket};
use tokio_util::sync::CancellationToken;

use crate::call_identity::CallIdentity;
use crate::conversation_core::ConversationCore;
use crate::conversation_info::ConversationInfo;
use crate::executor::{CallRun, PendingStart, WriteTurn};
use crate::handler_view::HandlerHost;
use crate::history::{CallEnd, HistoryIndex};
use crate::key;
use crate::persistence::{ATTEMPTS, own_again};
use crate::policy::{PolicyName, refusal_if_not_counted};
use crate::refusal::not_entered;
use crate::replayed_answer::replay;
use crate::settle::settle;
use crate::task::{TaskSeed, TaskSlot, detach, run_in_background, run_task};

/// An admitted call that is being entered into the ledger.
#[derive(Debug)]
pub(crate) struct AdmittedCall {
    pub(crate) pending: PendingStart<BeginResult>,
    pub(crate) place: HistoryIndex,
    /// Resolves when the call is counted, if its tool has a rate limit. The call does not run
    /// before that.
    pub(crate) counted: Option<PendingWrite<CountResult>>,
}

/// Runs an admitted call when no other write runs, and answers it.
pub(crate) async fn run(core: &Arc<ConversationCore>, admitted: AdmittedCall) -> Arc<ToolResponse> {
    let alone = core.executor.alone(&admitted.pending.invocation).await;
    run_alone(core, admitted, alone).await
}

/// Runs a call that holds the write turn.
pub(crate) async fn run_alone(
    core: &Arc<ConversationCore>,
    AdmittedCall { pending, place, counted }: AdmittedCall,
    alone: WriteTurn,
) -> Arc<ToolResponse> {
    let PendingStart { invocation, start, begun, running } = pending;
    let begun = match begun.await {
        Err(StoreError::NotOwner { .. }) => begin_again(core, &start).await,
        begun => begun,
    };
    let ticket = match begun {
        Ok(BeginResult::Started(ticket)) => ticket,
        Ok(BeginResult::Known(known)) => {
            // The other delivery may wait for the write lock.
            drop(alone);
            return replay(&core.info, &invocation.call, core.mode(), known).await;
        }
        Err(error) => return record_not_entered(&core.info, &invocation.call, start, &error),
    };
    let run = CallRun { invocation, mode: start.scope.mode, running, alone };
    if let Some(counted) = counted
        && let Some(failure) = refusal_if_not_counted(counted.await, run.invocation.entry.spec())
    {
        return release_reservation(core, &run, place, ticket, failure).await;
    }
    let Some(slot) = run.running.stage.task.clone() else {
        return run_attached(core, run, place, ticket).await;
    };
    let seed = TaskSeed::new(&run.invocation, start, run.running.stage.cancel.clone());
    match run.running.stage.detach.clone() {
        Some(detach) => run_detachable(core, run, place, ticket, (seed, slot), detach).await,
        None => run_in_background(core, run, place, ticket, (seed, slot)).await,
    }
}

async fn run_attached(
    core: &Arc<ConversationCore>,
    run: CallRun,
    place: HistoryIndex,
    ticket: Ticket,
) -> Arc<ToolResponse> {
    let host: Arc<dyn HandlerHost> = core.clone();
    let report = core.executor.execute(&run, &host).await;
    settle(core, run, place, ticket, report, None).await
}

/// Runs the call in a separate task. If the person interrupts, it becomes a task of the conversation:
/// the model gets an answer at once, and the result later.
async fn run_detachable(
    core: &Arc<ConversationCore>,
    run: CallRun,
    place: HistoryIndex,
    ticket: Ticket,
    (seed, slot): (TaskSeed, Arc<TaskSlot>),
    interrupted: CancellationToken,
) -> Arc<ToolResponse> {
    let mut work = tokio::spawn(run_task(core.clone(), run, place, ticket, slot.clone()));
    tokio::select! {
        biased;
        Ok(answer) = &mut work => answer,
        () = interrupted.cancelled() => detach(core, work, seed, &slot).await,
        else => detach(core, work, seed, &slot).await,
    }
}

/// Answers a call that passed admission but lost the race for the last unit of its rate limit, or
/// could not be counted. Its budget is given back, except for an approved call, which was counted
/// when it was made.
async fn release_reservation(
    core: &ConversationCore,
    run: &CallRun,
    place: HistoryIndex,
    ticket: Ticket,
    failure: Failure,
) -> Arc<ToolResponse> {
    let (info, call) = (&core.info, &run.invocation.call);
    {
        let policy = &mut core.lock().policy;
        policy.history.end(place, CallEnd::failed(&failure));
        if !key::is_approved(call.call_id.as_str()) {
            policy.uncount(place, call.spec());
        }
    }
    let answer = Arc::new(failed(failure, info.stamp(call)));
    let outcome = Outcome::refused_by(PolicyName::RateLimit.as_str());
    let settled = info.store().settle(ticket, outcome.clone(), answer.clone());
    // If the record cannot be written now, the store retries it.
    let _ = settled.await;
    info.publish_answered(call.entry.as_deref(), outcome, &answer);
    answer
}

/// Starts a call after another process has taken the conversation: acquires the conversation again,
/// and the ledger says whether the call was made there. A conversation that was ended there stays
/// ended.
async fn begin_again(
    core: &Arc<ConversationCore>,
    start: &CallStart,
) -> Result<BeginResult, StoreError> {
    let not_owner = || StoreError::NotOwner { conversation: core.info.id.to_string() };
    let mut scope = start.scope.clone();
    for _ in 0..ATTEMPTS {
        own_again(core, &scope.lease).await.map_err(|_| not_owner())?;
        scope = core.lock().policy.scope.clone();
        let start = CallStart { scope: scope.clone(), ..start.clone() };
        match core.info.store().begin(Arc::new(start)).await {
            Err(StoreError::NotOwner { .. }) => {}
            begun => return begun,
        }
    }
    Err(not_owner())
}

/// Answers a call that could not be entered into the ledger. It does not run.
fn record_not_entered(
    info: &ConversationInfo,
    call: &CallIdentity,
    start: Arc<CallStart>,
    error: &StoreError,
) -> Arc<ToolResponse> {
    info.publish_defect(call, error.to_string());
    let answer = Arc::new(failed(not_entered(), info.stamp(call)));
    let outcome = Outcome::refused_by(PolicyName::Ledger.as_str());
    // The store that could not enter the call may not accept its record either.
    drop(info.store().record_refusal(start, outcome.clone(), answer.clone()));
    info.publish_answered(call.entry.as_deref(), outcome, &answer);
    answer
}
