//! The server in the world of the scripts: the same tools, clock and knowledge base as in the direct
//! run, on a socket, and over a store that outlives it.

use aileron_contract::Backoff;
use std::sync::Arc;

use aileron_agent::{Agent, InstructionOptions};
use aileron_orchestrator::token::Signer;
use aileron_orchestrator::{
    Config, ConversationEvent, EventSource, Observer, Orchestrator, Person, Setup,
};
use aileron_rehearsal::{RecordingObserver, ScriptEnvironment};
use aileron_runtime::Registry;
use aileron_server::voice::{
    ApiKey, Provider, Providers, Voice, VoiceProvider, VoiceSessionLimits,
};
use aileron_server::{App, Auth, Chat, ChatOptions, EventHub, Origins, ServerParts};
use aileron_store::Store;
use aileron_transports::session::Reconnect;
use aileron_transports::text::{self, Retries, TextModel, TextOptions, TextProvider};
use aileron_transports::{gemini_live, openai_realtime, tls};
use rustls::RootCertStore;
use tokio::net::TcpListener;
use tokio::task::JoinHandle;

use super::transport::Transport;

/// No session of a script ends because its clock was moved.
const LONG_MS: u64 = 30 * 24 * 3_600_000;

/// The end of every token.
pub(super) const SECRET: &str = "-0123456789abcdef";

/// A server on two addresses: at one people are known by their tokens, at the other by nothing.
pub(super) struct Stage {
    pub(super) orchestrator: Orchestrator,
    pub(super) known: House,
    pub(super) unknown: House,
}

pub(super) struct House {
    pub(super) app: App,
    pub(super) address: String,
    served: JoinHandle<std::io::Result<aileron_server::ShutdownReport>>,
}

/// The parts of a server that outlive it.
pub(super) struct Ground<'a> {
    pub(super) config: &'a Config,
    pub(super) world: &'a ScriptEnvironment,
    pub(super) store: &'a Arc<dyn Store>,
    pub(super) watcher: &'a Arc<RecordingObserver>,
    /// Where the simulated providers are.
    pub(super) simulator: String,
    /// The transport for writing.
    pub(super) written: Transport,
    pub(super) people: Vec<Person>,
}

/// Tells the pages and the test.
#[derive(Debug)]
struct Both(Arc<EventHub>, Arc<RecordingObserver>);

impl Observer for Both {
    fn on_event(&self, source: EventSource<'_>, event: ConversationEvent) {
        // The test is notified last, so that the page has already received the event.
        self.0.on_event(source, event.clone());
        self.1.on_event(source, event);
    }
}

impl Stage {
    pub(super) async fn open(ground: &Ground<'_>, registry: &Arc<Registry>) -> Self {
        let event_hub = Arc::new(EventHub::default());
        let orchestrator = Orchestrator::new(Setup {
            config: ground.config.clone(),
            store: ground.store.clone(),
            platform: ground.world.platform.clone(),
            clock: ground.world.clock.clone(),
            observer: Arc::new(Both(event_hub.clone(), ground.watcher.clone())),
            signer: Signer::new([7; 32]),
        });
        orchestrator.install(registry.clone()).unwrap();
        let people = ground.people.iter().map(|person| (token(person), person.clone()));
        let tokens = Auth::Tokens(people.collect());
        let known = House::open(app(ground, &orchestrator, &event_hub, tokens)).await;
        let unknown = House::open(app(ground, &orchestrator, &event_hub, Auth::Open)).await;
        Self { orchestrator, known, unknown }
    }

    /// Where this person goes.
    pub(super) fn house(&self, person: &Person) -> &House {
        if person.id.is_some() { &self.known } else { &self.unknown }
    }

    /// Ends once every session is over.
    pub(super) async fn close(self) {
        for house in [self.known, self.unknown] {
            house.app.voice().drained().await;
            house.served.abort();
        }
    }
}

impl House {
    async fn open(app: App) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap().to_string();
        let serving = aileron_server::serve(app.clone(), listener, std::future::pending());
        Self { app, address, served: tokio::spawn(serving) }
    }
}

/// The token of a person.
pub(super) fn token(person: &Person) -> String {
    person.id.as_ref().map_or_else(String::new, |id| format!("{id}{SECRET}"))
}

fn app(
    ground: &Ground<'_>,
    orchestrator: &Orchestrator,
    event_hub: &Arc<EventHub>,
    auth: Auth,
) -> App {
    // Waits of the server itself never pass by themselves.
    let clock = ground.world.clock.held().clone();
    let limits = VoiceSessionLimits {
        idle_ms: LONG_MS,
        max_duration_ms: LONG_MS,
        ping_ms: LONG_MS,
        ..VoiceSessionLimits::default()
    };
    App::new(ServerParts {
        authoring: None,
        orchestrator: orchestrator.clone(),
        store: ground.store.clone(),
        clock: clock.clone(),
        event_hub: event_hub.clone(),
        auth,
        chat: Some(Chat::new(agent(ground), ground.written.name(), ChatOptions::default())),
        origins: Origins::default(),
        limits: aileron_server::RequestLimits {
            requests_per_second: None,
            local_requests_per_second: None,
            ..Default::default()
        },
        images: None,
        page: aileron_page::Page::default(),
        instructions: InstructionOptions::default(),
        metrics: Default::default(),
        voice: Voice::new(providers(&ground.simulator), limits),
    })
}

fn agent(ground: &Ground<'_>) -> Agent {
    let which = TextProvider::named(ground.written.name()).unwrap();
    let base = match ground.written {
        Transport::Openai | Transport::OpenaiChat => format!("http://{}/v1", ground.simulator),
        _ => format!("http://{}", ground.simulator),
    };
    let mut options = TextOptions::new(which, "m");
    options.base_url = Some(base.parse().unwrap());
    options.key = Some(text::ApiKey::new("k"));
    options.retries = Retries { most: 0, ..Retries::default() };
    Agent::new(aileron_agent::AgentParts {
        model: Arc::new(TextModel::new(options).unwrap()),
        instructions: InstructionOptions::default(),
        store: ground.store.clone(),
        clock: ground.world.clock.held().clone(),
        policies: ground.config.clone(),
        limits: aileron_agent::TurnLimits::default(),
    })
}

fn providers(simulator: &str) -> Providers {
    let reconnect = Reconnect { backoff: Backoff::NONE, max_attempts: 3, ..Reconnect::default() };
    let at = |kind, base: String| {
        let mut provider = Provider::new(kind, "m", ApiKey::new("k"));
        provider.base_url = Some(base);
        provider.reconnect = reconnect;
        provider
    };
    let gemini = VoiceProvider::Gemini(gemini_live::GeminiLiveOptions::default());
    let openai = VoiceProvider::Openai(openai_realtime::OpenaiRealtimeOptions::default());
    let known = [
        (Transport::GeminiLive.name().to_owned(), at(gemini, format!("ws://{simulator}"))),
        (Transport::OpenaiRealtime.name().to_owned(), at(openai, format!("ws://{simulator}/v1"))),
    ];
    let trusted = tls(RootCertStore::empty()).unwrap();
    Providers::trusting(Transport::GeminiLive.name(), known, trusted).unwrap()
}
