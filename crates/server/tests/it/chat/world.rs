//! A server with made-up tools, its agent over a provider in a box, all on sockets of this machine.

use std::collections::BTreeMap;
use std::net::SocketAddr;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use aileron_agent::{Agent, InstructionOptions, TurnLimits};
use aileron_capability::{
    Context, Native, Natives, Platform, Success, SystemClock, ToolResult, success,
};
use aileron_compiler::declare::{OpenAiForm, declare};
use aileron_contract::artifact::{ArtifactSpec, content_hash, tool_hash, version_of};
use aileron_contract::intent::Intent;
use aileron_contract::{
    Artifact, ArtifactTool, ContentHash, ConversationId, Handler, Provider, ToolSpec,
};
use aileron_orchestrator::token::Signer;
use aileron_orchestrator::{Config, Orchestrator, Setup};
use aileron_runtime::{Handlers, Registry};
use aileron_server::{App, Auth, Chat, ChatOptions, EventHub, Origins, ServerParts, Tokens};
use aileron_simulator::http::{HttpFaults, HttpWorld, router};
use aileron_store::{MemoryStore, Store};
use aileron_transports::text::{ApiKey, Retries, TextModel, TextOptions, TextProvider, Timeouts};
use axum::extract::Path;
use axum::routing::post;
use futures_util::future::BoxFuture;
use serde_json::{Value, json};
use tokio::net::TcpListener;
use tokio::sync::Notify;

use super::brain::Obedient;
use super::http::{Response, finish, send};

/// Ends the digging in a conversation.
static SHOVELS: Mutex<BTreeMap<String, Arc<Notify>>> = Mutex::new(BTreeMap::new());

pub(crate) fn dig_out(conversation: &str) {
    SHOVELS.lock().unwrap().entry(conversation.to_owned()).or_default().notify_one();
}

pub(crate) struct World {
    pub(crate) address: SocketAddr,
    pub(crate) store: Arc<dyn Store>,
    pub(crate) brain: Obedient,
}

impl World {
    pub(crate) async fn new() -> Self {
        Self::with(HttpFaults::default(), ChatOptions::default()).await
    }

    pub(crate) async fn with(faults: HttpFaults, options: ChatOptions) -> Self {
        Self::build(faults, options, Timeouts::default()).await
    }

    /// A server that waits for its provider as long as this.
    pub(crate) async fn build(
        faults: HttpFaults,
        options: ChatOptions,
        timeouts: Timeouts,
    ) -> Self {
        let brain = Obedient::default();
        let provider = HttpWorld::with(Arc::new(brain.clone()), faults, Duration::ZERO);
        let provider = listen(|listener| async move {
            axum::serve(listener, router(Arc::new(provider))).await.unwrap();
        });
        let provider = provider.await;
        let store: Arc<dyn Store> = Arc::new(MemoryStore::new());
        let gates = brain.clone();
        let open = post(|Path(gate): Path<String>| async move { gates.open(&gate) });
        let routes = aileron_server::router(app(store.clone(), provider, options, timeouts));
        let routes = routes.route("/test/open/{gate}", open);
        let address = listen(|listener| async move {
            axum::serve(listener, routes).await.unwrap();
        });
        Self { address: address.await, store, brain }
    }

    /// A message of a person in a conversation, as `useChat` sends it.
    pub(crate) async fn say(&self, token: &str, id: &str, text: &str) -> Response {
        self.post(token, &user(id, text)).await
    }

    pub(crate) async fn post(&self, token: &str, body: &Value) -> Response {
        finish(send(self.address, "POST /api/chat", token, body.to_string().as_bytes()).await).await
    }

    pub(crate) async fn get(&self, token: &str, id: &str) -> Response {
        finish(send(self.address, &format!("GET /api/chat/{id}/stream"), token, b"").await).await
    }

    /// Any other request.
    pub(crate) async fn ask(&self, token: &str, line: &str) -> Response {
        finish(send(self.address, line, token, b"").await).await
    }

    /// The stored messages of a conversation, one line for each.
    pub(crate) async fn kept(&self, id: &str) -> Vec<String> {
        let id = ConversationId::new(id).unwrap();
        let entries = self.store.messages(&id, u64::MAX, 1000).await.unwrap();
        entries.iter().map(|entry| entry.body["message"].to_string()).collect()
    }

    /// Waits until something is kept.
    pub(crate) async fn kept_with(&self, id: &str, wanted: &str) -> Vec<String> {
        loop {
            let kept = self.kept(id).await;
            if kept.iter().any(|line| line.contains(wanted)) {
                return kept;
            }
            tokio::task::yield_now().await;
        }
    }
}

pub(crate) fn user(id: &str, text: &str) -> Value {
    json!({
        "id": id, "trigger": "submit-message",
        "messages": [{ "id": "m", "role": "user", "parts": [{ "type": "text", "text": text }] }],
    })
}

async fn listen<F: Future<Output = ()> + Send + 'static>(
    run: impl FnOnce(TcpListener) -> F,
) -> SocketAddr {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    drop(tokio::spawn(run(listener)));
    address
}

fn app(
    store: Arc<dyn Store>,
    provider: SocketAddr,
    options: ChatOptions,
    timeouts: Timeouts,
) -> App {
    let event_hub = Arc::new(EventHub::default());
    let orchestrator = Orchestrator::new(Setup {
        config: Config::default(),
        store: store.clone(),
        platform: Platform::default(),
        clock: Arc::new(SystemClock),
        observer: event_hub.clone(),
        signer: Signer::new([7; 32]),
    });
    orchestrator.install(registry()).unwrap();
    let mut text = TextOptions::new(TextProvider::named("gemini").unwrap(), "gemini-3-flash");
    text.base_url = Some(format!("http://{provider}").parse().unwrap());
    text.key = Some(ApiKey::new("k"));
    text.retries = Retries { most: 0, ..Retries::default() };
    text.timeouts = timeouts;
    let agent = Agent::new(aileron_agent::AgentParts {
        model: Arc::new(TextModel::new(text).unwrap()),
        instructions: InstructionOptions::default(),
        store: store.clone(),
        clock: Arc::new(SystemClock),
        policies: Config::default(),
        limits: TurnLimits::default(),
    });
    let tokens = Tokens::read("ada ada-0123456789abcdef\nbob bob-0123456789abcdef").unwrap();
    App::new(ServerParts {
        authoring: None,
        orchestrator,
        store,
        clock: Arc::new(SystemClock),
        event_hub,
        auth: Auth::Tokens(tokens),
        chat: Some(Chat::new(agent, "gemini", options)),
        origins: Origins::default(),
        limits: aileron_server::RequestLimits { requests_per_second: None, ..Default::default() },
        images: None,
        page: aileron_page::Page::default(),
        instructions: InstructionOptions::default(),
        metrics: Default::default(),
        voice: aileron_server::voice::Voice::offline("http://127.0.0.1:9").unwrap(),
    })
}

type Run = fn(Arc<Value>, Context) -> BoxFuture<'static, ToolResult>;

/// `look` finds a record, `book` asks first, `block` keeps the person out, `dig` runs in the background until it is
/// cancelled or dug out.
fn registry() -> Arc<Registry> {
    let tools: [(&'static str, Value, Run); 4] = [
        ("look", json!({ "category": "retrieval" }), |_, context| {
            Box::pin(async move {
                context.progress(json!("half way"));
                let url = "https://example.com/mira";
                success(
                    json!({ "results": [{ "id": "person:mira", "title": "Mira", "url": url }] }),
                )
            })
        }),
        ("book", json!({ "sideEffects": "writes", "requiresConfirmation": true }), |args, _| {
            Box::pin(async move { success(json!({ "booked": args["n"] })) })
        }),
        ("dig", json!({ "execution": "background", "timeoutMs": 3_600_000 }), |_, context| {
            Box::pin(async move {
                context.progress(json!("digging"));
                let conversation = context.caller().conversation.to_string();
                let dug_out = SHOVELS.lock().unwrap().entry(conversation).or_default().clone();
                dug_out.notified().await;
                success(json!({ "dug": true }))
            })
        }),
        ("block", json!({ "sideEffects": "writes" }), |_, context| {
            Box::pin(async move {
                let until = context.now() + 60_000;
                Ok(Success { data: json!({}), intents: vec![Intent::BlockUser { until }] })
            })
        }),
    ];
    let natives = tools.each_ref().map(|(tool, _, run)| Native { tool, hash: "0", run: *run });
    let mut compiled: Vec<_> = tools.iter().map(|(id, more, _)| compiled(id, more)).collect();
    compiled.sort_by(|a, b| a.id().cmp(b.id()));
    let content_hash = content_hash(compiled.iter().map(|tool| &tool.hash));
    let artifact = Artifact {
        version: version_of(&content_hash),
        content_hash,
        format_version: 1,
        git_commit: None,
        build_timestamp: None,
        left_out: Vec::new(),
        tools: compiled,
    };
    let handlers = Handlers { natives: Natives::new(natives), ..Handlers::default() };
    Registry::load(&serde_json::to_string(&artifact).unwrap(), &handlers).unwrap()
}

fn compiled(id: &str, more: &Value) -> ArtifactTool {
    let mut spec = json!({
        "toolId": id, "version": "1.0.0", "description": "A tool.", "category": "action",
        "sideEffects": "read_only", "idempotent": true, "requiresConfirmation": false,
        "allowedModes": ["text"], "latencyBudgetMs": 60000,
        "parameters": {
            "type": "object", "additionalProperties": false,
            "properties": { "n": { "type": "integer" }, "query": { "type": "string" } }
        },
    });
    for (key, value) in more.as_object().unwrap() {
        spec[key] = value.clone();
    }
    let declared = declare(&spec, Provider::GeminiJsonSchema, OpenAiForm::Plain).unwrap().value;
    let hash: ContentHash = serde_json::from_value(json!("0")).unwrap();
    let mut tool = ArtifactTool {
        spec: ArtifactSpec(serde_json::from_value::<ToolSpec>(spec).unwrap()),
        hash: hash.clone(),
        provider_schemas: BTreeMap::from([(Provider::GeminiJsonSchema, declared.into())]),
        summary: "A tool.".to_owned(),
        documentation: format!("# {id}\n\nA tool."),
        handler: Handler::Native { hash },
    };
    tool.hash = tool_hash(&mut serde_json::to_value(&tool).unwrap());
    tool
}
