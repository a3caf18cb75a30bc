//! RunningEntry what was admitted: reads side by side, writes in order and alone,
//! each under its deadline, tried again where that is allowed.

mod deadline;
mod limit;
mod replay;
mod retry;

use std::sync::Arc;

use aileron_contract::envelope::Failure;
use aileron_contract::{ErrorType, Mode, Outcome, ToolResponse};
use aileron_runtime::envelope::failed;
use aileron_runtime::{Caller, Ending, Surroundings, ToolError};
use aileron_store::{Begun, CallStart, StoreError, Ticket};
use futures_util::future::join_all;
use tokio::sync::{Mutex, OwnedMutexGuard};
use tokio_util::sync::CancellationToken;

use crate::admit::{Admission, Admitted, Batch, Entered};
use crate::call_identity::CallIdentity;
use crate::candidate::Duplicate;
use crate::conversation::{ATTEMPTS, ConversationCore};
use crate::event::ConversationEvent;
use crate::handler_view::HandlerView;
use crate::history::HistoryIndex;
use crate::invocation::Invocation;
use crate::nested::{ChildNumbers, ParentCall};
use crate::policy::rate_limit;
use crate::running::RunningCall;
use crate::toolset::Entry;

/// A call with its place among those that run.
#[derive(Debug)]
pub(crate) struct CallRun {
    pub(crate) invocation: Invocation,
    pub(crate) place: HistoryIndex,
    /// The mode it was let through in. A conversation may move on meanwhile; its calls do not.
    pub(crate) mode: Mode,
    seat: RunningCall,
    _alone: Alone,
}

/// Held by a call that writes, from its turn to its end: they run one at a time.
#[derive(Debug)]
pub(crate) struct Alone(
    #[expect(dead_code, reason = "held, never read")] Option<OwnedMutexGuard<()>>,
);

/// How a call was run.
#[derive(Debug)]
pub(crate) struct RunReport {
    pub(crate) ending: Ending,
    pub(crate) attempts: u32,
    pub(crate) duration_ms: u64,
}

const WITHDRAWN: &str = "the call was taken back before it began";
const DETACHED: &str =
    "the person cut in; the action goes on by itself, its result is not reported";
const NOT_ENTERED: &str = "actions cannot be recorded at the moment, so none is begun";
/// Who refuses what cannot be entered, as records say.
pub(crate) const LEDGER: &str = "ledger";

impl Batch {
    /// Runs the batch to its end.
    pub(crate) async fn run(self, shared: Arc<ConversationCore>) -> Vec<Arc<ToolResponse>> {
        let mut answers = Vec::with_capacity(self.0.len());
        let mut together = Vec::new();
        for admission in self.0 {
            if !admission.runs_alone() {
                together.push(admission);
                continue;
            }
            answers.extend(side_by_side(&shared, &mut together).await);
            let answer = match admission {
                Admission::Twin(call, of) => shared.replay_twin(&call, answers.get(of)),
                Admission::Repeat(repeat) => {
                    let earlier = match repeat.duplicate_of {
                        Duplicate::Earlier(of) => answers.get(of).cloned(),
                        Duplicate::Known(_) => None,
                    };
                    shared.repeat(*repeat, earlier).await
                }
                other => shared.finish(other).await,
            };
            answers.push(answer);
        }
        answers.extend(side_by_side(&shared, &mut together).await);
        answers
    }
}

async fn side_by_side(
    shared: &Arc<ConversationCore>,
    together: &mut Vec<Admission>,
) -> Vec<Arc<ToolResponse>> {
    if together.len() > 1 {
        return join_all(together.drain(..).map(|one| shared.finish(one))).await;
    }
    match together.pop() {
        Some(one) => vec![shared.finish(one).await],
        None => Vec::new(),
    }
}

impl Admission {
    fn runs_alone(&self) -> bool {
        match self {
            Self::Run(admitted) => admitted.entered.start.writes(),
            Self::Twin(..) => true,
            Self::Repeat(repeat) => matches!(repeat.duplicate_of, Duplicate::Earlier(_)),
            Self::Answered(_) | Self::Asked(_) | Self::Known(..) => false,
        }
    }
}

impl ConversationCore {
    async fn finish(self: &Arc<Self>, admission: Admission) -> Arc<ToolResponse> {
        match admission {
            Admission::Run(admitted) => self.run(*admitted).await,
            Admission::Answered(answered) => answered.told().await,
            Admission::Asked(asked) => self.asked(*asked).await,
            Admission::Known(call, known) => self.replay(&call, known).await,
            Admission::Twin(call, _) => self.replay_twin(&call, None),
            Admission::Repeat(repeat) => self.repeat(*repeat, None).await,
        }
    }

    async fn run(self: &Arc<Self>, admitted: Admitted) -> Arc<ToolResponse> {
        let alone = self.alone(&admitted.entered.invocation).await;
        self.run_alone(admitted, alone).await
    }

    /// Waits until it is the call's turn.
    pub(crate) async fn alone(&self, invocation: &Invocation) -> Alone {
        match invocation.call.writes() {
            true => Alone(Some(self.write_lock(invocation).clone().lock_owned().await)),
            false => Alone(None),
        }
    }

    /// The call's turn, if it has come.
    pub(crate) fn try_alone(&self, invocation: &Invocation) -> Option<Alone> {
        match invocation.call.writes() {
            true => self.write_lock(invocation).clone().try_lock_owned().ok().map(Some).map(Alone),
            false => Some(Alone(None)),
        }
    }

    /// A call made by another is inside of that call's turn, and alone in there.
    fn write_lock<'a>(&'a self, invocation: &'a Invocation) -> &'a Arc<Mutex<()>> {
        invocation.chain.as_ref().map_or(&self.write_lock, |outer| &outer.write_lock)
    }

    /// Runs a call whose turn it is.
    pub(crate) async fn run_alone(
        self: &Arc<Self>,
        admitted: Admitted,
        alone: Alone,
    ) -> Arc<ToolResponse> {
        let Admitted { entered: Entered { invocation, start, begun, seat }, share } = admitted;
        let begun = match begun.await {
            Err(StoreError::NotOwner { .. }) => self.begin_again(&start).await,
            begun => begun,
        };
        let ticket = match begun {
            Ok(Begun::Started(ticket)) => ticket,
            Ok(Begun::Known(known)) => return self.replay(&invocation.call, known).await,
            Err(error) => return self.not_entered(&invocation.call, start, &error),
        };
        let mode = start.scope.mode;
        let run = CallRun { invocation, place: share.place, mode, seat, _alone: alone };
        if let Some(counted) = share.counted
            && let Some(failure) = rate_limit::refusal(counted.await, run.invocation.entry.spec())
        {
            return self.not_counted(&run, ticket, *failure).await;
        }
        match run.seat.stage.detach.clone() {
            Some(detach) => self.run_detachable(run, ticket, detach).await,
            None => self.run_attached(run, ticket).await,
        }
    }

    async fn run_attached(self: &Arc<Self>, run: CallRun, ticket: Ticket) -> Arc<ToolResponse> {
        let ran = self.execute(&run).await;
        self.settle(run, ticket, ran).await
    }

    /// The call goes on in a task of its own; if the person cuts in, the model is told so and the
    /// result goes to the record alone.
    async fn run_detachable(
        self: &Arc<Self>,
        run: CallRun,
        ticket: Ticket,
        detach: CancellationToken,
    ) -> Arc<ToolResponse> {
        let shared = self.clone();
        let call = &run.invocation.call;
        let detached = Arc::new(failed(detached(call.writes()), self.stamp(call)));
        let work = tokio::spawn(async move { shared.run_attached(run, ticket).await });
        tokio::select! {
            biased;
            Ok(answer) = work => answer,
            () = detach.cancelled() => detached,
            else => detached,
        }
    }

    /// Another process took the conversation over after the call was let through. It is taken again,
    /// and the ledger says whether the call was made there meanwhile. A conversation that was ended
    /// there stays ended.
    async fn begin_again(self: &Arc<Self>, start: &CallStart) -> Result<Begun, StoreError> {
        let not_owner = || StoreError::NotOwner { conversation: self.id.to_string() };
        let mut scope = start.scope.clone();
        for _ in 0..ATTEMPTS {
            self.own_again(&scope.lease).await.map_err(|_| not_owner())?;
            scope = self.lock().memory.scope.clone();
            let start = CallStart { scope: scope.clone(), ..start.clone() };
            match self.core.store.begin(Arc::new(start)).await {
                Err(StoreError::NotOwner { .. }) => {}
                begun => return begun,
            }
        }
        Err(not_owner())
    }

    /// A call that could not be entered into the ledger is not run.
    fn not_entered(
        &self,
        call: &CallIdentity,
        start: Arc<CallStart>,
        error: &StoreError,
    ) -> Arc<ToolResponse> {
        self.defect(call, error.to_string());
        let answer = Arc::new(failed(not_entered(), self.stamp(call)));
        let outcome = Outcome::refused_by(LEDGER);
        // The store that could not enter the call may not take its record either.
        drop(self.core.store.record_refusal(start, outcome.clone(), answer.clone()));
        self.publish_answered(call.entry.as_deref(), outcome, &answer);
        answer
    }

    async fn execute(self: &Arc<Self>, run: &CallRun) -> RunReport {
        if !run.seat.stage.start() {
            let error = ToolError::new(ErrorType::Cancelled, WITHDRAWN);
            let ending = Ending { result: Err(error), outcome: Outcome::Cancelled, defect: None };
            return RunReport { ending, attempts: 0, duration_ms: 0 };
        }
        let Invocation { call, entry, args, chain, .. } = &run.invocation;
        self.publish(|| ConversationEvent::Started {
            call_id: call.call_id.clone(),
            tool: call.tool_id.clone(),
        });
        let began = self.now();
        let deadline = self.deadline(run, chain.as_deref(), began);
        let numbers = entry.calls_tools.then(Arc::<ChildNumbers>::default);
        let mut attempts = 0;
        let ending = loop {
            attempts += 1;
            let inside = numbers.as_ref().map(|numbers| {
                Arc::new(ParentCall::new(&run.invocation, deadline, numbers.clone()))
            });
            let surroundings = self.surroundings(run, deadline, inside);
            let work = entry.tool.run((**args).clone(), surroundings);
            let ending = self.race(work, deadline, &run.seat.stage.cancel).await;
            let again = self.retry_at(run, &ending, attempts, deadline);
            let Some(again) = again else { break ending };
            if !self.wait(again, &run.seat.stage.cancel).await {
                break ending;
            }
        };
        RunReport { ending, attempts, duration_ms: self.now().saturating_sub(began) }
    }

    /// On whose behalf this call is made.
    pub(crate) fn caller(&self, call: &CallIdentity, entry: &Entry, mode: Mode) -> Caller {
        Caller {
            conversation: self.id.clone(),
            user: self.person.id.clone(),
            scopes: self.scopes.clone(),
            mode,
            tool: entry.spec().tool_id.clone(),
            call_id: call.call_id.clone(),
            idempotency_key: call.key.clone(),
        }
    }

    fn surroundings(
        self: &Arc<Self>,
        run: &CallRun,
        deadline: u64,
        inside: Option<Arc<ParentCall>>,
    ) -> Surroundings {
        let Invocation { call, entry, chain, .. } = &run.invocation;
        let caller = self.caller(call, entry, run.mode);
        Surroundings {
            caller,
            platform: self.core.platform.clone(),
            conversation: Arc::new(HandlerView::new(self, inside)),
            clock: self.core.clock.clone(),
            deadline,
            cancel: run.seat.stage.cancel.clone(),
            user: Some(self.user_view.clone()),
            depth: chain.as_ref().map_or(0, |outer| outer.depth()),
        }
    }
}

/// What a call that writes is told while nothing can be recorded.
pub(crate) fn not_entered() -> Failure {
    let mut failure = Failure::new(ErrorType::Unavailable, NOT_ENTERED);
    failure.suggestion = Some("say so, and try again later".to_owned());
    failure
}

fn detached(writes: bool) -> Failure {
    let mut failure = Failure::new(ErrorType::Cancelled, DETACHED);
    failure.partial_side_effects = writes;
    failure
}
