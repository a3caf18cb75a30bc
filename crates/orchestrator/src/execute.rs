//! Running what was admitted: reads side by side, writes in order and alone,
//! each under its deadline, tried again where that is allowed.

mod deadline;
mod replay;
mod retry;

use std::sync::Arc;

use aileron_contract::envelope::Failure;
use aileron_contract::spec::OnInterrupt;
use aileron_contract::{ErrorType, Outcome, ToolResponse, ToolSpec};
use aileron_runtime::envelope::failed;
use aileron_runtime::{Caller, Ending, Surroundings, ToolError};
use aileron_store::{Begun, CallStart, StoreError, Ticket};
use futures_util::future::join_all;

use crate::admit::{Admission, Admitted, Batch};
use crate::chain::Chain;
use crate::conversation::{Port, Seat, Shared};
use crate::draft::Draft;
use crate::event::Event;
use crate::history::Place;
use crate::toolset::Entry;

/// How a call was run.
#[derive(Debug)]
pub(crate) struct Ran {
    pub(crate) ending: Ending,
    pub(crate) attempts: u32,
    pub(crate) duration_ms: u64,
}

const WITHDRAWN: &str = "the call was taken back before it began";
const DETACHED: &str =
    "the person cut in; the action goes on by itself, its result is not reported";
const NOT_ENTERED: &str = "actions cannot be recorded at the moment, so none is begun";
const PREVENTED: &str = "ledger";

impl Batch {
    /// Runs the batch to its end.
    pub(crate) async fn run(self, shared: Arc<Shared>) -> Vec<Arc<ToolResponse>> {
        let mut answers = Vec::with_capacity(self.0.len());
        let mut together = Vec::new();
        for admission in self.0 {
            if !admission.runs_alone() {
                together.push(admission);
                continue;
            }
            answers.extend(side_by_side(&shared, &mut together).await);
            let answer = match &admission {
                Admission::Twin(draft, of) => shared.replay_twin(draft, answers.get(*of)),
                _ => shared.finish(admission).await,
            };
            answers.push(answer);
        }
        answers.extend(side_by_side(&shared, &mut together).await);
        answers
    }
}

async fn side_by_side(
    shared: &Arc<Shared>,
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
            Self::Run(admitted) => admitted.start.writes(),
            Self::Twin(..) => true,
            Self::Answered { .. } | Self::Asked(_) => false,
            Self::Known(..) | Self::Waits(..) => false,
        }
    }
}

impl Shared {
    async fn finish(self: &Arc<Self>, admission: Admission) -> Arc<ToolResponse> {
        match admission {
            Admission::Run(admitted) => self.run(*admitted).await,
            Admission::Answered { answer, recorded } => {
                // A record that cannot be written now is written when it can.
                let _ = recorded.await;
                answer
            }
            Admission::Asked(asked) => self.asked(*asked).await,
            Admission::Known(draft, known) => self.replay(*draft, known).await,
            Admission::Waits(draft, failure) => Arc::new(self.waits(&draft, *failure)),
            Admission::Twin(draft, _) => self.replay_twin(&draft, None),
        }
    }

    async fn run(self: &Arc<Self>, admitted: Admitted) -> Arc<ToolResponse> {
        let outer = admitted.draft.chain.clone();
        let writing = outer.as_ref().map_or(&self.writing, |outer| &outer.writing);
        let _alone = match admitted.start.writes() {
            true => Some(writing.lock().await),
            false => None,
        };
        let Admitted { draft, start, begun, seat, place } = admitted;
        let ticket = match begun.await {
            Ok(Begun::Started(ticket)) => ticket,
            Ok(Begun::Known(known)) => return self.replay(draft, known).await,
            Err(error) => return self.not_entered(&draft, start, &error).await,
        };
        let run = Run { draft, seat, place, key: start.key.clone() };
        match run.on_interrupt() {
            OnInterrupt::Detach => self.run_detachable(run, ticket).await,
            OnInterrupt::Continue | OnInterrupt::Cancel => self.run_attached(run, ticket).await,
        }
    }

    async fn run_attached(self: &Arc<Self>, run: Run, ticket: Ticket) -> Arc<ToolResponse> {
        let ran = self.execute(&run).await;
        self.settle(run, ticket, ran).await
    }

    /// The call goes on in a task of its own; if the person cuts in, the model is told so and the
    /// result goes to the record alone.
    async fn run_detachable(self: &Arc<Self>, run: Run, ticket: Ticket) -> Arc<ToolResponse> {
        let (stage, shared) = (run.seat.stage.clone(), self.clone());
        let detached = Arc::new(failed(detached(), self.stamp(&run.draft)));
        let work = tokio::spawn(async move { shared.run_attached(run, ticket).await });
        tokio::select! {
            biased;
            Ok(answer) = work => answer,
            () = stage.detach.cancelled() => detached,
            else => detached,
        }
    }

    async fn not_entered(
        &self,
        draft: &Draft,
        start: Arc<CallStart>,
        error: &StoreError,
    ) -> Arc<ToolResponse> {
        let mut failure = Failure::new(ErrorType::Unavailable, NOT_ENTERED);
        failure.suggestion = Some("say so, and try again later".to_owned());
        let (call_id, tool) = (draft.call_id.clone(), draft.tool_id.clone());
        self.tell(|| Event::Defect { call_id, tool, what: error.to_string() });
        let answer = Arc::new(failed(failure, self.stamp(draft)));
        let outcome = Outcome::refused_by(PREVENTED);
        // The store that could not enter the call may not take its record either.
        drop(self.core.store.record_refusal(start, outcome.clone(), answer.clone()));
        self.tell_answered(draft.entry.as_deref(), outcome, &answer);
        answer
    }

    async fn execute(self: &Arc<Self>, run: &Run) -> Ran {
        let Some(entry) = &run.draft.entry else { return Ran::nothing() };
        let Ok(args) = &run.draft.args else { return Ran::nothing() };
        if !run.seat.stage.start() {
            let error = ToolError::new(ErrorType::Cancelled, WITHDRAWN);
            let ending = Ending { result: Err(error), outcome: Outcome::Cancelled, defect: None };
            return Ran { ending, attempts: 0, duration_ms: 0 };
        }
        let (call_id, tool) = (&run.draft.call_id, &run.draft.tool_id);
        self.tell(|| Event::Started { call_id: call_id.clone(), tool: tool.clone() });
        let began = self.now();
        let deadline = self.deadline(entry, run.draft.chain.as_deref(), began);
        let mut attempts = 0;
        let ending = loop {
            attempts += 1;
            let surroundings = self.surroundings(run, entry, deadline);
            let work = entry.tool.run(args.clone(), surroundings);
            let ending = self.race(work, deadline, &run.seat.stage.cancel).await;
            match self.wait_before_retry(entry, &ending, attempts, began, deadline) {
                Some(until) if self.waited(until, &run.seat.stage.cancel).await => {}
                _ => break ending,
            }
        };
        Ran { ending, attempts, duration_ms: self.now().saturating_sub(began) }
    }

    fn surroundings(self: &Arc<Self>, run: &Run, entry: &Entry, deadline: u64) -> Surroundings {
        let caller = Caller {
            conversation: self.id.clone(),
            user: self.person.id.clone(),
            mode: self.mode,
            tool: entry.spec().tool_id.clone(),
            call_id: run.draft.call_id.clone(),
            idempotency_key: run.key.clone(),
        };
        let chain = entry.calls_tools.then(|| {
            Arc::new(Chain::new(
                (run.draft.tool_id.clone(), entry.spec().side_effects),
                (run.draft.call_id.clone(), run.key.clone()),
                deadline,
                run.draft.chain.clone(),
            ))
        });
        Surroundings {
            caller,
            platform: self.core.platform.clone(),
            conversation: Arc::new(Port::new(self, chain)),
            clock: self.core.clock.clone(),
            deadline,
            cancel: run.seat.stage.cancel.clone(),
            user: Some(self.user_view.clone()),
        }
    }
}

/// A call with its ticket.
#[derive(Debug)]
pub(crate) struct Run {
    pub(crate) draft: Draft,
    seat: Seat,
    pub(crate) place: Place,
    key: Arc<str>,
}

impl Run {
    fn on_interrupt(&self) -> OnInterrupt {
        self.draft.spec().map_or(OnInterrupt::Cancel, ToolSpec::on_interrupt)
    }
}

impl Ran {
    fn nothing() -> Self {
        let error = ToolError::new(ErrorType::Internal, ErrorType::Internal.sentence());
        let ending = Ending { result: Err(error), outcome: Outcome::Completed, defect: None };
        Self { ending, attempts: 0, duration_ms: 0 }
    }
}

fn detached() -> Failure {
    let mut failure = Failure::new(ErrorType::Cancelled, DETACHED);
    failure.partial_side_effects = true;
    failure
}
