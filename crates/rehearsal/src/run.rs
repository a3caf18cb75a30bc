//! Runs a script through the real pipeline, with the shipped numbers.

mod audit;
mod calls;
mod door;
mod person;

use std::collections::VecDeque;
use std::sync::Arc;
use std::time::Duration;

use aileron_capability::kb::Readers;
use aileron_contract::{AuditEntry, CallId, ConversationId, ToolResponse};
use aileron_orchestrator::state::{EndReason, StateEvent};
use aileron_orchestrator::token::Signer;
use aileron_orchestrator::{
    Config, Conversation, ConversationEvent, OpenRequest, Orchestrator, Person, Setup,
    StateChangeError,
};
use aileron_runtime::Registry;
use aileron_script::{ProviderReport, Script, ScriptStep, StepKind};
use aileron_store::Store;
use tokio::task::JoinHandle;

use crate::check::FailedExpectation;
use crate::claims::Traces;
use crate::environment::ScriptEnvironment;
use crate::observer::RecordingObserver;
use crate::toolset;

/// Time limit for any step on a busy machine.
const TIMEOUT: Duration = Duration::from_secs(30);

/// A running script.
#[derive(Debug)]
pub struct Run {
    options: RunOptions,
    environment: ScriptEnvironment,
    store: Arc<dyn Store>,
    observer: Arc<RecordingObserver>,
    orchestrator: Orchestrator,
    opening: OpenRequest,
    conversation: Conversation,
    /// Messages whose calls were started and whose answers were not collected yet.
    started: VecDeque<JoinHandle<Vec<Arc<ToolResponse>>>>,
    /// The confirmation tokens, by call.
    tokens: Vec<(CallId, String)>,
    traces: Traces,
    played: Vec<StepResult>,
    records_seen: usize,
    events_seen: usize,
}

/// The configuration and the tools of a run.
#[derive(Debug, Clone)]
pub struct RunOptions {
    pub config: Config,
    pub registry: Arc<Registry>,
}

impl Default for RunOptions {
    /// The shipped configuration, and the tools of the tests.
    fn default() -> Self {
        Self { config: Config::default(), registry: toolset::ALL.clone() }
    }
}

/// The result of one step.
#[derive(Debug, Clone, Default)]
pub struct StepResult {
    pub line: usize,
    /// How confirmations ended, or the result of opening the conversation.
    pub words: Vec<&'static str>,
    /// The results for the model, by call.
    pub answers: Vec<(CallId, Arc<ToolResponse>)>,
}

/// A script that was played to its end.
#[derive(Debug, Clone)]
pub struct RunResult {
    /// One for each step.
    pub played: Vec<StepResult>,
    pub events: Vec<(ConversationId, ConversationEvent)>,
    pub entries: Vec<AuditEntry>,
}

impl Run {
    /// Opens a conversation of the script's person.
    pub async fn begin(script: &Script, store: Arc<dyn Store>) -> Self {
        Self::with(script, store, RunOptions::default()).await
    }

    /// The same with another configuration or other tools.
    pub async fn with(script: &Script, store: Arc<dyn Store>, options: RunOptions) -> Self {
        let (environment, observer) =
            (ScriptEnvironment::new(&readers(script)), Arc::new(RecordingObserver::default()));
        let orchestrator =
            orchestrator(&options.config, &environment, &store, &observer, &options.registry);
        let id = ConversationId::new("conversation-1").unwrap();
        let opening = OpenRequest { id, mode: script.mode, person: person(&script.person) };
        let conversation = orchestrator.open(opening.clone()).await.unwrap();
        // As a server does when it starts: a process before may have been killed.
        orchestrator.resume_tasks().await.unwrap();
        Self {
            options,
            environment,
            store,
            observer,
            orchestrator,
            opening,
            conversation,
            started: VecDeque::new(),
            tokens: Vec::new(),
            traces: Traces::default(),
            played: Vec::new(),
            records_seen: 0,
            events_seen: 0,
        }
    }

    /// Runs the steps, up to the first unmet expectation.
    pub async fn follow(&mut self, steps: &[ScriptStep]) -> Result<(), FailedExpectation> {
        for step in steps {
            self.played.push(StepResult { line: step.line, ..StepResult::default() });
            match tokio::time::timeout(TIMEOUT, self.step(step)).await {
                Ok(result) => result?,
                Err(_) => {
                    return Err(FailedExpectation::new(step.line, "an end of this step", "none"));
                }
            }
        }
        Ok(())
    }

    async fn step(&mut self, step: &ScriptStep) -> Result<(), FailedExpectation> {
        match &step.what {
            StepKind::Writes { text } => self.writes(step, text).await,
            StepKind::Says { text, begun_ms_ago } => self.says(step, text, *begun_ms_ago).await,
            StepKind::Clicks { who, approve, question } => {
                self.clicks(step, who.as_deref(), *approve, question).await
            }
            StepKind::Calls(calls) => {
                self.start(calls);
                self.get(step).await
            }
            StepKind::Starts(calls) => {
                self.start(calls);
                Ok(())
            }
            StepKind::Gets => self.get(step).await,
            StepKind::Restart(tools) => self.restart(step, *tools).await,
            StepKind::Opens { who, mode, id } => self.opens(step, who, *mode, id.as_deref()).await,
            StepKind::Moves(mode) => self.moves(step, *mode).await,
            StepKind::Records(records) => self.records(step.line, records).await,
            StepKind::Event(text) => self.event(step.line, text).await,
            StepKind::Held(call) => {
                self.environment.kb.holds(call).await;
                Ok(())
            }
            StepKind::Reported(report) => {
                let followed = self.conversation.on_event_durably(happening(*report)).await;
                let unfit = |why: StateChangeError| {
                    FailedExpectation::new(step.line, "that it fits", why.to_string())
                };
                followed.map(drop).map_err(unfit)
            }
            at_once => self.at_once(step.line, at_once),
        }
    }

    /// Steps that do not wait.
    fn at_once(&self, line: usize, what: &StepKind) -> Result<(), FailedExpectation> {
        match what {
            StepKind::Clock(ms) => self.environment.clock.advance(*ms),
            StepKind::Interrupt => self.conversation.interrupt(),
            StepKind::Cancel(call) => self.conversation.cancel(std::slice::from_ref(call)),
            StepKind::Release => self.environment.kb.release(),
            StepKind::Deploy => self.orchestrator.install(toolset::OTHER.clone()).unwrap(),
            StepKind::ModelSays(_) | StepKind::ModelThinks(_) => {}
            StepKind::Events { count, text } => {
                let found = self.observer.count(text).to_string();
                return FailedExpectation::unless_same(line, &count.to_string(), &found);
            }
            StepKind::Nowhere(text) => return self.nowhere(line, text),
            other => return Err(FailedExpectation::new(line, "a step", format!("{other:?}"))),
        }
        Ok(())
    }

    fn now_playing(&mut self) -> &mut StepResult {
        self.played.last_mut().expect("a step is being made")
    }

    async fn event(&mut self, line: usize, text: &str) -> Result<(), FailedExpectation> {
        let found = self.observer.find(self.events_seen, text).await;
        let at = found.map_err(|lines| {
            FailedExpectation::new(line, format!("an event {text:?}"), format!("{lines:#?}"))
        })?;
        self.events_seen = at + 1;
        Ok(())
    }
}

/// The shipped readers, with those of the script replaced.
pub fn readers(script: &Script) -> Readers {
    serde_json::from_value(script.readers.clone().into()).unwrap()
}

/// The person of a script.
pub fn person(who: &aileron_script::Person) -> Person {
    let aileron_script::Person { id, scopes, claims } = who.clone();
    Person { id, scopes, claims, ..Person::default() }
}

fn happening(report: ProviderReport) -> StateEvent {
    match report {
        ProviderReport::TurnEnds => StateEvent::TurnComplete,
        ProviderReport::FarewellSpoken => StateEvent::FarewellSpoken,
        ProviderReport::VoiceConnectionEnds => StateEvent::VoiceDisconnected,
        ProviderReport::VoiceConnectionIsBack => StateEvent::VoiceConnected,
        ProviderReport::PersonLeaves => StateEvent::Closed(EndReason::Person),
    }
}

fn orchestrator(
    config: &Config,
    environment: &ScriptEnvironment,
    store: &Arc<dyn Store>,
    observer: &Arc<RecordingObserver>,
    registry: &Arc<Registry>,
) -> Orchestrator {
    let orchestrator = Orchestrator::new(Setup {
        config: config.clone(),
        store: store.clone(),
        platform: environment.platform.clone(),
        clock: environment.clock.clone(),
        observer: observer.clone(),
        signer: Signer::new([7; 32]),
    });
    orchestrator.install(registry.clone()).unwrap();
    orchestrator
}
