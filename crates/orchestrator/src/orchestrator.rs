//! What all conversations of a process share, and how one is opened.

mod error;

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError, RwLock};

use aileron_contract::{ConversationId, Mode, ToolCall};
use aileron_runtime::{Clock, Platform, Registry};
use aileron_store::Store;

pub use self::error::OpenError;
use crate::archive::Archive;
use crate::config::Config;
use crate::conversation::{Conversation, ConversationCore, StateChangeError, end_stored, stored};
use crate::detach_on_drop::detach_on_drop;
use crate::dry_run::Decision;
use crate::event::Observer;
use crate::in_flight::InFlight;
use crate::maintenance::Maintenance;
use crate::person::Person;
use crate::snapshot::ConversationSnapshot;
use crate::state::{EndReason, StateEvent};
use crate::token::Signer;
use crate::toolset::{ConditionError, Toolset};
use crate::yes_no::Grammar;

/// What an orchestrator is made of.
#[derive(Debug)]
pub struct Setup {
    pub config: Config,
    pub store: Arc<dyn Store>,
    pub platform: Platform,
    pub clock: Arc<dyn Clock>,
    pub observer: Arc<dyn Observer>,
    /// Signs confirmations. The same after a restart, or they are void.
    pub signer: Signer,
}

/// Runs conversations. Clones are the same orchestrator.
#[derive(Debug, Clone)]
pub struct Orchestrator(Arc<Core>);

#[derive(Debug)]
pub(crate) struct Core {
    pub(crate) config: Config,
    pub(crate) store: Arc<dyn Store>,
    pub(crate) platform: Arc<Platform>,
    pub(crate) clock: Arc<dyn Clock>,
    pub(crate) observer: Arc<dyn Observer>,
    pub(crate) signer: Signer,
    pub(crate) grammar: Arc<Grammar>,
    pub(crate) maintenance: Maintenance,
    pub(crate) in_flight: InFlight,
    toolsets: RwLock<Toolsets>,
    pub(crate) archive: OnceLock<Arc<dyn Archive>>,
    open: Mutex<BTreeMap<ConversationId, Conversation>>,
}

/// The registries that are loaded, and the one new conversations get.
#[derive(Debug, Default)]
struct Toolsets {
    loaded: BTreeMap<String, Arc<Toolset>>,
    current: Option<Arc<Toolset>>,
}

/// Which conversation to open, how and with whom.
#[derive(Debug, Clone)]
pub struct OpenRequest {
    pub id: ConversationId,
    pub mode: Mode,
    pub person: Person,
}

/// How somebody comes to a conversation that is held in the other mode.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum ModeEntry {
    /// They are let in if the conversation expects them there.
    Asked,
    /// They said that it goes on there.
    Moved,
}

impl Orchestrator {
    /// An orchestrator without a registry, which understands a spoken yes or no in English.
    pub fn new(setup: Setup) -> Self {
        Self::with_grammar(setup, Grammar::english().clone())
    }

    /// The same for people who answer in another language.
    pub fn with_grammar(setup: Setup, grammar: Arc<Grammar>) -> Self {
        let Setup { config, store, platform, clock, observer, signer } = setup;
        Self(Arc::new(Core {
            config,
            store,
            platform: Arc::new(platform),
            clock,
            observer,
            signer,
            grammar,
            maintenance: Maintenance::default(),
            in_flight: InFlight::default(),
            toolsets: RwLock::default(),
            archive: OnceLock::new(),
            open: Mutex::default(),
        }))
    }

    /// Loads a registry beside those that are there; new conversations get it.
    pub fn install(&self, registry: Arc<Registry>) -> Result<(), ConditionError> {
        self.adopt(Arc::new(Toolset::new(registry)?));
        Ok(())
    }

    /// Says where registries are found that conversations began with and that are not loaded. The
    /// first archive that is named stays.
    pub fn set_archive(&self, archive: Arc<dyn Archive>) {
        let _ = self.0.archive.set(archive);
    }

    /// Takes a toolset whose rules are worked out.
    pub(crate) fn adopt(&self, toolset: Arc<Toolset>) {
        let version = toolset.registry().version().to_owned();
        let mut toolsets = self.0.toolsets.write().unwrap_or_else(PoisonError::into_inner);
        toolsets.loaded.insert(version, toolset.clone());
        toolsets.current = Some(toolset);
    }

    /// Forgets a registry, unless new conversations get it; says whether it was there. Conversations
    /// that are open keep it.
    pub fn retire(&self, version: &str) -> bool {
        let mut toolsets = self.0.toolsets.write().unwrap_or_else(PoisonError::into_inner);
        let current = toolsets.current.as_ref().map(|toolset| toolset.registry().version());
        current != Some(version) && toolsets.loaded.remove(version).is_some()
    }

    /// The numbers that policies go by.
    pub fn config(&self) -> &Config {
        &self.0.config
    }

    /// The registry that new conversations get.
    pub fn current(&self) -> Option<Arc<Registry>> {
        self.0.toolset(None).ok().map(|toolset| toolset.registry().clone())
    }

    /// A registry that is loaded.
    pub fn registry(&self, version: &str) -> Option<Arc<Registry>> {
        self.0.toolset(Some(version)).ok().map(|toolset| toolset.registry().clone())
    }

    /// Opens a conversation: the one that is open, the one the store has, or another. One that is
    /// held in the other mode moves if it expects the person there: a tool asked for a voice session,
    /// or a voice session that came of a text conversation is over.
    pub async fn open(&self, opening: OpenRequest) -> Result<Conversation, OpenError> {
        self.0.check_door(&opening)?;
        if let Some(open) = self.0.opened(&opening, ModeEntry::Asked).await? {
            return Ok(open);
        }
        let shared = ConversationCore::load_or_begin(&self.0, &opening).await?;
        self.0.keep(shared, &opening, ModeEntry::Asked).await
    }

    /// Opens a conversation that is there. None begins.
    pub async fn find(&self, opening: OpenRequest) -> Result<Option<Conversation>, OpenError> {
        self.arrive(opening, ModeEntry::Asked).await
    }

    /// Opens a conversation that is there, and takes it to the mode asked for: the person said so.
    /// Calls that run go on as they began, what the turn has used stays used, and the registry stays.
    pub async fn move_to(&self, opening: OpenRequest) -> Result<Option<Conversation>, OpenError> {
        self.arrive(opening, ModeEntry::Moved).await
    }

    /// A conversation that is there, for a person who is not let in: only to take their answer to a
    /// question, which the gate judges like any other call.
    pub async fn find_outside(
        &self,
        opening: OpenRequest,
    ) -> Result<Option<Conversation>, OpenError> {
        self.arrive_unchecked(opening, ModeEntry::Asked).await
    }

    async fn arrive(
        &self,
        opening: OpenRequest,
        arrival: ModeEntry,
    ) -> Result<Option<Conversation>, OpenError> {
        self.0.check_door(&opening)?;
        self.arrive_unchecked(opening, arrival).await
    }

    async fn arrive_unchecked(
        &self,
        opening: OpenRequest,
        arrival: ModeEntry,
    ) -> Result<Option<Conversation>, OpenError> {
        if let Some(open) = self.0.opened(&opening, arrival).await? {
            return Ok(Some(open));
        }
        match ConversationCore::load(&self.0, &opening, arrival).await? {
            Some(shared) => self.0.keep(shared, &opening, arrival).await.map(Some),
            None => Ok(None),
        }
    }

    /// What there is to see of a person's conversation, without opening it. Somebody else's is not there.
    pub async fn look(
        &self,
        id: &ConversationId,
        person: &Person,
    ) -> Result<Option<ConversationSnapshot>, OpenError> {
        let open = self.0.lock_open().get(id).cloned();
        match open.filter(Conversation::is_owner) {
            Some(open) => Ok(open.is_of(person).then(|| open.glance())),
            None => stored(&self.0, id, person).await,
        }
    }

    /// Ends a person's conversation, whatever mode it is held in and whether or not its registry is
    /// loaded. It is over for everybody when this returns, and an end that comes twice is one.
    /// `None`: they have none of this id.
    pub async fn end(
        &self,
        id: &ConversationId,
        person: &Person,
        reason: EndReason,
    ) -> Result<Option<()>, OpenError> {
        self.0.check_blocked(id, person)?;
        let open = self.0.lock_open().get(id).cloned();
        let Some(open) = open else { return self.0.end_stored(id, person, reason).await };
        if !open.is_of(person) {
            return Ok(None);
        }
        match open.on_event_durably(StateEvent::Closed(reason)).await {
            Ok(_)
            | Err(StateChangeError::Refused(_) | StateChangeError::Open(OpenError::Ended)) => {
                Ok(Some(()))
            }
            Err(StateChangeError::Open(error)) => Err(error),
        }
    }

    /// What would be decided about the calls of one message, had the person come to this conversation
    /// and begun a turn with them. None begins, none moves, and nothing is kept.
    pub async fn dry_run(
        &self,
        opening: &OpenRequest,
        calls: Vec<ToolCall>,
    ) -> Result<Vec<Decision>, OpenError> {
        self.0.check_door(opening)?;
        let supposed = ConversationCore::supposed(&self.0, opening).await?;
        Ok(supposed.dry_run_next_turn(calls))
    }

    /// Waits until no call is under way.
    pub async fn settled(&self) {
        self.0.in_flight.none().await;
    }

    /// How many calls are under way.
    pub fn calls_in_flight(&self) -> usize {
        self.0.in_flight.count()
    }

    /// Lets go of a conversation that is open. It is not ended: opened again, it is taken from the
    /// store. An orchestrator stays alive while any conversation of it is open.
    pub fn release(&self, id: &ConversationId) {
        self.0.forget(id);
    }
}

impl Core {
    pub(crate) fn toolset(&self, version: Option<&str>) -> Result<Arc<Toolset>, OpenError> {
        let toolsets = self.toolsets.read().unwrap_or_else(PoisonError::into_inner);
        let Some(version) = version else {
            return toolsets.current.clone().ok_or(OpenError::NoRegistry);
        };
        let loaded = || toolsets.loaded.keys().cloned().collect();
        let found = toolsets.loaded.get(version).cloned();
        found
            .ok_or_else(|| OpenError::RegistryGone { pinned: version.to_owned(), loaded: loaded() })
    }

    /// Adds a toolset beside those that are loaded; gives the one that is kept. Conversations that
    /// begin do not get it.
    pub(crate) fn add_past(&self, toolset: Arc<Toolset>) -> Arc<Toolset> {
        let version = toolset.registry().version().to_owned();
        let mut toolsets = self.toolsets.write().unwrap_or_else(PoisonError::into_inner);
        toolsets.loaded.entry(version).or_insert(toolset).clone()
    }

    fn check_door(&self, opening: &OpenRequest) -> Result<(), OpenError> {
        self.check_blocked(&opening.id, &opening.person)
    }

    fn check_blocked(&self, id: &ConversationId, person: &Person) -> Result<(), OpenError> {
        let now = self.clock.now_ms();
        match self.store.blocked_until(&person.block_id(id)) {
            Some(until) if until > now => Err(OpenError::Blocked { until, left_ms: until - now }),
            _ => Ok(()),
        }
    }

    /// The conversation, if it is open in this process and fits.
    async fn opened(
        &self,
        opening: &OpenRequest,
        arrival: ModeEntry,
    ) -> Result<Option<Conversation>, OpenError> {
        let found = self.lock_open().get(&opening.id).cloned();
        let Some(open) = found else { return Ok(None) };
        open.receive(opening, arrival).await?;
        Ok(Some(open))
    }

    /// Of two that were opened at once, the first one stays; it may be someone else's.
    async fn keep(
        &self,
        shared: Arc<ConversationCore>,
        opening: &OpenRequest,
        arrival: ModeEntry,
    ) -> Result<Conversation, OpenError> {
        let conversation = Conversation::new(shared);
        let id = conversation.id().clone();
        let kept = self.lock_open().entry(id).or_insert(conversation).clone();
        kept.receive(opening, arrival).await?;
        Ok(kept)
    }

    async fn end_stored(
        self: &Arc<Self>,
        id: &ConversationId,
        person: &Person,
        reason: EndReason,
    ) -> Result<Option<()>, OpenError> {
        let (core, id, person) = (self.clone(), id.clone(), person.clone());
        detach_on_drop(async move { end_stored(&core, &id, &person, reason).await }).await
    }

    pub(crate) fn forget(&self, id: &ConversationId) {
        self.lock_open().remove(id);
    }

    fn lock_open(&self) -> MutexGuard<'_, BTreeMap<ConversationId, Conversation>> {
        self.open.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
