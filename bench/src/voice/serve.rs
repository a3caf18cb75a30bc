//! Our server with native tools, and its store in memory or on disk.

use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use aileron_agent::InstructionOptions;
use aileron_capability::{Clock, Platform, SystemClock};
use aileron_orchestrator::token::Signer;
use aileron_orchestrator::{Config, Orchestrator, Setup};
use aileron_server::voice::{
    ApiKey, Provider, Providers, Voice, VoiceProvider, VoiceSessionLimits,
};
use aileron_server::{App, Auth, EventHub, MeteredObserver, Metrics, Origins, ServerParts};
use aileron_store::{MemoryStore, SqliteOptions, SqliteStore, Store};
use aileron_transports::gemini_live;

use crate::pipeline::native_tools;
use crate::print;

/// Where the store is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kept {
    InMemory,
    /// The default configuration.
    OnDisk,
    /// With little memory for answers.
    OnDiskForSoak,
}

impl Kept {
    /// By its name as an argument of the command.
    pub(crate) fn named(name: &str) -> Result<Self, String> {
        match name {
            "memory" => Ok(Self::InMemory),
            "disk" => Ok(Self::OnDisk),
            "soak" => Ok(Self::OnDiskForSoak),
            _ => Err(format!("expected memory, disk or soak, found {name:?}")),
        }
    }
}

/// How long an idle conversation stays in memory: short, so that a soak soon unloads as many as it
/// begins.
const IDLE: Duration = Duration::from_secs(30);

/// How many bytes of answers are kept in memory besides the disk: few, so that a soak soon reaches
/// the limit.
const ANSWERS: usize = 1 << 20;

/// Serves until it is ended.
pub(crate) fn serve(provider: &str, kept: Kept) -> Result<(), String> {
    let folder = tempfile::tempdir().map_err(|error| error.to_string())?;
    let store: Arc<dyn Store> = match kept {
        Kept::InMemory => Arc::new(MemoryStore::new()),
        Kept::OnDisk => sqlite(folder.path(), SqliteOptions::default())?,
        Kept::OnDiskForSoak => {
            let options = SqliteOptions { memory_bytes: ANSWERS, ..SqliteOptions::default() };
            sqlite(folder.path(), options)?
        }
    };
    let mut builder = tokio::runtime::Builder::new_multi_thread();
    let runtime = builder.enable_all().build().map_err(|error| error.to_string())?;
    runtime.block_on(async {
        let app = app(provider, store)?;
        let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await;
        let listener = listener.map_err(|error| error.to_string())?;
        let address = listener.local_addr().map_err(|error| error.to_string())?;
        print(&address.to_string());
        let served = aileron_server::serve(app, listener, std::future::pending()).await;
        served.map(drop).map_err(|error| error.to_string())
    })
}

fn sqlite(folder: &Path, options: SqliteOptions) -> Result<Arc<dyn Store>, String> {
    let store = SqliteStore::open(folder.join("a.db"), options);
    Ok(Arc::new(store.map_err(|error| error.to_string())?))
}

fn app(provider: &str, store: Arc<dyn Store>) -> Result<App, String> {
    let clock: Arc<dyn Clock> = Arc::new(SystemClock);
    let (event_hub, metrics) = (Arc::new(EventHub::default()), Metrics::default());
    let observer = Arc::new(MeteredObserver { figures: metrics.clone(), inner: event_hub.clone() });
    let orchestrator = Orchestrator::new(Setup {
        config: Config::default(),
        store: store.clone(),
        platform: Platform::default(),
        clock: clock.clone(),
        observer,
        signer: Signer::new([7; 32]),
    });
    orchestrator.install(native_tools()?).map_err(|error| error.to_string())?;
    let voice = voice(provider)?;
    let limits = aileron_server::RequestLimits {
        connections: 20_000,
        local_conversations: 20_000,
        local_requests_per_second: None,
        idle: IDLE,
        ..aileron_server::RequestLimits::default()
    };
    let (auth, origins) = (Auth::Open, Origins::default());
    let instructions = InstructionOptions::default();
    Ok(App::new(ServerParts {
        authoring: None,
        orchestrator,
        store,
        clock,
        event_hub,
        auth,
        origins,
        limits,
        images: None,
        page: aileron_page::Page::default(),
        instructions,
        chat: None,
        metrics,
        voice,
    }))
}

fn voice(base_url: &str) -> Result<Voice, String> {
    let kind = VoiceProvider::Gemini(gemini_live::GeminiLiveOptions::default());
    let mut provider = Provider::new(kind, "m", ApiKey::new("k"));
    provider.base_url = Some(base_url.to_owned());
    let providers = Providers::new("gemini", [("gemini".to_owned(), provider)]);
    let providers = providers.map_err(|error| error.to_string())?;
    let limits = VoiceSessionLimits { connections: 10_000, ..VoiceSessionLimits::default() };
    Ok(Voice::new(providers, limits))
}
