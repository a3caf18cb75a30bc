//! A server with chat and voice over one simulated provider, on sockets, over a store on disk that
//! outlives it.

use aileron_contract::Backoff;
use std::path::PathBuf;
use std::sync::Arc;

use aileron_agent::{Agent, InstructionOptions};
use aileron_capability::{Clock, ManualClock};
use aileron_contract::Mode;
use aileron_orchestrator::token::Signer;
use aileron_orchestrator::{Config, Orchestrator, Setup};
use aileron_runtime::Registry;
use aileron_runtime::cases::Given;
use aileron_server::voice::{
    ApiKey, Provider, Providers, Voice, VoiceProvider, VoiceSessionLimits,
};
use aileron_server::{App, Auth, Chat, ChatOptions, EventHub, Origins, ServerParts, Tokens};
use aileron_simulator::manual_model::{ManualModel, ManualModelHandle};
use aileron_simulator::simulated_model::{HistoryItem, ModelInput, PlannedCall};
use aileron_simulator::{Options, RunningSimulator, Simulator};
use aileron_store::{SqliteOptions, SqliteStore, Store};
use aileron_transports::text::{self, Retries, TextModel, TextOptions, TextProvider};
use aileron_transports::{gemini_live, openai_realtime, tls};
use rusqlite::Connection;
use rustls::RootCertStore;
use serde_json::{Value, json};
use tokio::net::TcpListener;
use tokio::sync::oneshot;
use tokio::task::JoinHandle;

use crate::client::Client;
use crate::stage::{ADA, ARTIFACT, BOB, REGISTRY, WORLD, without_a_tool};
use crate::voice::client::Client as VoiceClient;

/// The parts that outlive a server: the provider, which the test controls, and the disk.
pub(crate) struct Town {
    pub(crate) simulator: RunningSimulator,
    pub(crate) hand: ManualModelHandle,
    folder: tempfile::TempDir,
}

impl Town {
    pub(crate) async fn new() -> Self {
        let (brain, hand) = ManualModel::new();
        let options = Options { model: Arc::new(brain), ..Options::default() };
        let simulator = Simulator::begin(options).await.unwrap();
        Self { simulator, hand, folder: tempfile::tempdir().unwrap() }
    }

    /// A server with the shipped registry and further ones, the newest last.
    pub(crate) async fn house(&self, newer: &[Arc<Registry>]) -> House {
        self.house_of(&[std::slice::from_ref(&*REGISTRY), newer].concat()).await
    }

    /// A server with these registries alone.
    pub(crate) async fn house_of(&self, registries: &[Arc<Registry>]) -> House {
        self.open(registries, Rules::default()).await
    }

    /// A server with the shipped registry and other rules.
    pub(crate) async fn house_with(&self, rules: Rules) -> House {
        self.open(std::slice::from_ref(&*REGISTRY), rules).await
    }

    /// Keeps the servers from writing until it is dropped, as a slow disk does.
    pub(crate) fn block_writes(&self) -> Connection {
        let connection = Connection::open(self.store()).unwrap();
        connection.execute_batch("BEGIN IMMEDIATE").unwrap();
        connection
    }

    fn store(&self) -> PathBuf {
        self.folder.path().join("store.db")
    }

    async fn open(&self, registries: &[Arc<Registry>], rules: Rules) -> House {
        House::open(self.store(), &self.simulator.address.to_string(), registries, rules).await
    }
}

/// Authentication and limits of the server.
pub(crate) struct Rules {
    pub(crate) auth: Auth,
    pub(crate) limits: aileron_server::RequestLimits,
}

impl Default for Rules {
    /// Ada and Bob sign in by token.
    fn default() -> Self {
        let tokens = Tokens::read(&format!("ada {ADA}\nbob {BOB}")).unwrap();
        let limits =
            aileron_server::RequestLimits { requests_per_second: None, ..Default::default() };
        Self { auth: Auth::Tokens(tokens), limits }
    }
}

pub(crate) struct House {
    app: App,
    pub(crate) clock: Arc<ManualClock>,
    address: std::net::SocketAddr,
    stop: oneshot::Sender<()>,
    served: JoinHandle<std::io::Result<aileron_server::ShutdownReport>>,
}

/// Another registry, which conversations that begin from now on get.
pub(crate) fn another() -> Arc<Registry> {
    without_a_tool(&mut serde_json::from_str(&ARTIFACT).unwrap())
}

impl House {
    async fn open(
        path: PathBuf,
        simulator: &str,
        registries: &[Arc<Registry>],
        rules: Rules,
    ) -> Self {
        let store: Arc<dyn Store> =
            Arc::new(SqliteStore::open(path, SqliteOptions::default()).unwrap());
        let given: Given = serde_json::from_str(WORLD).unwrap();
        let world = given.world(Mode::Text);
        let (event_hub, clock): (_, Arc<dyn Clock>) =
            (Arc::new(EventHub::default()), world.clock.clone());
        let orchestrator = Orchestrator::new(Setup {
            config: Config::default(),
            store: store.clone(),
            platform: (*world.platform).clone(),
            clock: clock.clone(),
            observer: event_hub.clone(),
            signer: Signer::new([7; 32]),
        });
        registries.iter().for_each(|registry| orchestrator.install(registry.clone()).unwrap());
        let agent = agent(simulator, &store, &clock);
        let app = App::new(ServerParts {
            authoring: None,
            orchestrator,
            store,
            clock,
            event_hub,
            auth: rules.auth,
            origins: Origins::default(),
            limits: rules.limits,
            metrics: Default::default(),
            voice: Voice::new(providers(simulator), VoiceSessionLimits::default()),
            images: None,
            page: aileron_page::Page::default(),
            chat: Some(Chat::new(agent, "gemini", ChatOptions::default())),
            instructions: InstructionOptions::default(),
        });
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        let (stop, stopped) = oneshot::channel();
        let stopping = async { drop(stopped.await) };
        let served = tokio::spawn(aileron_server::serve(app.clone(), listener, stopping));
        Self { app, clock: world.clock, address, stop, served }
    }

    pub(crate) fn install_another(&self) {
        self.app.orchestrator().install(another()).unwrap();
    }

    pub(crate) fn ada(&self) -> Client {
        Client::new(self.address).with("authorization", &format!("Bearer {ADA}"))
    }

    /// Asks without saying who.
    pub(crate) fn stranger(&self) -> Client {
        Client::new(self.address)
    }

    pub(crate) fn bob(&self) -> Client {
        Client::new(self.address).with("authorization", &format!("Bearer {BOB}"))
    }

    /// Ada's words in writing; gives the text of the answer.
    pub(crate) fn chat(&self, id: &str, text: &str) -> impl Future<Output = String> + 'static {
        let (ada, body) = (self.ada(), json!({ "id": id, "message": text, "stream": false }));
        async move {
            let answered = ada.post("/api/chat", body).await;
            assert_eq!(answered.status, 200, "{answered:?}");
            answered.json()["text"].as_str().unwrap().to_owned()
        }
    }

    /// A voice session of an anonymous person.
    pub(crate) async fn talk_unknown(&self) -> VoiceClient {
        let mut client = VoiceClient::connect(&self.address.to_string(), None).await.unwrap();
        client.say(json!({ "type": "start", "provider": "gemini" })).await;
        client
    }

    /// Ada goes on aloud.
    pub(crate) async fn talk(&self, provider: &str, id: &str) -> VoiceClient {
        let mut client = VoiceClient::connect(&self.address.to_string(), Some(ADA)).await.unwrap();
        client.say(json!({ "type": "start", "provider": provider, "conversationId": id })).await;
        client
    }

    pub(crate) async fn show(&self, id: &str) -> Value {
        self.ada().get(&format!("/v1/conversations/{id}")).await.json()
    }

    /// Ends the server, and with it every session.
    pub(crate) async fn stop(self) {
        self.stopping().await.await.unwrap().unwrap();
    }

    /// Stops the server, and returns the result once stopping has begun.
    pub(crate) async fn stopping(
        self,
    ) -> JoinHandle<std::io::Result<aileron_server::ShutdownReport>> {
        drop(self.stop);
        self.app.stopping().cancelled().await;
        self.served
    }
}

fn agent(simulator: &str, store: &Arc<dyn Store>, clock: &Arc<dyn Clock>) -> Agent {
    let mut options = TextOptions::new(TextProvider::named("gemini").unwrap(), "m");
    options.base_url = Some(format!("http://{simulator}").parse().unwrap());
    options.key = Some(text::ApiKey::new("k"));
    options.retries = Retries { most: 0, ..Retries::default() };
    Agent::new(aileron_agent::AgentParts {
        model: Arc::new(TextModel::new(options).unwrap()),
        instructions: InstructionOptions::default(),
        store: store.clone(),
        clock: clock.clone(),
        policies: Config::default(),
        limits: aileron_agent::TurnLimits::default(),
    })
}

fn providers(simulator: &str) -> Providers {
    let at = |kind, base: String| {
        let mut provider = Provider::new(kind, "m", ApiKey::new("k"));
        provider.base_url = Some(base);
        provider.reconnect.backoff = Backoff::NONE;
        provider
    };
    let gemini = at(
        VoiceProvider::Gemini(gemini_live::GeminiLiveOptions::default()),
        format!("ws://{simulator}"),
    );
    let openai = at(
        VoiceProvider::Openai(openai_realtime::OpenaiRealtimeOptions::default()),
        format!("ws://{simulator}/v1"),
    );
    let known = [("gemini".to_owned(), gemini), ("openai".to_owned(), openai)];
    Providers::trusting("gemini", known, tls(RootCertStore::empty()).unwrap()).unwrap()
}

pub(crate) fn call(name: &str, args: Value) -> PlannedCall {
    PlannedCall { id: None, name: name.to_owned(), args: args.as_object().unwrap().clone() }
}

/// The input of a model, one line for each item.
pub(crate) fn words(scene: &ModelInput) -> Vec<String> {
    let line = |item: &HistoryItem| match item {
        HistoryItem::Heard { text, .. } => format!("heard: {text}"),
        HistoryItem::Said { text } => format!("said: {text}"),
        HistoryItem::Called(call) => format!("called: {}", call.name),
        HistoryItem::Returned(returned) => {
            format!("returned: {} {}", returned.name, returned.result)
        }
    };
    scene.items.iter().map(line).collect()
}
