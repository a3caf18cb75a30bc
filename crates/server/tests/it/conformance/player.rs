//! Plays a script through the server: the person over `/v1/voice` or `/api/chat`, the model behind
//! the provider's own protocol.

mod door;
mod model;
mod person;
mod writing;

use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::sync::Arc;

use aileron_contract::{CallId, ConversationId, Mode, UserId};
use aileron_orchestrator::Person;
use aileron_rehearsal::{
    RecordingObserver, RunOptions, ScriptEnvironment, StepResult, person, readers, toolset,
};
use aileron_script::{ProviderReport, ScriptStep, StepKind};
use aileron_simulator::simulated_model::ModelAction as Does;
use aileron_store::{AuditFilter, MemoryStore, Store};

use self::writing::Writing;
use super::Part;
use super::backstage::Backstage;
use super::decisions::Decisions;
use super::listener::Listener;
use super::stage::{Ground, Stage};
use super::transport::Transport;

/// How a conversation is held.
enum Channel {
    Voice(Listener),
    Text(Writing),
    /// No client is connected.
    None,
}

/// A conversation of one person.
#[derive(Debug, Clone)]
struct Talk {
    person: Person,
    id: ConversationId,
    mode: Mode,
    /// How many turns it had.
    turns: u64,
}

/// A message of the model whose answers were not delivered.
#[derive(Debug)]
struct Message {
    /// Which connection it came over.
    place: usize,
    /// The calls that were not made before over that connection, by their place in the message.
    fresh: BTreeMap<usize, CallId>,
    /// The person cut in, or the provider took a call of it back.
    is_cut: bool,
}

pub(super) struct Player {
    transport: Transport,
    terms: RunOptions,
    world: ScriptEnvironment,
    store: Arc<dyn Store>,
    watcher: Arc<RecordingObserver>,
    people: Vec<Person>,
    stage: Option<Stage>,
    backstage: Backstage,
    channel: Channel,
    /// Connections that were left open when another conversation began.
    others: Vec<Channel>,
    talk: Talk,
    started: VecDeque<Message>,
    /// How many results each call has over this connection.
    returned: BTreeMap<CallId, usize>,
    /// The calls that were made over this connection.
    made: BTreeSet<CallId>,
    /// Answers to calls that came twice, by line and place.
    repeated: BTreeSet<(usize, usize)>,
    /// How many results had come as text when this connection began.
    late_before: usize,
    events_seen: usize,
    /// Whether the conversation goes on over another connection than the one that was asked.
    is_resumed: bool,
    /// Whether the model is in the middle of saying something.
    is_speaking: bool,
    /// The messages with their speaker and turn.
    said: Vec<String>,
}

type Made = Result<(), String>;

impl Player {
    pub(super) async fn begin(transport: Transport, part: &Part) -> Self {
        let script = &part.script;
        let own = person(&script.person);
        let id = ConversationId::new("conversation-1").unwrap();
        let talk = Talk { person: own.clone(), id, mode: script.mode, turns: 0 };
        let mut player = Self {
            transport,
            terms: part.terms.clone(),
            world: ScriptEnvironment::new(&readers(script)),
            store: Arc::new(MemoryStore::new()),
            watcher: Arc::default(),
            people: people(&own),
            stage: None,
            backstage: Backstage::begin().await,
            channel: Channel::None,
            others: Vec::new(),
            talk,
            started: VecDeque::new(),
            returned: BTreeMap::new(),
            made: BTreeSet::new(),
            repeated: BTreeSet::new(),
            late_before: 0,
            events_seen: 0,
            is_resumed: false,
            is_speaking: false,
            said: Vec::new(),
        };
        player.stage = Some(player.open_stage(&part.terms.registry).await);
        match script.mode {
            Mode::Voice => assert_eq!(player.connect(None).await, "ok"),
            Mode::Text => player.channel = Channel::Text(Writing::default()),
        }
        player
    }

    async fn open_stage(&self, registry: &Arc<aileron_runtime::Registry>) -> Stage {
        let ground = Ground {
            config: &self.terms.config,
            world: &self.world,
            store: &self.store,
            watcher: &self.watcher,
            simulator: self.backstage.address(),
            written: self.over(Mode::Text),
            people: self.people.clone(),
        };
        Stage::open(&ground, registry).await
    }

    /// The transport that a mode is held over.
    fn over(&self, mode: Mode) -> Transport {
        if self.transport.mode() == mode { self.transport } else { self.transport.companion() }
    }

    fn stage(&self) -> &Stage {
        self.stage.as_ref().unwrap()
    }

    /// Makes a step, and waits for the same result as when the pipeline was driven directly.
    pub(super) async fn make(&mut self, step: &ScriptStep, played: &StepResult) -> Made {
        match &step.what {
            StepKind::Writes { text } => self.writes(text, played).await,
            StepKind::Says { text, .. } => self.says(text, played).await,
            StepKind::Clicks { who, approve, question } => {
                self.clicks(who.as_deref(), *approve, question, played).await
            }
            StepKind::Calls(calls) => {
                self.start(calls)?;
                self.get(played).await
            }
            StepKind::Starts(calls) => self.start(calls),
            StepKind::Gets => self.get(played).await,
            StepKind::ModelSays(text) => self.model_says(text).await,
            StepKind::Interrupt => self.interrupt().await,
            StepKind::Cancel(call) => self.take_back(call),
            StepKind::Restart(tools) => self.restart(*tools, played).await,
            StepKind::Opens { who, mode, id } => {
                self.opens(who, *mode, id.as_deref(), played).await
            }
            StepKind::Moves(mode) => self.moves(*mode).await,
            StepKind::Reported(report) => self.reported(*report).await,
            StepKind::Event(text) => self.event(text).await,
            StepKind::Held(call) => {
                self.world.kb.holds(call).await;
                Ok(())
            }
            at_once => self.at_once(at_once),
        }
    }

    fn at_once(&self, what: &StepKind) -> Made {
        match what {
            StepKind::Clock(ms) => self.world.clock.advance(*ms),
            StepKind::Release => self.world.kb.release(),
            StepKind::Deploy => self.stage().orchestrator.install(toolset::OTHER.clone()).unwrap(),
            // The model's thoughts have no effect; events and records are compared at the end.
            StepKind::ModelThinks(_) => {}
            StepKind::Records(_) | StepKind::Events { .. } | StepKind::Nowhere(_) => {}
            other => return Err(format!("no transport can do this: {other:?}")),
        }
        Ok(())
    }

    async fn reported(&mut self, report: ProviderReport) -> Made {
        match report {
            ProviderReport::TurnEnds => self.rest().await,
            ProviderReport::FarewellSpoken => {
                self.backstage.act(vec![Does::Say("Goodbye".to_owned())])
            }
            ProviderReport::PersonLeaves => self.leaves().await,
            ProviderReport::VoiceConnectionEnds => self.hang_up().await,
            ProviderReport::VoiceConnectionIsBack => {
                let word = self.connect(Some(self.talk.id.clone())).await;
                expect_word("ok", &word)
            }
        }
    }

    async fn event(&mut self, text: &str) -> Made {
        let found = self.watcher.find(self.events_seen, text).await;
        let at = found.map_err(|lines| format!("no event {text:?} among {lines:#?}"))?;
        self.events_seen = at + 1;
        Ok(())
    }

    /// Answers of the direct run that repeat others, and are given once over a connection.
    pub(super) fn repeated(&self) -> &BTreeSet<(usize, usize)> {
        &self.repeated
    }

    /// Checks that the log says who said what in which turn, where the model said something.
    pub(super) async fn log_holds(&mut self) -> Made {
        if !self.said.iter().any(|line| line.contains(" model: ")) {
            return Ok(());
        }
        self.rest().await?;
        self.hang_up().await?;
        let path = format!("/v1/conversations/{}/messages", self.talk.id);
        let log = self.client().get(&path).await.json();
        // Fillers are left out: the provider may say them or not.
        let is_of_script = |words: &str| self.said.iter().any(|line| line.ends_with(words));
        let texts = log["messages"].as_array().into_iter().flatten().filter_map(|message| {
            let text = message["text"].as_str().filter(|text| !text.is_empty())?;
            let words = format!(" {}: {text}", message["from"].as_str()?);
            is_of_script(&words).then(|| format!("{}{words}", message["turn"]))
        });
        let texts: Vec<_> = texts.collect();
        match texts == self.said {
            true => Ok(()),
            false => Err(format!("the log says {texts:#?}; what was said is {:#?}", self.said)),
        }
    }

    /// Everything that was decided.
    pub(super) async fn end(mut self) -> Decisions {
        self.stage().orchestrator.settled().await;
        self.backstage.look();
        self.store.flush().await.unwrap();
        self.store.verify_audit().unwrap();
        let records = self.store.audit(AuditFilter::default());
        let entries: Vec<_> = records.map(|record| record.unwrap().entry).collect();
        Decisions::new(&self.watcher.events(), &entries, &self.backstage.views)
    }

    /// The last events, for a report.
    pub(super) fn story(&mut self) -> String {
        self.backstage.story()
    }
}

/// Everybody who may come.
fn people(own: &Person) -> Vec<Person> {
    let known = ["ada", "bob"].map(|name| Person::known(UserId::new(name).unwrap()));
    let others = known.into_iter().filter(|other| other.id != own.id);
    others.chain(own.id.is_some().then(|| own.clone())).collect()
}

fn expect_word(wanted: &str, found: &str) -> Made {
    if wanted == found { Ok(()) } else { Err(format!("expected {wanted}, found {found}")) }
}
