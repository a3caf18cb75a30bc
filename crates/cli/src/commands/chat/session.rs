//! The conversation and its agent.

use std::sync::Arc;

use aileron_agent::{Agent, ConfirmationAnswer, EventStream, TurnError, TurnStream};
use aileron_capability::SystemClock;
use aileron_contract::ConversationId;
use aileron_orchestrator::{Conversation, OpenError, OpenRequest, Orchestrator, Person, Setup};
use aileron_runtime::Registry;
use aileron_server::EventHub;
use aileron_simulator::RunningSimulator;
use aileron_store::Store;
use futures_util::StreamExt;

use super::json;
use crate::archive::{self, ArtifactKeeper};
use crate::args::ChatArgs;
use crate::installation;
use crate::output::{self, Failure};
use crate::seed;
use crate::settings::{ImageDisplay, OFFLINE, Settings, TextBackend};
use crate::storage::Storage;
use crate::writer;

/// An open conversation.
pub(super) struct ChatSession {
    orchestrator: Orchestrator,
    conversation: Conversation,
    person: Person,
    store: Arc<dyn Store>,
    event_hub: Arc<EventHub>,
    agent: Agent,
    /// The built-in provider, which runs until this is dropped.
    _built_in: RunningSimulator,
}

impl ChatSession {
    pub(super) async fn open(
        args: &ChatArgs,
        settings: &Settings,
        (registry, text): (Arc<Registry>, &str),
        writer: TextBackend,
    ) -> Result<Self, Failure> {
        if finds(&registry) {
            seed::knowledge(settings)?;
        }
        installation::missing_secrets([&*registry]).iter().for_each(|line| output::talk(line));
        let platform = installation::platform(
            [&*registry],
            settings,
            &settings.images.store(ImageDisplay::Here),
        )?;
        let Storage { store, signer, artifacts } = storage(args, settings)?;
        let kept = artifacts.clone().map(|artifacts| ArtifactKeeper::new(artifacts).keep(text));
        kept.transpose()?;
        let event_hub = Arc::new(EventHub::default());
        let setup = Setup {
            config: settings.policies.clone(),
            store: store.clone(),
            platform,
            clock: Arc::new(SystemClock),
            observer: event_hub.clone(),
            signer,
        };
        let orchestrator = Orchestrator::with_grammar(setup, settings.confirmation.grammar()?);
        let installed = orchestrator.install(registry);
        installed.map_err(|error| Failure::Usage(error.to_string()))?;
        if let Some(artifacts) = artifacts {
            archive::attach(&orchestrator, artifacts, settings);
        }
        let built_in = writer::built_in().await?;
        let named = writer::model(writer, &built_in)?;
        let (provider, name) = (named.provider, named.name);
        let agent = writer::agent(named.model, settings, store.clone())?;
        let id = id(args)?;
        greet(args, &id, provider, &name)?;
        let person =
            Person { id: args.user.clone(), scopes: args.scopes.clone(), ..Person::local() };
        let opening = OpenRequest { id, mode: args.mode, person: person.clone() };
        let conversation = orchestrator.open(opening).await.map_err(closed)?;
        // Work of an earlier session that was killed goes on, or is reported.
        let resumed = orchestrator.resume_tasks().await;
        resumed.map_err(|error| Failure::Failed(error.to_string()))?;
        Ok(Self {
            orchestrator,
            conversation,
            person,
            store,
            event_hub,
            agent,
            _built_in: built_in,
        })
    }

    pub(super) async fn say(&self, text: String) -> Result<TurnStream, Failure> {
        let opening = OpenRequest {
            id: self.conversation.id().clone(),
            mode: self.conversation.mode(),
            person: self.person.clone(),
        };
        // A person whom the last answer blocked cannot continue.
        self.orchestrator.open(opening).await.map_err(closed)?;
        self.agent.say(&self.conversation, text, self.watch()).await.map_err(refused)
    }

    pub(super) async fn confirm(
        &self,
        decisions: Vec<ConfirmationAnswer>,
    ) -> Result<TurnStream, Failure> {
        let person = self.person.clone();
        let confirmed = self.agent.confirm(&self.conversation, decisions, person, self.watch());
        confirmed.await.map_err(refused)
    }

    /// Waits until no turn and no call runs.
    pub(super) async fn settled(&self) {
        self.agent.wait_until_all_idle().await;
    }

    pub(super) async fn flush(&self) -> Result<(), Failure> {
        let flushed = self.store.flush().await;
        flushed
            .map_err(|error| Failure::Failed(format!("the transcript could not be saved: {error}")))
    }

    /// The events of the conversation from now on.
    pub(super) fn watch(&self) -> EventStream {
        self.event_hub.subscribe(self.conversation.id()).into_stream().boxed()
    }
}

impl Drop for ChatSession {
    /// Closes the store in order.
    fn drop(&mut self) {
        self.orchestrator.release(self.conversation.id());
    }
}

/// Prints the model, and the conversation id for continuing it.
fn greet(args: &ChatArgs, id: &ConversationId, provider: &str, model: &str) -> Result<(), Failure> {
    if args.json {
        return output::data(&json::conversation(id, provider, model).to_string());
    }
    match provider {
        OFFLINE => output::talk(writer::OFFLINE_NOTE),
        provider => output::talk(&format!("{provider}: {model}")),
    }
    if args.conversation.is_none() && !args.memory {
        output::talk(&format!("conversation {id}"));
    }
    Ok(())
}

/// Whether a tool uses the knowledge base.
fn finds(registry: &Registry) -> bool {
    registry.tools().iter().any(|tool| tool.spec().capabilities.iter().any(|it| it == "kb"))
}

fn storage(args: &ChatArgs, settings: &Settings) -> Result<Storage, Failure> {
    match args.memory {
        true => Ok(Storage::memory()),
        false => Storage::open(args.store.as_ref().unwrap_or(&settings.store.path)),
    }
}

fn id(args: &ChatArgs) -> Result<ConversationId, Failure> {
    if let Some(id) = &args.conversation {
        return Ok(id.clone());
    }
    let id = installation::fresh_id("chat")?;
    ConversationId::new(id).map_err(|error| Failure::Failed(error.to_string()))
}

/// A blocked person is a failure; other errors are wrong usage.
fn closed(error: OpenError) -> Failure {
    match error {
        OpenError::Blocked { .. } => Failure::Failed(error.to_string()),
        error => Failure::Usage(error.to_string()),
    }
}

fn refused(error: TurnError) -> Failure {
    Failure::Failed(error.to_string())
}
