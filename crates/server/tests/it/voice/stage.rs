//! A server with test tools and a manual clock, on a real socket.

use aileron_contract::Backoff;
use std::sync::Arc;
use std::time::Duration;

use aileron_agent::InstructionOptions;
use aileron_capability::{Clock, ManualClock, Native, Natives, Platform};
use aileron_contract::artifact::{ArtifactSpec, content_hash, tool_hash, version_of};
use aileron_contract::{
    Artifact, ArtifactTool, ContentHash, Handler, Provider as Target, ToolSpec,
};
use aileron_orchestrator::token::Signer;
use aileron_orchestrator::{Config, Orchestrator, Setup};
use aileron_runtime::{Handlers, Registry};
use aileron_server::voice::{
    ApiKey, Provider, Providers, Voice, VoiceProvider, VoiceSessionLimits,
};
use aileron_server::{
    App, Auth, EventHub, MeteredObserver, Metrics, Origins, ServerParts, Tokens, serve,
};
use aileron_store::{AuditFilter, MemoryStore, Store};
use aileron_transports::session::Reconnect;
use aileron_transports::{gemini_live, openai_realtime, tls};
use rustls::RootCertStore;
use serde_json::{Value, json};
use tokio::net::TcpListener;
use tokio::sync::oneshot;
use tokio::task::JoinHandle;

use super::client::Client;
use super::ground::tools;
use super::provider::Upstream;

pub(crate) const NOW: u64 = 1_800_000_000_000;

pub(crate) struct Stage {
    pub(crate) app: App,
    pub(crate) address: String,
    pub(crate) clock: Arc<ManualClock>,
    pub(crate) store: Arc<dyn Store>,
    pub(crate) upstream: Upstream,
    stop: Option<oneshot::Sender<()>>,
    served: JoinHandle<std::io::Result<aileron_server::ShutdownReport>>,
}

/// Deviations from the default setup.
#[derive(Default)]
pub(crate) struct Wishes {
    pub(crate) limits: Option<VoiceSessionLimits>,
    /// Everybody is a stranger if there are none.
    pub(crate) people: &'static str,
}

impl Stage {
    pub(crate) async fn new() -> Self {
        Self::with(Wishes::default()).await
    }

    pub(crate) async fn with(wishes: Wishes) -> Self {
        let upstream = Upstream::new().await;
        let clock = Arc::new(ManualClock::at(NOW));
        let store: Arc<dyn Store> = Arc::new(MemoryStore::new());
        let limits = wishes.limits.unwrap_or_default();
        let app = assemble(wishes.people, limits, clock.clone(), &store, providers(&upstream));
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap().to_string();
        let (stop, stopped) = oneshot::channel::<()>();
        let stopped = async move { drop(stopped.await) };
        let served = tokio::spawn(serve(app.clone(), listener, stopped));
        Self { app, address, clock, store, upstream, stop: Some(stop), served }
    }

    /// A client that has connected.
    pub(crate) async fn client(&self) -> Client {
        Client::connect(&self.address, None).await.unwrap()
    }

    /// Tells the server to stop.
    pub(crate) fn stop(&mut self) {
        drop(self.stop.take());
    }

    /// Whether the server, told to stop, has not stopped within this time.
    pub(crate) async fn goes_on(&mut self, time: Duration) -> bool {
        tokio::time::timeout(time, &mut self.served).await.is_err()
    }

    /// Waits until the server has stopped.
    pub(crate) async fn stopped(self) {
        let served = tokio::time::timeout(Duration::from_secs(20), self.served);
        served.await.expect("an end within 20 seconds").unwrap().unwrap();
    }

    /// Call id and outcome of every audit record.
    pub(crate) fn records(&self) -> Vec<String> {
        let records = self.store.audit(AuditFilter::default()).map(|record| record.unwrap().entry);
        records.map(|entry| format!("{} {}", entry.call_id, entry.outcome)).collect()
    }
}

/// A server of these parts.
pub(crate) fn assemble(
    people: &str,
    limits: VoiceSessionLimits,
    clock: Arc<dyn Clock>,
    store: &Arc<dyn Store>,
    providers: Providers,
) -> App {
    let (event_hub, metrics) = (Arc::new(EventHub::new(clock.clone())), Metrics::default());
    let observer = MeteredObserver { figures: metrics.clone(), inner: event_hub.clone() };
    let orchestrator = Orchestrator::new(Setup {
        config: Config::default(),
        store: store.clone(),
        platform: Platform::default(),
        clock: clock.clone(),
        observer: Arc::new(observer),
        signer: Signer::new([7; 32]),
    });
    orchestrator.install(registry(&tools())).unwrap();
    let auth = match people {
        "" => Auth::Open,
        people => Auth::Tokens(Tokens::read(people).unwrap()),
    };
    let voice = Voice::new(providers, limits);
    let (origins, store) = (Origins::default(), store.clone());
    // Sessions get none of the time that requests have to come to their end.
    let limits = aileron_server::RequestLimits {
        local_requests_per_second: None,
        grace: Duration::ZERO,
        ..Default::default()
    };
    App::new(ServerParts {
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
        instructions: InstructionOptions::default(),
        chat: None,
        metrics,
        voice,
    })
}

fn providers(upstream: &Upstream) -> Providers {
    let reconnect = Reconnect { backoff: Backoff::NONE, max_attempts: 3, ..Reconnect::default() };
    let at = |kind| {
        let mut provider = Provider::new(kind, "m", ApiKey::new("k"));
        provider.base_url = Some(upstream.base());
        provider.reconnect = reconnect;
        provider
    };
    let known = [
        ("gemini".to_owned(), at(VoiceProvider::Gemini(gemini_live::GeminiLiveOptions::default()))),
        (
            "openai".to_owned(),
            at(VoiceProvider::Openai(openai_realtime::OpenaiRealtimeOptions::default())),
        ),
        ("offline".to_owned(), at(VoiceProvider::Offline)),
    ];
    Providers::trusting("gemini", known, tls(RootCertStore::empty()).unwrap()).unwrap()
}

fn registry(tools: &[(Value, Native)]) -> Arc<Registry> {
    let natives = Natives::new(tools.iter().map(|(_, native)| *native));
    let mut tools: Vec<_> = tools.iter().map(|(spec, native)| tool(spec, *native)).collect();
    tools.sort_by(|a, b| a.id().cmp(b.id()));
    let content_hash = content_hash(tools.iter().map(|tool| &tool.hash));
    let artifact = Artifact {
        version: version_of(&content_hash),
        content_hash,
        format_version: 1,
        git_commit: None,
        build_timestamp: None,
        left_out: Vec::new(),
        tools,
    };
    let text = serde_json::to_string(&artifact).unwrap();
    Registry::load(&text, &Handlers { natives, ..Handlers::default() }).unwrap()
}

fn tool(spec: &Value, native: Native) -> ArtifactTool {
    let spec: ToolSpec = serde_json::from_value(spec.clone()).unwrap();
    let hash: ContentHash = serde_json::from_value(json!(native.hash)).unwrap();
    let (name, about, schema) = (&spec.tool_id, &spec.description, &spec.parameters);
    let gemini = json!({ "name": name, "description": about, "parametersJsonSchema": schema });
    let openai =
        json!({"type": "function", "name": name, "description": about, "parameters": schema});
    let declarations =
        [(Target::GeminiJsonSchema, gemini.into()), (Target::OpenaiRealtime, openai.into())];
    let mut tool = ArtifactTool {
        spec: ArtifactSpec(spec),
        hash: hash.clone(),
        provider_schemas: declarations.into(),
        summary: String::new(),
        documentation: String::new(),
        handler: Handler::Native { hash },
    };
    tool.hash = tool_hash(&mut serde_json::to_value(&tool).unwrap());
    tool
}
