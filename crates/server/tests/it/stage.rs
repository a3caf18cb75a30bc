//! A server on its own port, with the shipped tools, test doubles and a manual clock.

use std::net::SocketAddr;
use std::path::Path;
use std::sync::{Arc, LazyLock};

use aileron_agent::InstructionOptions;
use aileron_capability::ManualClock;
use aileron_compiler::{Options, compile_folder, emit};
use aileron_contract::Mode;
use aileron_images::{CardGenerator, ImageEngine, ImageLimits, ImageStore};
use aileron_orchestrator::token::Signer;
use aileron_orchestrator::{Config, Orchestrator, Setup};
use aileron_page::Page;
use aileron_runtime::cases::Given;
use aileron_runtime::{Handlers, Registry};
use aileron_sandbox::JsEngine;
use aileron_server::voice::Voice;
use aileron_server::{
    App, Auth, EventHub, MeteredObserver, Metrics, Origins, RequestLimits, ServerParts, Tokens,
};
use aileron_store::{MemoryStore, Store};
use tokio::net::TcpListener;
use tokio::sync::oneshot;
use tokio::task::JoinHandle;

use crate::client::Client;

pub(crate) const ADA: &str = "ada-0123456789abcdef";
pub(crate) const BOB: &str = "bob-0123456789abcdef";

/// An unused address: these tests use no model.
const NOBODY: &str = "http://127.0.0.1:9";

pub(crate) const WORLD: &str = include_str!("../../../orchestrator/tests/conversations/world.json");
const TOOLS: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../tools");

pub(crate) static ARTIFACT: LazyLock<String> = LazyLock::new(|| {
    let compilation = compile_folder(Path::new(TOOLS), &Options::default(), &|_, _| {});
    assert!(compilation.succeeded(), "{:?}", compilation.diagnostics);
    let mut text = Vec::new();
    emit::write(&compilation.tools, &emit::BuildStamp::default(), &mut text).unwrap();
    String::from_utf8(text).unwrap()
});

pub(crate) static REGISTRY: LazyLock<Arc<Registry>> = LazyLock::new(|| load(&ARTIFACT));

pub(crate) fn load(artifact: &str) -> Arc<Registry> {
    let engine = Arc::new(JsEngine::new(aileron_sandbox::Options::default()).unwrap());
    let natives = aileron_tools::natives();
    Registry::load(artifact, &Handlers { natives, engine: Some(engine), ..Handlers::default() })
        .unwrap()
}

/// The configuration of a server.
pub(crate) struct Plan {
    pub(crate) auth: Auth,
    pub(crate) origins: Origins,
    pub(crate) limits: RequestLimits,
    pub(crate) store: Arc<dyn Store>,
    pub(crate) registry: Arc<Registry>,
    /// Where images are kept that are really made, as cards.
    pub(crate) images: Option<ImageStore>,
    pub(crate) page: Page,
}

impl Default for Plan {
    /// Ada and Bob sign in by token, without rate limits.
    fn default() -> Self {
        let tokens = Tokens::read(&format!("ada {ADA}\nbob {BOB}")).unwrap();
        Self {
            auth: Auth::Tokens(tokens),
            origins: Origins::default(),
            limits: RequestLimits { requests_per_second: None, ..RequestLimits::default() },
            store: Arc::new(MemoryStore::new()),
            registry: REGISTRY.clone(),
            images: None,
            page: Page::default(),
        }
    }
}

/// A server that runs until it is dropped or stopped.
pub(crate) struct Stage {
    pub(crate) app: App,
    pub(crate) clock: Arc<ManualClock>,
    pub(crate) address: SocketAddr,
    stop: Option<oneshot::Sender<()>>,
    served: JoinHandle<std::io::Result<aileron_server::ShutdownReport>>,
}

impl Stage {
    pub(crate) async fn usual() -> Self {
        Plan::default().start().await
    }

    /// Asks as Ada.
    pub(crate) fn ada(&self) -> Client {
        Client::new(self.address).with("authorization", &format!("Bearer {ADA}"))
    }

    /// Asks as Bob.
    pub(crate) fn bob(&self) -> Client {
        Client::new(self.address).with("authorization", &format!("Bearer {BOB}"))
    }

    /// Asks without saying who.
    pub(crate) fn stranger(&self) -> Client {
        Client::new(self.address)
    }

    /// Asks the server to stop; it may have something to finish.
    pub(crate) fn ask_to_stop(&mut self) {
        let _ = self.stop.take().unwrap().send(());
    }

    /// Waits until it has stopped.
    pub(crate) async fn stopped(self) {
        self.served.await.unwrap().unwrap();
    }
}

impl Plan {
    pub(crate) async fn start(self) -> Stage {
        let given: Given = serde_json::from_str(WORLD).unwrap();
        let world = given.world(Mode::Text);
        let (event_hub, metrics) = (Arc::new(EventHub::default()), Metrics::default());
        let observer = MeteredObserver { figures: metrics.clone(), inner: event_hub.clone() };
        let mut platform = (*world.platform).clone();
        if let Some(store) = self.images.clone() {
            platform.images = Some(Arc::new(ImageEngine::new(
                Arc::new(CardGenerator),
                store,
                ImageLimits::default(),
                None,
                world.clock.clone(),
            )));
        }
        let orchestrator = Orchestrator::new(Setup {
            config: Config::default(),
            store: self.store.clone(),
            platform,
            clock: world.clock.clone(),
            observer: Arc::new(observer),
            signer: Signer::new([7; 32]),
        });
        orchestrator.install(self.registry).unwrap();
        let app = App::new(ServerParts {
            authoring: None,
            orchestrator,
            store: self.store,
            clock: world.clock.clone(),
            event_hub,
            auth: self.auth,
            origins: self.origins,
            limits: self.limits,
            metrics,
            voice: Voice::offline(NOBODY).unwrap(),
            chat: None,
            images: self.images,
            page: self.page,
            instructions: InstructionOptions::default(),
        });
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        let (stop, stopped) = oneshot::channel();
        let served = tokio::spawn(aileron_server::serve(app.clone(), listener, async {
            let _ = stopped.await;
        }));
        Stage { app, clock: world.clock, address, stop: Some(stop), served }
    }
}

/// Another registry: the shipped one without its first tool.
pub(crate) fn without_a_tool(artifact: &mut serde_json::Value) -> Arc<Registry> {
    use aileron_contract::Artifact;
    use aileron_contract::artifact::{content_hash, version_of};
    let mut artifact = Artifact::read(&artifact.to_string()).unwrap();
    artifact.tools.remove(0);
    artifact.content_hash = content_hash(artifact.tools.iter().map(|tool| &tool.hash));
    artifact.version = version_of(&artifact.content_hash);
    load(&serde_json::to_string(&artifact).unwrap())
}
