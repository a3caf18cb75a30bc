//! The state that all requests share.

use std::collections::BTreeMap;
use std::sync::Arc;

use aileron_agent::{InstructionOptions, Instructions};
use aileron_capability::Clock;
use aileron_images::ImageStore;
use aileron_orchestrator::{Conversation, Orchestrator};
use aileron_page::Page;
use aileron_store::{Store, StoreError};
use tokio::sync::Semaphore;
use tokio_util::sync::CancellationToken;

use crate::auth::Auth;
use crate::authoring::Authoring;
use crate::chat::Chat;
use crate::conversations::Conversations;
use crate::event_hub::EventHub;
use crate::limits::{Rates, RequestLimits};
use crate::listen::Readiness;
use crate::metrics::Metrics;
use crate::origins::Origins;
use crate::pinned_counts::PinnedCounts;
use crate::registry_source::{RegistryReloads, RegistrySource, ReloadReport};
use crate::voice::Voice;

/// How many exports and checks of the audit log run at the same time. Each holds a thread, an export for as long as
/// its client reads.
const MAX_LONG_READS: usize = 8;

/// The parts of a server. The orchestrator's observer must be `event_hub`.
#[derive(Debug)]
pub struct ServerParts {
    pub orchestrator: Orchestrator,
    pub store: Arc<dyn Store>,
    pub clock: Arc<dyn Clock>,
    pub event_hub: Arc<EventHub>,
    pub auth: Auth,
    /// Metrics; the orchestrator's events are counted by [`crate::MeteredObserver`].
    pub metrics: Metrics,
    pub voice: Voice,
    pub origins: Origins,
    pub limits: RequestLimits,
    /// How the instructions of models are composed.
    pub instructions: InstructionOptions,
    /// The agent of text conversations. `None`: chat requests are refused.
    pub chat: Option<Chat>,
    /// The store of generated images. `None`: image requests find nothing.
    pub images: Option<ImageStore>,
    /// The files for a browser.
    pub page: Page,
    /// Comparing registries and saving cases. `None`: such requests are refused.
    pub authoring: Option<Arc<dyn Authoring>>,
}

/// The state that all requests share. Clones are the same server.
#[derive(Debug, Clone)]
pub struct App(Arc<AppShared>);

#[derive(Debug)]
struct AppShared {
    parts: ServerParts,
    rates: Rates,
    conversations: Conversations,
    readiness: Readiness,
    long_reads: Arc<Semaphore>,
    reloads: RegistryReloads,
    pinned: PinnedCounts,
    /// Milliseconds since the Unix epoch.
    started_at: u64,
    stopping: CancellationToken,
    time_is_up: CancellationToken,
}

impl App {
    pub fn new(parts: ServerParts) -> Self {
        let RequestLimits { requests_per_second, local_requests_per_second, .. } = parts.limits;
        let rates = Rates::new(requests_per_second, local_requests_per_second);
        let (stopping, time_is_up) = (CancellationToken::new(), CancellationToken::new());
        let (orchestrator, clock) = (parts.orchestrator.clone(), parts.clock.clone());
        let started_at = clock.now_ms();
        let metrics = parts.metrics.clone();
        let conversations = Conversations::new(orchestrator, clock, parts.limits.clone(), metrics);
        Self(Arc::new(AppShared {
            parts,
            rates,
            conversations,
            started_at,
            readiness: Readiness::default(),
            long_reads: Arc::new(Semaphore::new(MAX_LONG_READS)),
            reloads: RegistryReloads::default(),
            pinned: PinnedCounts::default(),
            stopping,
            time_is_up,
        }))
    }

    pub fn orchestrator(&self) -> &Orchestrator {
        &self.0.parts.orchestrator
    }

    /// Sets where registries and rules are read again, with the warnings about those of the start. Only the first
    /// call has an effect.
    pub fn set_registry_source(&self, source: Arc<dyn RegistrySource>, warnings: Vec<String>) {
        self.0.reloads.set(source, warnings);
    }

    /// Reads registries and rules again, for new conversations. If anything has a fault, the ones before stay,
    /// and all faults are returned. `by` says in the log who asked for it.
    pub async fn reload_registries(&self, by: &str) -> Result<ReloadReport, Vec<String>> {
        self.0.reloads.reload(self.orchestrator(), self.event_hub(), by).await
    }

    /// How many conversations that have not ended began with each registry version; at most a few seconds old.
    pub(crate) async fn pinned_conversations(&self) -> Result<BTreeMap<String, u64>, StoreError> {
        self.0.pinned.counts(self.store(), self.clock().now_ms()).await
    }

    /// Warnings about the rules of this moment.
    pub(crate) fn registry_warnings(&self) -> Vec<String> {
        self.0.reloads.warnings()
    }

    pub fn store(&self) -> &Arc<dyn Store> {
        &self.0.parts.store
    }

    pub fn clock(&self) -> &Arc<dyn Clock> {
        &self.0.parts.clock
    }

    pub fn event_hub(&self) -> &Arc<EventHub> {
        &self.0.parts.event_hub
    }

    pub fn auth(&self) -> &Auth {
        &self.0.parts.auth
    }

    pub fn origins(&self) -> &Origins {
        &self.0.parts.origins
    }

    pub fn limits(&self) -> &RequestLimits {
        &self.0.parts.limits
    }

    /// The current instructions for the model of a conversation.
    pub fn instructions(&self, conversation: &Conversation) -> Instructions {
        let mode = conversation.mode();
        let budget = *self.orchestrator().config().budgets.of(mode);
        let version = conversation.registry().version();
        let composed =
            self.0.parts.instructions.compose(mode, budget, version, &conversation.tools());
        let composed = if conversation.is_signed_in() { composed } else { composed.for_guest() };
        composed.at(self.clock().now_ms())
    }

    /// Cancelled when the server starts to stop: it accepts nothing more, and requests in flight have
    /// [`RequestLimits::grace`] to finish.
    pub fn stopping(&self) -> &CancellationToken {
        &self.0.stopping
    }

    /// Cancelled when that time is over: requests that are still in flight are aborted.
    pub(crate) fn time_is_up(&self) -> &CancellationToken {
        &self.0.time_is_up
    }

    pub(crate) fn rates(&self) -> &Rates {
        &self.0.rates
    }

    pub(crate) fn readiness(&self) -> &Readiness {
        &self.0.readiness
    }

    /// The permits of exports and checks of the audit log.
    pub(crate) fn long_reads(&self) -> &Arc<Semaphore> {
        &self.0.long_reads
    }

    pub fn conversations(&self) -> &Conversations {
        &self.0.conversations
    }

    pub fn metrics(&self) -> &Metrics {
        &self.0.parts.metrics
    }

    /// When the server was created, in milliseconds since the Unix epoch.
    pub(crate) fn started_at(&self) -> u64 {
        self.0.started_at
    }

    pub fn voice(&self) -> &Voice {
        &self.0.parts.voice
    }

    pub fn chat(&self) -> Option<&Chat> {
        self.0.parts.chat.as_ref()
    }

    pub fn page(&self) -> &Page {
        &self.0.parts.page
    }

    pub(crate) fn authoring(&self) -> Option<&Arc<dyn Authoring>> {
        self.0.parts.authoring.as_ref()
    }

    pub(crate) fn images(&self) -> Option<&ImageStore> {
        self.0.parts.images.as_ref()
    }
}
