//! The pipeline of one batch: admit, execute, settle. A batch is admitted whole, under the conversation's
//! lock and without waiting, before any of its calls runs.

use std::sync::Arc;

use aileron_capability::envelope::failed;
use aileron_contract::envelope::Failure;
use aileron_contract::{ErrorType, Outcome, ToolCall, ToolResponse};
use aileron_store::{Begun, CallStart, Commit, Counted, Counter, Store, StoreError, Ticket};
use futures_util::future::join_all;
use tokio_util::sync::CancellationToken;

use crate::admission::{
    Admission, DecidedCall, Decision, Delivery, Finality, Refusal, Reservation,
};
use crate::call_identity::CallIdentity;
use crate::candidate::{CandidateCall, Duplicate, IdSource};
use crate::confirmation::{ConfirmationStart, Confirmations, HELD, WaitingCall, publish, request};
use crate::conversation_core::{ConversationCore, Locked};
use crate::conversation_info::ConversationInfo;
use crate::executor::{Alone, CallRun, PendingStart};
use crate::handler_view::HandlerHost;
use crate::history::{CallEnd, HistoryIndex};
use crate::invocation::Invocation;
use crate::key;
use crate::persistence::{ATTEMPTS, own_again};
use crate::policy::{PolicyName, StoreView, refusal_if_not_counted};
use crate::refusal::{Answered, not_entered, refuse};
use crate::replayed_answer::{replay, replay_earlier};
use crate::settle::settle;
use crate::trail::Trail;

const DETACHED: &str = "interrupted by the person; the action continues in the background and its \
                        result will not be reported";

/// The calls of one batch, each with what is left to do about it.
#[derive(Debug)]
pub(crate) struct Batch(Vec<CallStep>);

/// What is left to do about a call that was decided upon.
#[derive(Debug)]
enum CallStep {
    Run(Box<AdmittedCall>),
    /// It is answered, and its record is being written.
    Answered(Answered),
    /// The confirmation is being stored; then the call is answered.
    Confirm(Box<ConfirmationStart>),
    Replay(Box<ReplayStep>),
}

/// An admitted call on its way into the ledger.
#[derive(Debug)]
pub(crate) struct AdmittedCall {
    pub(crate) pending: PendingStart<Begun>,
    pub(crate) place: HistoryIndex,
    /// Answers when the call is counted, if its tool has a rate limit. It does not run before.
    pub(crate) counted: Option<Commit<Counted>>,
}

#[derive(Debug)]
struct ReplayStep {
    call: CallIdentity,
    of: Duplicate,
    /// Set if the call has a record of its own.
    record: Option<Arc<CallStart>>,
}

/// Admits the calls of one message of the model.
pub(crate) fn admit(core: &Arc<ConversationCore>, calls: Vec<ToolCall>, ids: IdSource) -> Batch {
    let candidate = |call| CandidateCall::new(call, &core.info.toolset).from(ids);
    admit_candidates(core, calls.into_iter().map(candidate).collect())
}

/// Admits calls whose arguments are prepared.
pub(crate) fn admit_candidates(core: &Arc<ConversationCore>, calls: Vec<CandidateCall>) -> Batch {
    let (locked, now) = (&mut *core.lock(), core.info.now());
    let ledger = StoreView(core.info.store());
    let admission = admission(&core.info, &locked.confirmations, &ledger, now);
    let decided = admission.evaluate_batch(calls, &mut locked.policy);
    let held = |one: &DecidedCall| matches!(one.decision, Decision::Hold(_));
    let mut held: Vec<_> =
        decided.iter().filter(|one| held(one)).map(|one| WaitingCall::of(&one.call)).collect();
    Batch(decided.into_iter().map(|one| start(core, one, &mut held, locked, now)).collect())
}

/// What decisions in this conversation depend on.
pub(crate) fn admission<'a>(
    info: &'a ConversationInfo,
    confirmations: &'a Confirmations,
    ledger: &'a StoreView<'a>,
    now: u64,
) -> Admission<'a> {
    Admission {
        now,
        config: &info.services.config,
        person: &info.person,
        user: &info.user_view,
        toolset: &info.toolset,
        confirmations,
        ledger,
    }
}

/// Acts on a decision. The call that the person is asked about takes those that are `held` with it.
fn start(
    core: &Arc<ConversationCore>,
    DecidedCall { call, decision, trail }: DecidedCall,
    held: &mut Vec<WaitingCall>,
    locked: &mut Locked,
    now: u64,
) -> CallStep {
    let info = &core.info;
    info.publish_decided(&call.call, &trail);
    match decision {
        Decision::Run(reservation) => start_run(core, call, reservation, &trail, locked, now),
        Decision::Refuse(refusal) => {
            let (policy, confirmations) = (&locked.policy, &locked.confirmations);
            let answered = refuse(info, call, refusal, &trail, (policy, confirmations, now));
            CallStep::Answered(answered)
        }
        Decision::Replay(of, delivery) => {
            let record = (delivery == Delivery::NewId).then(|| {
                let args = Arc::new(call.shown_args().clone());
                info.call_start(&call.call, args, &trail, &locked.policy, now)
            });
            CallStep::Replay(Box::new(ReplayStep { call: call.call, of, record }))
        }
        Decision::Ask(Reservation(place)) => {
            locked.policy.history.end(place, CallEnd::Succeeded);
            let held = std::mem::take(held);
            match request(info, call, held, &trail, locked, now) {
                Ok(start) => CallStep::Confirm(Box::new(start)),
                Err(answered) => CallStep::Answered(answered),
            }
        }
        Decision::Hold(Reservation(place)) => {
            locked.policy.history.end(place, CallEnd::Succeeded);
            CallStep::Answered(hold(info, call, &trail, locked, now))
        }
    }
}

fn start_run(
    core: &Arc<ConversationCore>,
    mut call: CandidateCall,
    Reservation(place): Reservation,
    trail: &Trail,
    locked: &mut Locked,
    now: u64,
) -> CallStep {
    let counter = call.rate.take();
    match Invocation::of(call) {
        Ok(invocation) => {
            let begin = |store: &dyn Store, call| store.begin(call);
            let pending = enter(core, invocation, trail, locked, now, begin);
            let count = |counter: Box<Counter>| core.info.store().count_call(&counter, now);
            let counted = counter.map(count);
            CallStep::Run(Box::new(AdmittedCall { pending, place, counted }))
        }
        Err(call) => {
            let refusal = Refusal {
                by: PolicyName::Arguments,
                failure: Box::new(internal()),
                finality: Finality::Provisional,
            };
            let (policy, confirmations) = (&locked.policy, &locked.confirmations);
            let now = (policy, confirmations, now);
            CallStep::Answered(refuse(&core.info, *call, refusal, trail, now))
        }
    }
}

/// Enters a call into the ledger. From here on duplicates of it find it there.
pub(crate) fn enter<T>(
    core: &ConversationCore,
    invocation: Invocation,
    trail: &Trail,
    locked: &Locked,
    now: u64,
    begin: impl FnOnce(&dyn Store, Arc<CallStart>) -> Commit<T>,
) -> PendingStart<T> {
    let Invocation { call, args, .. } = &invocation;
    let start = core.info.call_start(call, args.clone(), trail, &locked.policy, now);
    let running = core.executor.running().add(&invocation);
    let begun = begin(core.info.store(), start.clone());
    PendingStart { invocation, start, begun, running }
}

/// Answers a write that waits behind the confirmation of another call.
fn hold(
    info: &ConversationInfo,
    call: CandidateCall,
    trail: &Trail,
    locked: &mut Locked,
    now: u64,
) -> Answered {
    let (key, content) = (call.call.key.clone(), call.content());
    let refusal = Refusal {
        by: PolicyName::Confirmation,
        failure: Box::new(Failure::new(ErrorType::ConfirmationRequired, HELD)),
        finality: Finality::Provisional,
    };
    let now = (&locked.policy, &locked.confirmations, now);
    let answered = refuse(info, call, refusal, trail, now);
    locked.confirmations.keep_answer(&key, content, &answered.answer);
    answered
}

pub(crate) fn internal() -> Failure {
    Failure::new(ErrorType::Internal, ErrorType::Internal.sentence())
}

impl Batch {
    /// Runs the batch to its end; answers keep the order of the calls.
    pub(crate) async fn run(self, core: &Arc<ConversationCore>) -> Vec<Arc<ToolResponse>> {
        let mut answers = Vec::with_capacity(self.0.len());
        let mut concurrent = Vec::new();
        for step in self.0 {
            if !step.runs_alone() {
                concurrent.push(step);
                continue;
            }
            finish_all(core, &mut concurrent, &mut answers).await;
            let answer = finish(core, step, &answers).await;
            answers.push(answer);
        }
        finish_all(core, &mut concurrent, &mut answers).await;
        answers
    }
}

impl CallStep {
    /// Whether the step needs the answers before it, or must not run beside other calls.
    fn runs_alone(&self) -> bool {
        match self {
            Self::Run(admitted) => admitted.pending.start.writes(),
            Self::Replay(step) => matches!(step.of, Duplicate::EarlierInBatch(_)),
            Self::Answered(_) | Self::Confirm(_) => false,
        }
    }
}

async fn finish_all(
    core: &Arc<ConversationCore>,
    steps: &mut Vec<CallStep>,
    answers: &mut Vec<Arc<ToolResponse>>,
) {
    match steps.len() {
        0 => {}
        1 => {
            if let Some(step) = steps.pop() {
                answers.push(finish(core, step, &[]).await);
            }
        }
        _ => answers.extend(join_all(steps.drain(..).map(|step| finish(core, step, &[]))).await),
    }
}

async fn finish(
    core: &Arc<ConversationCore>,
    step: CallStep,
    earlier: &[Arc<ToolResponse>],
) -> Arc<ToolResponse> {
    match step {
        CallStep::Run(admitted) => run(core, *admitted).await,
        CallStep::Answered(answered) => answered.wait().await,
        CallStep::Confirm(start) => publish(core, *start).await,
        CallStep::Replay(step) => finish_replay(core, *step, earlier).await,
    }
}

async fn finish_replay(
    core: &ConversationCore,
    ReplayStep { call, of, record }: ReplayStep,
    earlier: &[Arc<ToolResponse>],
) -> Arc<ToolResponse> {
    let info = &core.info;
    let answer = match of {
        Duplicate::Stored(known) => replay(info, &call, core.mode(), known).await,
        Duplicate::EarlierInBatch(at) => replay_earlier(info, &call, earlier.get(at)),
    };
    if let Some(record) = record {
        let recorded = info.store().record_refusal(record, Outcome::Replayed, answer.clone());
        info.publish_answered(call.entry.as_deref(), Outcome::Replayed, &answer);
        // A record that cannot be written now is written when it can.
        let _ = recorded.await;
    }
    answer
}

/// Runs an admitted call when it is its turn, and answers it.
async fn run(core: &Arc<ConversationCore>, admitted: AdmittedCall) -> Arc<ToolResponse> {
    let alone = core.executor.alone(&admitted.pending.invocation).await;
    run_alone(core, admitted, alone).await
}

/// Runs a call whose turn it is.
pub(crate) async fn run_alone(
    core: &Arc<ConversationCore>,
    AdmittedCall { pending, place, counted }: AdmittedCall,
    alone: Alone,
) -> Arc<ToolResponse> {
    let PendingStart { invocation, start, begun, running } = pending;
    let begun = match begun.await {
        Err(StoreError::NotOwner { .. }) => begin_again(core, &start).await,
        begun => begun,
    };
    let ticket = match begun {
        Ok(Begun::Started(ticket)) => ticket,
        Ok(Begun::Known(known)) => {
            // The other one may wait for its turn.
            drop(alone);
            return replay(&core.info, &invocation.call, core.mode(), known).await;
        }
        Err(error) => return record_not_entered(&core.info, &invocation.call, start, &error),
    };
    let run = CallRun { invocation, mode: start.scope.mode, running, _alone: alone };
    if let Some(counted) = counted
        && let Some(failure) = refusal_if_not_counted(counted.await, run.invocation.entry.spec())
    {
        return release_reservation(core, &run, place, ticket, failure).await;
    }
    match run.running.stage.detach.clone() {
        Some(detach) => run_detachable(core, run, place, ticket, detach).await,
        None => run_attached(core, run, place, ticket).await,
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
    settle(core, run, place, ticket, report).await
}

/// The call runs in its own task. If the person interrupts, the model gets an answer at once, and the
/// result goes to the record alone.
async fn run_detachable(
    core: &Arc<ConversationCore>,
    run: CallRun,
    place: HistoryIndex,
    ticket: Ticket,
    detach: CancellationToken,
) -> Arc<ToolResponse> {
    let call = &run.invocation.call;
    let mut failure = Failure::new(ErrorType::Cancelled, DETACHED);
    failure.partial_side_effects = call.writes();
    let detached = Arc::new(failed(failure, core.info.stamp(call)));
    let core = core.clone();
    let work = tokio::spawn(async move { run_attached(&core, run, place, ticket).await });
    tokio::select! {
        biased;
        Ok(answer) = work => answer,
        () = detach.cancelled() => detached,
        else => detached,
    }
}

/// Answers a call that passed admission but lost the race for the last unit of its rate limit, or could
/// not be counted. It uses no budget, unless the person approved it: it was counted when it was made.
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
    // A record that cannot be written now is written when it can.
    let _ = settled.await;
    info.publish_answered(call.entry.as_deref(), outcome, &answer);
    answer
}

/// Begins a call after another process has taken the conversation: takes it again, and the ledger says
/// whether the call was made there meanwhile. A conversation that was ended there stays ended.
async fn begin_again(core: &Arc<ConversationCore>, start: &CallStart) -> Result<Begun, StoreError> {
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
    // The store that could not enter the call may not take its record either.
    drop(info.store().record_refusal(start, outcome.clone(), answer.clone()));
    info.publish_answered(call.entry.as_deref(), outcome, &answer);
    answer
}
