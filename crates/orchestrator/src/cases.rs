//! Runs the cases of tools through the whole pipeline. Each case has its own conversation, store
//! and platform, so that cases do not affect each other.
//!
//! Confirmations count as approved, and there are no retries: the clock of a case stands still
//! until its tool has really used up its time.

mod observer;

use std::sync::Arc;

use aileron_capability::{Clock, ManualClock, SystemClock};
use aileron_contract::{
    Arguments, CallId, ConversationId, IdError, Mode, ToolCall, ToolResponse, UserId,
};
use aileron_runtime::cases::{Case, CaseWorld, differences};
use aileron_runtime::{Registry, Tool};
use aileron_store::MemoryStore;
use serde_json::Value;

use self::observer::RecordingObserver;
use crate::config::{Config, Retries};
use crate::confirmation::Resolution;
use crate::conversation::Conversation;
use crate::open_request::OpenRequest;
use crate::orchestrator::{Orchestrator, Setup};
use crate::person::Person;
use crate::state::{EndReason, StateEvent};
use crate::token::Signer;
use crate::toolset::{ConditionError, Toolset};
use crate::turn::TurnInput;

/// How a case went in one mode.
#[derive(Debug, Clone, PartialEq)]
pub struct CaseReport {
    /// The differences between the answer and the expected one; empty if there are none.
    pub differences: Vec<String>,
    /// Log lines, defects and refused intents of the case, one line each.
    pub notes: Vec<String>,
    /// The answer, unless the case could not be started.
    pub answer: Option<Arc<ToolResponse>>,
}

impl CaseReport {
    /// Whether the answer was the expected one.
    pub fn is_ok(&self) -> bool {
        self.differences.is_empty()
    }
}

/// Runs the cases of a registry's tools.
#[derive(Debug)]
pub struct CaseRunner {
    toolset: Arc<Toolset>,
}

impl CaseRunner {
    /// A runner for the tools of a registry.
    pub fn new(registry: Arc<Registry>) -> Result<Self, ConditionError> {
        Ok(Self { toolset: Arc::new(Toolset::new(registry)?) })
    }

    /// Makes the call of a case and compares its answer.
    pub async fn run(&self, tool: &Tool, case: &Case, mode: Mode) -> CaseReport {
        let watcher = Arc::new(RecordingObserver::default());
        let answered = self.answer(tool, case, mode, &watcher).await;
        let notes = watcher.notes();
        match answered {
            Ok(answer) => CaseReport {
                differences: differences(&case.expect, &answer),
                notes,
                answer: Some(answer),
            },
            Err(why) => CaseReport { differences: vec![why], notes, answer: None },
        }
    }

    async fn answer(
        &self,
        tool: &Tool,
        case: &Case,
        mode: Mode,
        watcher: &Arc<RecordingObserver>,
    ) -> Result<Arc<ToolResponse>, String> {
        let world = case.given.world(mode);
        let person = person(case.given.user.as_ref())?;
        let id = ConversationId::new("case").map_err(unexpected)?;
        let opening = OpenRequest { id: id.clone(), mode, person: person.clone() };
        let orchestrator = self.orchestrator(&world, watcher);
        let opened = orchestrator.open(opening).await;
        let conversation = opened.map_err(|error| error.to_string())?;
        let begun = conversation.begin_turn(TurnInput::Written).await;
        begun.map_err(|error| error.to_string())?;
        if !case.given.session.is_active {
            let closed = StateEvent::Closed(EndReason::Person);
            let ended = conversation.on_event_durably(closed).await;
            ended.map_err(|error| error.to_string())?;
        }
        let made = made(&conversation, &person, call(tool, case)?);
        let answer = in_time(made, tool, &world.clock).await;
        orchestrator.release(&id);
        answer
    }

    fn orchestrator(&self, world: &CaseWorld, watcher: &Arc<RecordingObserver>) -> Orchestrator {
        let retries = Retries { text: 0, voice: 0, base_ms: 0 };
        let orchestrator = Orchestrator::new(Setup {
            config: Config { retries, ..Config::default() },
            store: Arc::new(MemoryStore::new()),
            platform: (*world.platform).clone(),
            clock: world.clock.clone(),
            observer: watcher.clone(),
            // The tokens of a case are used only here, so that a fixed key is safe.
            signer: Signer::new([0; 32]),
        });
        orchestrator.install_toolset(self.toolset.clone());
        orchestrator
    }
}

/// Makes the call, approves it if it needs a confirmation, and waits for its result.
async fn made(
    conversation: &Conversation,
    person: &Person,
    call: ToolCall,
) -> Result<Arc<ToolResponse>, String> {
    let answer = first(conversation.call(vec![call]).await)?;
    let request = answer.failure().and_then(|failure| failure.confirmation_request.as_ref());
    let Some(request) = request else { return ended(conversation, answer).await };
    let resolved = conversation.confirm(&request.token, true, person).await;
    match resolved.map_err(|error| error.to_string())? {
        Resolution::Approved(late)
        | Resolution::Declined(late)
        | Resolution::Expired(late)
        | Resolution::Superseded(late) => {
            ended(conversation, first(late.into_iter().map(|late| late.answer))?).await
        }
        Resolution::Known(earlier) => Err(format!("it was answered before: {earlier:?}")),
        Resolution::AskAgain { preview } => Err(format!("the person is asked again: {preview}")),
    }
}

/// The result of a call; waits for a task.
async fn ended(
    conversation: &Conversation,
    answer: Arc<ToolResponse>,
) -> Result<Arc<ToolResponse>, String> {
    conversation.final_answer(answer).await.map_err(|error| error.to_string())
}

/// Moves the clock of the case past the tool's deadline once that much real time has passed.
async fn in_time<T>(work: impl Future<Output = T>, tool: &Tool, clock: &ManualClock) -> T {
    let timeout = tool.spec().timeout_ms();
    let patience = SystemClock.wait_until(SystemClock.now_ms().saturating_add(timeout));
    tokio::pin!(work);
    tokio::select! {
        biased;
        done = &mut work => return done,
        () = patience => clock.advance(timeout),
    }
    work.await
}

fn first(
    answers: impl IntoIterator<Item = Arc<ToolResponse>>,
) -> Result<Arc<ToolResponse>, String> {
    answers.into_iter().next().ok_or_else(|| "the call has no answer".to_owned())
}

fn call(tool: &Tool, case: &Case) -> Result<ToolCall, String> {
    Ok(ToolCall {
        call_id: CallId::new("case-call").map_err(unexpected)?,
        tool_id: tool.spec().tool_id.to_string(),
        args: Arguments::from(case.args.clone()),
    })
}

/// The person of a case: `id` and `scopes` as in credentials, the rest as claims.
fn person(user: Option<&Value>) -> Result<Person, String> {
    let Some(user) = user.filter(|user| !user.is_null()) else { return Ok(Person::default()) };
    let claims = user.as_object().ok_or("/given/user: expected an object")?.clone();
    let id = claims.get("id").and_then(Value::as_str).map(UserId::new).transpose();
    let scopes = claims.get("scopes").and_then(Value::as_array).into_iter().flatten();
    let scopes = scopes.filter_map(Value::as_str).map(str::to_owned).collect();
    let id = id.map_err(|error| format!("/given/user/id: {error}"))?;
    Ok(Person { id, scopes, claims, ..Person::default() })
}

fn unexpected(error: IdError) -> String {
    error.to_string()
}
