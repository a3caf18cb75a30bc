//! Our server in a realistic configuration: the store on disk, a toolset, an agent with the
//! simulated provider.

use std::sync::Arc;

use aileron_agent::{Agent, InstructionOptions, TurnLimits};
use aileron_capability::{Platform, SystemClock};
use aileron_orchestrator::token::Signer;
use aileron_orchestrator::{Config, Orchestrator, Setup};
use aileron_runtime::Registry;
use aileron_server::voice::Voice;
use aileron_server::{App, Auth, Chat, ChatOptions, EventHub, ServerParts, serve};
use aileron_store::{SqliteOptions, SqliteStore, Store};
use aileron_transports::text::{ApiKey, TextModel, TextOptions, TextProvider};
use tokio::net::TcpListener;

use crate::{generate, print};

/// Serves until it is ended.
pub(crate) fn run(provider: &str) -> Result<(), String> {
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build();
    let folder = tempfile::tempdir().map_err(|error| error.to_string())?;
    let tools = folder.path().join("tools");
    generate::run(&tools, "13")?;
    let registry = compiled(&tools)?;
    let store = SqliteStore::open(folder.path().join("a.db"), SqliteOptions::default());
    let store: Arc<dyn Store> = Arc::new(store.map_err(|error| error.to_string())?);
    runtime.map_err(|error| error.to_string())?.block_on(async {
        let app = app(registry, store, provider)?;
        let listener = TcpListener::bind("127.0.0.1:0").await.map_err(|error| error.to_string())?;
        let address = listener.local_addr().map_err(|error| error.to_string())?;
        print(&address.port().to_string());
        let served = serve(app, listener, std::future::pending()).await;
        served.map(drop).map_err(|error| error.to_string())
    })
}

fn compiled(tools: &std::path::Path) -> Result<Arc<Registry>, String> {
    use aileron_compiler::{Options, compile_folder, emit};
    let compilation = compile_folder(tools, &Options::default(), &|_, _| {});
    let mut text = Vec::new();
    emit::write(&compilation.tools, &emit::BuildStamp::default(), &mut text)
        .map_err(|error| error.to_string())?;
    let text = String::from_utf8(text).map_err(|error| error.to_string())?;
    Registry::load_rules(&text).map_err(|error| error.to_string())
}

fn app(registry: Arc<Registry>, store: Arc<dyn Store>, provider: &str) -> Result<App, String> {
    let event_hub = Arc::new(EventHub::default());
    let orchestrator = Orchestrator::new(Setup {
        config: Config::default(),
        store: store.clone(),
        platform: Platform::default(),
        clock: Arc::new(SystemClock),
        observer: event_hub.clone(),
        signer: Signer::new([7; 32]),
    });
    orchestrator.install(registry).map_err(|error| error.to_string())?;
    let which = TextProvider::named("gemini").ok_or("no provider")?;
    let mut options = TextOptions::new(which, "gemini-3-flash");
    let base = format!("http://127.0.0.1:{provider}");
    options.base_url = Some(base.parse().map_err(|_| format!("{base} is no address"))?);
    options.key = Some(ApiKey::new("k"));
    let model = TextModel::new(options).map_err(|error| error.to_string())?;
    let agent = Agent::new(aileron_agent::AgentParts {
        model: Arc::new(model),
        instructions: InstructionOptions::default(),
        store: store.clone(),
        clock: Arc::new(SystemClock),
        policies: Config::default(),
        limits: TurnLimits::default(),
    });
    let chat = Some(Chat::new(agent, "gemini", ChatOptions::default()));
    let clock = Arc::new(SystemClock);
    let voice = Voice::offline("http://127.0.0.1:9").map_err(|error| error.to_string())?;
    let limits = aileron_server::RequestLimits {
        local_conversations: usize::MAX,
        local_requests_per_second: None,
        ..Default::default()
    };
    let (origins, metrics) = (Default::default(), Default::default());
    let auth = Auth::Open;
    Ok(App::new(ServerParts {
        authoring: None,
        orchestrator,
        store,
        clock,
        event_hub,
        auth,
        chat,
        origins,
        limits,
        images: None,
        page: aileron_page::Page::default(),
        instructions: InstructionOptions::default(),
        metrics,
        voice,
    }))
}
