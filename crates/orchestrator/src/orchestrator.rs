//! Opens conversations: from memory, from the store, or new ones.

mod tasks;

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use aileron_capability::{Clock, Platform};
use aileron_contract::{ConversationId, ToolCall};
use aileron_runtime::Registry;
use aileron_store::{ConfirmationFilter, Store, StoreError};

use crate::archive::Archive;
use crate::assignment::{Assignment, AssignmentRule, DEFAULT};
use crate::config::Config;
use crate::confirmation::{ListedConfirmation, decided_confirmations, open_confirmations};
use crate::conversation::Conversation;
use crate::conversation_core::ConversationCore;
use crate::detach_on_drop::detach_on_drop;
use crate::dry_run::{DryRunCall, dry_run_next_turn};
use crate::event::Observer;
use crate::in_flight::InFlight;
use crate::loaded::LoadedConversations;
use crate::maintenance::Maintenance;
use crate::open_error::OpenError;
use crate::open_request::{ModeEntry, OpenRequest};
use crate::persistence::{self, StateChangeError};
use crate::person::Person;
use crate::services::{EndedConversations, Services};
use crate::snapshot::ConversationSnapshot;
use crate::state::{EndReason, StateEvent};
use crate::token::Signer;
use crate::toolset::{ConditionError, Toolset};
use crate::toolsets::{Offered, OfferedToolsets, Toolsets};
use crate::yes_no::Grammar;

/// The parts of an orchestrator.
#[derive(Debug)]
pub struct Setup {
    pub config: Config,
    pub store: Arc<dyn Store>,
    pub platform: Platform,
    pub clock: Arc<dyn Clock>,
    pub observer: Arc<dyn Observer>,
    /// Signs confirmations. Needs the same key after a restart, or open confirmations become
    /// invalid.
    pub signer: Signer,
}

/// The registries for new conversations by name, one of them [`crate::assignment::DEFAULT`], and the rules
/// that assign them.
#[derive(Debug, Clone, Default)]
pub struct Offer {
    pub registries: BTreeMap<String, Arc<Registry>>,
    pub rules: Vec<AssignmentRule>,
}

/// Runs conversations. Clones are the same orchestrator.
#[derive(Debug, Clone)]
pub struct Orchestrator(Arc<OrchestratorCore>);

#[derive(Debug)]
struct OrchestratorCore {
    services: Arc<Services>,
    open: Mutex<BTreeMap<ConversationId, Conversation>>,
}

impl Orchestrator {
    /// An orchestrator without a registry, which understands a spoken yes or no in English.
    pub fn new(setup: Setup) -> Self {
        Self::with_grammar(setup, Grammar::english().clone())
    }

    /// The same for people who answer in another language.
    pub fn with_grammar(setup: Setup, grammar: Arc<Grammar>) -> Self {
        let Setup { config, store, platform, clock, observer, signer } = setup;
        let services = Services {
            config,
            store,
            platform: Arc::new(platform),
            clock,
            observer,
            signer,
            grammar,
            maintenance: Maintenance::default(),
            in_flight: Arc::new(InFlight::default()),
            tasks: Arc::default(),
            toolsets: Toolsets::default(),
            ended: EndedConversations::default(),
        };
        let services = Arc::new(services);
        Self(Arc::new(OrchestratorCore { services, open: Mutex::default() }))
    }

    /// Offers registries to new conversations by these rules, in place of the ones before. Conversations that
    /// exist keep theirs. If a rule or a registry has a fault, nothing changes, and all faults are returned.
    pub fn offer(&self, offer: Offer) -> Result<(), Vec<String>> {
        let Offer { registries, rules } = offer;
        let mut faults = Vec::new();
        if !registries.contains_key(DEFAULT) {
            faults.push(format!("expected a registry called {DEFAULT:?}, found none"));
        }
        let assignment = Assignment::new(rules, registries.keys().map(String::as_str));
        let assignment = assignment.unwrap_or_else(|found| {
            faults.extend(found);
            Assignment::default()
        });
        let mut by_name = BTreeMap::new();
        for (name, registry) in registries {
            match Toolset::new(registry) {
                Ok(toolset) => drop(by_name.insert(name, Arc::new(toolset))),
                Err(error) => faults.push(format!("registry `{name}`: {error}")),
            }
        }
        if !faults.is_empty() {
            return Err(faults);
        }
        self.0.services.toolsets.offer(OfferedToolsets { by_name, assignment });
        Ok(())
    }

    /// The offered registries and the rules of this moment.
    pub fn offered(&self) -> Offered {
        Offered::from(&*self.0.services.toolsets.offered())
    }

    /// Adds a registry to the loaded ones; it is the default one of new conversations.
    pub fn install(&self, registry: Arc<Registry>) -> Result<(), ConditionError> {
        self.install_toolset(Arc::new(Toolset::new(registry)?));
        Ok(())
    }

    /// Sets the archive of registries that conversations began with and that are not loaded. Only
    /// the first call has an effect.
    pub fn set_archive(&self, archive: Arc<dyn Archive>) {
        self.0.services.toolsets.set_archive(archive);
    }

    /// Installs a toolset whose conditions are parsed.
    pub(crate) fn install_toolset(&self, toolset: Arc<Toolset>) {
        self.0.services.toolsets.install(toolset);
    }

    /// Unloads a registry, unless it is offered; returns whether it was loaded. Open
    /// conversations keep it.
    pub fn retire(&self, version: &str) -> bool {
        self.0.services.toolsets.retire(version)
    }

    /// The settings of the policies.
    pub fn config(&self) -> &Config {
        &self.0.services.config
    }

    /// The registry of new conversations that no rule matches.
    pub fn current(&self) -> Option<Arc<Registry>> {
        self.0.services.toolsets.current().ok().map(|toolset| toolset.registry().clone())
    }

    /// A loaded registry.
    pub fn registry(&self, version: &str) -> Option<Arc<Registry>> {
        self.0.services.toolsets.loaded(version).ok().map(|toolset| toolset.registry().clone())
    }

    /// The registry that a conversation is pinned to, from memory or from the archive.
    pub async fn pinned_registry(&self, version: &str) -> Option<Arc<Registry>> {
        let toolset = self.0.services.toolsets.find(version).await.ok()?;
        Some(toolset.registry().clone())
    }

    /// Opens a conversation from memory or from the store, or begins one. A conversation in the
    /// other mode changes its mode if it expects the person there: a tool asked for a voice
    /// session, or a voice session that was started from a text conversation is over.
    pub async fn open(&self, request: OpenRequest) -> Result<Conversation, OpenError> {
        self.open_with(request, None).await
    }

    /// The same. A conversation that begins gets the registry of this name, if a rule allows the person to ask
    /// for it; an existing one keeps its own.
    pub async fn open_with(
        &self,
        request: OpenRequest,
        registry: Option<&str>,
    ) -> Result<Conversation, OpenError> {
        self.check_blocked(&request)?;
        if let Some(open) = self.0.opened(&request, ModeEntry::IfExpected).await? {
            return Ok(open);
        }
        let core = persistence::load_or_begin(&self.0.services, &request, registry).await?;
        self.0.keep(core, &request, ModeEntry::IfExpected).await
    }

    /// Opens an existing conversation. Begins none.
    pub async fn find(&self, request: OpenRequest) -> Result<Option<Conversation>, OpenError> {
        self.check_blocked(&request)?;
        self.enter(request, ModeEntry::IfExpected).await
    }

    /// Opens an existing conversation and changes it to the requested mode, as the person asked.
    /// Running calls continue, and the turn's usage and the registry stay.
    pub async fn move_to(&self, request: OpenRequest) -> Result<Option<Conversation>, OpenError> {
        self.check_blocked(&request)?;
        self.enter(request, ModeEntry::Move).await
    }

    async fn enter(
        &self,
        request: OpenRequest,
        entry: ModeEntry,
    ) -> Result<Option<Conversation>, OpenError> {
        if let Some(open) = self.0.opened(&request, entry).await? {
            return Ok(Some(open));
        }
        match persistence::load(&self.0.services, &request, entry).await? {
            Some(core) => self.0.keep(core, &request, entry).await.map(Some),
            None => Ok(None),
        }
    }

    fn check_blocked(&self, request: &OpenRequest) -> Result<(), OpenError> {
        self.0.services.check_blocked(&request.id, &request.person)
    }

    /// A snapshot of a person's conversation, without opening it. `None`: they have none of this id.
    pub async fn look(
        &self,
        id: &ConversationId,
        person: &Person,
    ) -> Result<Option<ConversationSnapshot>, OpenError> {
        Ok(self.inspect(id).await?.filter(|found| found.user == person.id))
    }

    /// A snapshot of anybody's conversation, without opening it. The caller checks who may see it.
    pub async fn inspect(
        &self,
        id: &ConversationId,
    ) -> Result<Option<ConversationSnapshot>, OpenError> {
        let open = self.opened(id);
        match open.filter(Conversation::is_owner) {
            Some(open) => Ok(Some(open.snapshot())),
            None => persistence::stored(&self.0.services, id).await,
        }
    }

    /// A conversation that is in the memory of this process, without entering it. The caller checks
    /// who may see it.
    pub fn opened(&self, id: &ConversationId) -> Option<Conversation> {
        self.0.lock_open().get(id).cloned()
    }

    /// The confirmations that can be answered now, the one that expires first at the beginning.
    pub async fn open_confirmations(
        &self,
        filter: &ConfirmationFilter,
        limit: usize,
    ) -> Result<Vec<ListedConfirmation>, StoreError> {
        open_confirmations(&self.0.services, filter, limit).await
    }

    /// The confirmations that were decided before a time, the latest first.
    pub async fn decided_confirmations(
        &self,
        filter: &ConfirmationFilter,
        before: u64,
        limit: usize,
    ) -> Result<Vec<ListedConfirmation>, StoreError> {
        decided_confirmations(&self.0.services, filter, before, limit).await
    }

    /// The loaded registries, in the order of their versions.
    pub fn registries(&self) -> Vec<Arc<Registry>> {
        self.0.services.toolsets.all().iter().map(|toolset| toolset.registry().clone()).collect()
    }

    /// Ends a person's conversation, in any mode and also if its registry is not loaded. It is over
    /// in all processes when this returns, and a second end changes nothing. `None`: they have none
    /// of this id.
    pub async fn end(
        &self,
        id: &ConversationId,
        person: &Person,
        reason: EndReason,
    ) -> Result<Option<()>, OpenError> {
        self.0.services.check_blocked(id, person)?;
        let Some(open) = self.opened(id) else {
            let (services, id, person) = (self.0.services.clone(), id.clone(), person.clone());
            let ending = async move {
                let ended = persistence::end_stored(&services, &id, &person, reason).await;
                if let Ok(Some(())) = ended {
                    services.tasks.cancel_reads(&id);
                }
                ended
            };
            return detach_on_drop(ending).await;
        };
        if !open.is_of(person) {
            return Ok(None);
        }
        match open.on_event_durably(StateEvent::Closed(reason)).await {
            Ok(_)
            | Err(StateChangeError::Refused(_) | StateChangeError::Open(OpenError::Ended)) => {
                self.0.services.tasks.cancel_reads(id);
                Ok(Some(()))
            }
            Err(StateChangeError::Open(error)) => Err(error),
        }
    }

    /// The decisions about the calls of one message, if the person entered this conversation and
    /// began a turn with them. No turn begins, no mode changes, and nothing is stored.
    pub async fn dry_run(
        &self,
        request: &OpenRequest,
        calls: Vec<ToolCall>,
    ) -> Result<Vec<DryRunCall>, OpenError> {
        self.check_blocked(request)?;
        let copy = persistence::dry_run_copy(&self.0.services, request).await?;
        Ok(dry_run_next_turn(&copy, calls))
    }

    /// Waits until no call is in flight.
    pub async fn settled(&self) {
        self.0.services.in_flight.wait_until_zero().await;
    }

    /// How many calls are in flight.
    pub fn calls_in_flight(&self) -> usize {
        self.0.services.in_flight.count()
    }

    /// Counts the conversations in memory. Locks one after another, so the numbers are of almost the same moment.
    pub fn loaded(&self) -> LoadedConversations {
        let open: Vec<Conversation> = self.0.lock_open().values().cloned().collect();
        let now = self.0.services.now();
        let mut loaded = LoadedConversations::default();
        open.iter().for_each(|conversation| conversation.count_in(&mut loaded, now));
        loaded
    }

    /// Drops a conversation from memory. It is not ended: opened again, it is loaded from the store.
    pub fn release(&self, id: &ConversationId) {
        self.0.lock_open().remove(id);
    }
}

impl OrchestratorCore {
    /// The conversation, if it is open in this process and may be entered.
    async fn opened(
        &self,
        request: &OpenRequest,
        entry: ModeEntry,
    ) -> Result<Option<Conversation>, OpenError> {
        let found = self.lock_open().get(&request.id).cloned();
        let Some(open) = found else { return Ok(None) };
        open.enter(request, entry).await?;
        Ok(Some(open))
    }

    /// Keeps a conversation in memory. If two copies were opened concurrently, the first one stays;
    /// it may belong to another person.
    async fn keep(
        &self,
        core: Arc<ConversationCore>,
        request: &OpenRequest,
        entry: ModeEntry,
    ) -> Result<Conversation, OpenError> {
        let conversation = Conversation::new(core);
        let id = conversation.id().clone();
        let kept = self.lock_open().entry(id).or_insert(conversation).clone();
        kept.enter(request, entry).await?;
        Ok(kept)
    }

    /// The open conversations, without those that have ended.
    fn lock_open(&self) -> MutexGuard<'_, BTreeMap<ConversationId, Conversation>> {
        let mut open = self.open.lock().unwrap_or_else(PoisonError::into_inner);
        for id in self.services.ended.take() {
            open.remove(&id);
        }
        open
    }
}
