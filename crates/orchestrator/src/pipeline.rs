//! The pipeline of one batch: admit, execute, settle. A batch is admitted whole, under the conversation's
//! lock and without waiting, before any of its calls runs.

use std::sync::Arc;

use aileron_contract::envelope::Failure;
use aileron_contract::{ErrorType, Outcome, ToolCall, ToolResponse};
use aileron_store::{CallStart, Counter, PendingWrite, Store};
use futures_util::future::join_all;

use crate::admission::{
    Admission, DecidedCall, Decision, Delivery, Finality, Refusal, Reservation,
};
use crate::call_identity::CallIdentity;
use crate::candidate::{CandidateCall, Duplicate, IdSource};
use crate::confirmation::{ConfirmationStart, Confirmations, HELD, WaitingCall, publish, request};
use crate::conversation_core::{ConversationCore, Locked};
use crate::conversation_info::ConversationInfo;
use crate::executor::PendingStart;
use crate::history::CallEnd;
use crate::invocation::Invocation;
use crate::policy::{PolicyName, StoreView};
use crate::refusal::{AnsweredCall, refuse};
use crate::replayed_answer::{replay, replay_earlier};
use crate::run_call::{AdmittedCall, run};
use crate::trail::Trail;

/// The calls of one batch, each with its remaining step.
#[derive(Debug)]
pub(crate) struct Batch(Vec<CallStep>);

/// The remaining step of a decided call.
#[derive(Debug)]
enum CallStep {
    Run(Box<AdmittedCall>),
    /// It is answered, and its record is being written.
    Answered(AnsweredCall),
    /// The confirmation is being stored; then the call is answered.
    Confirm(Box<ConfirmationStart>),
    Replay(Box<ReplayStep>),
}

#[derive(Debug)]
struct ReplayStep {
    call: CallIdentity,
    of: Duplicate,
    /// Set if the call has a separate record.
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
    let ledger = StoreView { store: core.info.store(), tasks: &core.info.services.tasks };
    let admission = admission(&core.info, &locked.confirmations, &ledger, now);
    let decided = admission.evaluate_batch(calls, &mut locked.policy);
    let held = |one: &DecidedCall| matches!(one.decision, Decision::Hold(_));
    let mut held: Vec<_> =
        decided.iter().filter(|one| held(one)).map(|one| WaitingCall::of(&one.call)).collect();
    Batch(decided.into_iter().map(|one| start(core, one, &mut held, locked, now)).collect())
}

/// The facts that decisions in this conversation depend on.
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

/// Acts on a decision. A call that needs a confirmation also gets the calls in `held`, which wait
/// for it.
fn start(
    core: &Arc<ConversationCore>,
    DecidedCall { call, decision, trail }: DecidedCall,
    held: &mut Vec<WaitingCall>,
    locked: &mut Locked,
    now: u64,
) -> CallStep {
    let info = &core.info;
    info.publish_decided(&call, &trail, locked.policy.turn);
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

/// Enters a call into the ledger. From then on, duplicates find it there.
pub(crate) fn enter<T>(
    core: &ConversationCore,
    invocation: Invocation,
    trail: &Trail,
    locked: &Locked,
    now: u64,
    begin: impl FnOnce(&dyn Store, Arc<CallStart>) -> PendingWrite<T>,
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
) -> AnsweredCall {
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
        // If the record cannot be written now, the store retries it.
        let _ = recorded.await;
    }
    answer
}
