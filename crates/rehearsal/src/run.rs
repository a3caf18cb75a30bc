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
use aileron_script::{Report, Script, Step, What};
use aileron_store::Store;
use tokio::task::JoinHandle;

use crate::check::Fault;
use crate::claims::Traces;
use crate::toolset;
use crate::watcher::Watcher;
use crate::world::World;

/// How long anything may take on a busy machine before it counts as stuck.
const PATIENCE: Duration = Duration::from_secs(30);

/// A script under way.
#[derive(Debug)]
pub struct Run {
    terms: Terms,
    world: World,
    store: Arc<dyn Store>,
    watcher: Arc<Watcher>,
    orchestrator: Orchestrator,
    opening: OpenRequest,
    conversation: Conversation,
    /// Messages whose calls were started and whose answers nobody has got yet.
    started: VecDeque<JoinHandle<Vec<Arc<ToolResponse>>>>,
    /// The questions, by the call they are about.
    tokens: Vec<(CallId, String)>,
    traces: Traces,
    played: Vec<Played>,
    records_seen: usize,
    events_seen: usize,
}

/// The numbers and the tools that a script is played with.
#[derive(Debug, Clone)]
pub struct Terms {
    pub config: Config,
    pub registry: Arc<Registry>,
}

impl Default for Terms {
    /// What is shipped, and the tools of the tests.
    fn default() -> Self {
        Self { config: Config::default(), registry: toolset::ALL.clone() }
    }
}

/// What came of one step.
#[derive(Debug, Clone, Default)]
pub struct Played {
    pub line: usize,
    /// How questions ended, or what the door said.
    pub words: Vec<&'static str>,
    /// What the model is told, by the call it made.
    pub answers: Vec<(CallId, Arc<ToolResponse>)>,
}

/// A script that was played to its end.
#[derive(Debug, Clone)]
pub struct Rehearsed {
    /// One for each step.
    pub played: Vec<Played>,
    pub events: Vec<(ConversationId, ConversationEvent)>,
    pub entries: Vec<AuditEntry>,
}

impl Run {
    /// A conversation of the script's person, with nothing said yet.
    pub async fn begin(script: &Script, store: Arc<dyn Store>) -> Self {
        Self::with(script, store, Terms::default()).await
    }

    /// The same with other numbers or tools than those that are shipped.
    pub async fn with(script: &Script, store: Arc<dyn Store>, terms: Terms) -> Self {
        let (world, watcher) = (World::new(&readers(script)), Arc::new(Watcher::default()));
        let orchestrator = orchestrator(&terms.config, &world, &store, &watcher, &terms.registry);
        let id = ConversationId::new("conversation-1").unwrap();
        let opening = OpenRequest { id, mode: script.mode, person: person(&script.person) };
        let conversation = orchestrator.open(opening.clone()).await.unwrap();
        Self {
            terms,
            world,
            store,
            watcher,
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

    /// Makes the steps, up to the first that does not come true.
    pub async fn follow(&mut self, steps: &[Step]) -> Result<(), Fault> {
        for step in steps {
            self.played.push(Played { line: step.line, ..Played::default() });
            match tokio::time::timeout(PATIENCE, self.step(step)).await {
                Ok(result) => result?,
                Err(_) => return Err(Fault::new(step.line, "an end of this step", "none")),
            }
        }
        Ok(())
    }

    async fn step(&mut self, step: &Step) -> Result<(), Fault> {
        match &step.what {
            What::Writes { text } => self.writes(step, text).await,
            What::Says { text, begun_ms_ago } => self.says(step, text, *begun_ms_ago).await,
            What::Clicks { who, approve, question } => {
                self.clicks(step, who.as_deref(), *approve, question).await
            }
            What::Calls(calls) => {
                self.start(calls);
                self.get(step).await
            }
            What::Starts(calls) => {
                self.start(calls);
                Ok(())
            }
            What::Gets => self.get(step).await,
            What::Restart(tools) => self.restart(step, *tools).await,
            What::Opens { who, mode, id } => self.opens(step, who, *mode, id.as_deref()).await,
            What::Moves(mode) => self.moves(step, *mode).await,
            What::Records(records) => self.records(step.line, records).await,
            What::Event(text) => self.event(step.line, text).await,
            What::Held(call) => {
                self.world.kb.holds(call).await;
                Ok(())
            }
            What::Reported(report) => {
                let followed = self.conversation.on_event_durably(happening(*report)).await;
                let unfit =
                    |why: StateChangeError| Fault::new(step.line, "that it fits", why.to_string());
                followed.map(drop).map_err(unfit)
            }
            at_once => self.at_once(step.line, at_once),
        }
    }

    /// Steps that wait for nothing.
    fn at_once(&self, line: usize, what: &What) -> Result<(), Fault> {
        match what {
            What::Clock(ms) => self.world.clock.advance(*ms),
            What::Interrupt => self.conversation.interrupt(),
            What::Cancel(call) => self.conversation.cancel(std::slice::from_ref(call)),
            What::Release => self.world.kb.release(),
            What::Deploy => self.orchestrator.install(toolset::OTHER.clone()).unwrap(),
            What::ModelSays(_) | What::ModelThinks(_) => {}
            What::Events { count, text } => {
                let found = self.watcher.count(text).to_string();
                return Fault::unless_same(line, &count.to_string(), &found);
            }
            What::Nowhere(text) => return self.nowhere(line, text),
            other => return Err(Fault::new(line, "a step", format!("{other:?}"))),
        }
        Ok(())
    }

    fn now_playing(&mut self) -> &mut Played {
        self.played.last_mut().expect("a step is being made")
    }

    async fn event(&mut self, line: usize, text: &str) -> Result<(), Fault> {
        let found = self.watcher.find(self.events_seen, text).await;
        let at = found.map_err(|lines| {
            Fault::new(line, format!("an event {text:?}"), format!("{lines:#?}"))
        })?;
        self.events_seen = at + 1;
        Ok(())
    }
}

/// The readers that are shipped, but for those the script names.
pub fn readers(script: &Script) -> Readers {
    serde_json::from_value(script.readers.clone().into()).unwrap()
}

/// Who a script says somebody is.
pub fn person(who: &aileron_script::Person) -> Person {
    let aileron_script::Person { id, scopes, claims } = who.clone();
    Person { id, scopes, claims, ..Person::default() }
}

fn happening(report: Report) -> StateEvent {
    match report {
        Report::TurnEnds => StateEvent::TurnComplete,
        Report::FarewellSpoken => StateEvent::FarewellSpoken,
        Report::VoiceConnectionEnds => StateEvent::VoiceDisconnected,
        Report::VoiceConnectionIsBack => StateEvent::VoiceConnected,
        Report::PersonLeaves => StateEvent::Closed(EndReason::Person),
    }
}

fn orchestrator(
    config: &Config,
    world: &World,
    store: &Arc<dyn Store>,
    watcher: &Arc<Watcher>,
    registry: &Arc<Registry>,
) -> Orchestrator {
    let orchestrator = Orchestrator::new(Setup {
        config: config.clone(),
        store: store.clone(),
        platform: world.platform.clone(),
        clock: world.clock.clone(),
        observer: watcher.clone(),
        signer: Signer::new([7; 32]),
    });
    orchestrator.install(registry.clone()).unwrap();
    orchestrator
}
