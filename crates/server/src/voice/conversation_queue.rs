//! Runs operations on a conversation in the order in which they were queued: a call is never admitted before
//! its turn has begun. Calls run in separate tasks, so that a slow tool does not delay the audio.

use std::collections::VecDeque;
use std::future::poll_fn;
use std::sync::Arc;
use std::task::{Context, Poll};

use aileron_capability::envelope::{ResponseMeta, failed};
use aileron_contract::envelope::Failure;
use aileron_contract::transport::CallResult;
use aileron_contract::{CallId, ErrorType, ToolCall, ToolResponse};
use aileron_orchestrator::{
    ConfirmError, Conversation, LateAnswer, OpenError, Person, Resolution, TurnInput, TurnStarting,
};
use aileron_store::StoreError;
use futures_util::StreamExt;
use futures_util::future::BoxFuture;
use futures_util::stream::FuturesUnordered;
use tokio::runtime::Handle;

const TURN_NOT_BEGUN: &str = "the turn was not begun; its task was stopped";

const CALL_BROKEN_OFF: &str = "the call broke off; whether it took effect is not known";

/// The result of an operation.
#[derive(Debug)]
pub(crate) enum JobResult {
    Answers(Vec<CallResult>),
    Resolved(Vec<Resolution>),
    /// Results of tasks that the model may not have.
    TaskResults(Vec<LateAnswer>),
    Confirmed(Result<Resolution, ConfirmError>),
    TurnBegan {
        pending_message: Option<String>,
    },
    /// The start of the turn cannot be saved, so the turn before continues.
    TurnNotKept(OpenError),
}

#[derive(Debug)]
enum Job {
    Turn(TurnInput),
    /// Take the pending message although no turn begins.
    PendingMessage,
    Call(Vec<ToolCall>),
    Transcript {
        text: String,
        began_ms: u64,
    },
}

/// The result of starting a turn, or of taking the pending message.
struct TurnStart {
    pending_message: Option<String>,
    resolutions: Option<BoxFuture<'static, Vec<Resolution>>>,
    task_results: Vec<LateAnswer>,
}

impl From<TurnStarting> for TurnStart {
    fn from(turn: TurnStarting) -> Self {
        let TurnStarting { pending_message, resolutions, task_results, .. } = turn;
        Self { pending_message, resolutions: Some(resolutions), task_results }
    }
}

pub(crate) struct ConversationQueue {
    conversation: Conversation,
    /// The runtime on which calls run.
    call_runtime: Handle,
    waiting: VecDeque<Job>,
    turn_start: Option<BoxFuture<'static, Result<TurnStart, OpenError>>>,
    running: FuturesUnordered<BoxFuture<'static, JobResult>>,
}

impl ConversationQueue {
    pub(crate) fn new(conversation: Conversation, call_runtime: Handle) -> Self {
        Self {
            conversation,
            call_runtime,
            waiting: VecDeque::new(),
            turn_start: None,
            running: FuturesUnordered::new(),
        }
    }

    pub(crate) fn begin_turn(&mut self, input: TurnInput) {
        self.waiting.push_back(Job::Turn(input));
    }

    pub(crate) fn take_pending_message(&mut self) {
        self.waiting.push_back(Job::PendingMessage);
    }

    pub(crate) fn call(&mut self, calls: Vec<ToolCall>) {
        self.waiting.push_back(Job::Call(calls));
    }

    pub(crate) fn add_transcript(&mut self, text: String, began_ms: u64) {
        self.waiting.push_back(Job::Transcript { text, began_ms });
    }

    /// Takes the results of tasks that the model does not have.
    pub(crate) fn take_task_results(&mut self) {
        let conversation = self.conversation.clone();
        let results = async move { JobResult::TaskResults(conversation.task_results().await) };
        self.spawn(results, || JobResult::TaskResults(Vec::new()));
    }

    /// Resolves a confirmation at once, without queueing: a click may come at any time.
    pub(crate) fn confirm(&mut self, token: String, approve: bool, by: Person) {
        let conversation = self.conversation.clone();
        let confirmed = async move { conversation.confirm(&token, approve, &by).await };
        self.spawn(async move { JobResult::Confirmed(confirmed.await) }, || {
            JobResult::Confirmed(Err(ConfirmError::Unknown))
        });
    }

    /// Whether an operation is queued or running whose result is still to be reported: the start of a turn, a
    /// model's call, or a call that the person approved.
    pub(crate) fn is_unsettled(&self) -> bool {
        !self.running.is_empty() || self.turn_start.is_some() || !self.waiting.is_empty()
    }

    /// The next result; pending while no operation runs. Cancel-safe.
    pub(crate) async fn next(&mut self) -> JobResult {
        poll_fn(|cx| self.poll(cx)).await
    }

    pub(crate) fn poll(&mut self, cx: &mut Context<'_>) -> Poll<JobResult> {
        // Tasks and timers that are created below belong to the runtime of calls.
        let call_runtime = self.call_runtime.clone();
        let _entered = call_runtime.enter();
        loop {
            if let Some(turn_start) = &mut self.turn_start {
                if let Poll::Ready(turned) = turn_start.as_mut().poll(cx) {
                    self.turn_start = None;
                    let TurnStart { pending_message, resolutions, task_results } = match turned {
                        Ok(turn_start) => turn_start,
                        Err(error) => return Poll::Ready(JobResult::TurnNotKept(error)),
                    };
                    resolutions.into_iter().for_each(|resolutions| self.resolve(resolutions));
                    if !task_results.is_empty() {
                        let results = JobResult::TaskResults(task_results);
                        self.running.push(Box::pin(std::future::ready(results)));
                    }
                    return Poll::Ready(JobResult::TurnBegan { pending_message });
                }
            } else if let Some(job) = self.waiting.pop_front() {
                self.begin(job);
                continue;
            }
            return match self.running.poll_next_unpin(cx) {
                Poll::Ready(Some(done)) => Poll::Ready(done),
                Poll::Ready(None) | Poll::Pending => Poll::Pending,
            };
        }
    }

    fn begin(&mut self, job: Job) {
        match job {
            Job::Turn(input) => {
                let conversation = self.conversation.clone();
                self.run_turn_start(async move {
                    conversation.open_turn(input).await.map(TurnStart::from)
                });
            }
            Job::PendingMessage => {
                let conversation = self.conversation.clone();
                self.run_turn_start(async move {
                    let pending_message = conversation.take_pending_message().await;
                    Ok(TurnStart { pending_message, resolutions: None, task_results: Vec::new() })
                });
            }
            Job::Call(calls) => self.admit_calls(calls),
            Job::Transcript { text, began_ms } => {
                let resolutions = self.conversation.hear(text, began_ms);
                self.resolve(resolutions);
            }
        }
    }

    /// Starting a turn locks the conversation until the turn is durable, so it runs in a task: it finishes
    /// even if the session stops polling the queue, and the end of the session never waits for an abandoned
    /// lock.
    fn run_turn_start(
        &mut self,
        turn_start: impl Future<Output = Result<TurnStart, OpenError>> + Send + 'static,
    ) {
        let task = self.call_runtime.spawn(turn_start);
        let not_begun = |_| Err(StoreError::Unwritable { why: TURN_NOT_BEGUN.to_owned() }.into());
        self.turn_start = Some(Box::pin(async move { task.await.unwrap_or_else(not_begun) }));
    }

    fn resolve(&mut self, resolutions: BoxFuture<'static, Vec<Resolution>>) {
        let resolved = async move { JobResult::Resolved(resolutions.await) };
        self.spawn(resolved, || JobResult::Resolved(Vec::new()));
    }

    /// Admits the calls here, and runs them in a task.
    fn admit_calls(&mut self, calls: Vec<ToolCall>) {
        let ids: Vec<_> = calls.iter().map(|call| call.call_id.clone()).collect();
        let names: Vec<_> = calls.iter().map(|call| call.tool_id.clone()).collect();
        let version = self.conversation.registry().version().to_owned();
        let answers = self.conversation.admit(calls);
        let whose = ids.clone();
        let work = async move { JobResult::Answers(results(whose, answers.await)) };
        self.spawn(work, move || JobResult::Answers(broken(&ids, &names, &version)));
    }

    /// Runs work in a task. A task that panics or is stopped gets the `broken` result.
    fn spawn(
        &mut self,
        work: impl Future<Output = JobResult> + Send + 'static,
        broken: impl FnOnce() -> JobResult + Send + 'static,
    ) {
        let task = self.call_runtime.spawn(work);
        self.running.push(Box::pin(async move { task.await.unwrap_or_else(|_| broken()) }));
    }
}

fn results(ids: Vec<CallId>, answers: Vec<Arc<ToolResponse>>) -> Vec<CallResult> {
    let pair = |(call_id, response)| CallResult { call_id, response };
    ids.into_iter().zip(answers).map(pair).collect()
}

fn broken(ids: &[CallId], names: &[String], version: &str) -> Vec<CallResult> {
    let answer = |(call_id, tool_id): (&CallId, &String)| {
        let mut failure = Failure::new(ErrorType::Internal, CALL_BROKEN_OFF);
        failure.partial_side_effects = true;
        let stamp = ResponseMeta {
            tool_id,
            tool_version: None,
            registry_version: version,
            call_id,
            duration_ms: 0,
            attempts: 0,
            clamped: Vec::new(),
            over_budget: false,
        };
        CallResult { call_id: call_id.clone(), response: Arc::new(failed(failure, stamp)) }
    };
    ids.iter().zip(names).map(answer).collect()
}
