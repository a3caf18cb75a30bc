//! A toolset whose handlers run on one engine, and a pipeline with the shipped configuration.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use aileron_capability::doubles::{
    CalendarContents, KbContents, MemoryCalendar, MemoryImages, MemoryKb,
};
use aileron_capability::kb::{FetchedRecords, GetRequest, Kb, SearchRequest, SearchResult};
use aileron_capability::secrets::FixedSecrets;
use aileron_capability::{Answer, Caller, Platform, SystemClock};
use aileron_contract::artifact::{
    ArtifactSpec, FORMAT_VERSION, code_hash, content_hash, tool_hash, version_of,
};
use aileron_contract::{Artifact, ArtifactTool, ContentHash, Handler, WorkerCode};
use aileron_orchestrator::token::Signer;
use aileron_orchestrator::{Config, ConversationEvent, EventSource, Observer, Orchestrator, Setup};
use aileron_runtime::{Handlers, Registry};
use aileron_sandbox::{Isolation, JsEngine};
use aileron_store::MemoryStore;
use aileron_workers::Workers;
use futures_util::FutureExt;
use serde_json::{Value, json};

use super::native;

const JAVASCRIPT: &str = include_str!("handler.js");
const PYTHON: &str = include_str!("handler.py");

/// The tools and the fields of their specs that differ.
pub(super) const TOOLS: [(&str, &str); 4] = [
    ("contract_read", r#"{ "sideEffects": "read_only", "idempotent": true }"#),
    ("contract_write", r#"{ "sideEffects": "writes", "idempotent": false }"#),
    ("contract_slow", r#"{ "sideEffects": "read_only", "idempotent": false, "timeoutMs": 400 }"#),
    ("contract_bare", r#"{ "sideEffects": "none", "idempotent": true, "capabilities": [] }"#),
];

/// The engines of this program.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Engine {
    SandboxThread,
    SandboxProcess,
    Native,
    Node,
    Python,
    AsyncPython,
}

impl Engine {
    pub(super) const ALL: [Self; 6] = [
        Self::SandboxThread,
        Self::SandboxProcess,
        Self::Native,
        Self::Node,
        Self::Python,
        Self::AsyncPython,
    ];

    /// The argument by which its processes are found.
    pub(super) fn process_mark(self) -> Option<&'static str> {
        match self {
            Self::SandboxProcess => Some("js-worker"),
            Self::Node => Some("worker.mjs"),
            Self::Python | Self::AsyncPython => Some("main.py"),
            Self::SandboxThread | Self::Native => None,
        }
    }

    fn handler(self) -> Handler {
        let code = |entry: &str, text: String| {
            (entry.to_owned(), BTreeMap::from([(entry.to_owned(), text)]))
        };
        let python = |define: &str, await_it: &str| {
            let text = PYTHON.replace("ASYNC ", define).replace("AWAIT ", await_it);
            let (entry, modules) = code("contract/handler.py", text);
            Handler::Python(WorkerCode::new(entry, modules, None))
        };
        match self {
            Self::SandboxThread | Self::SandboxProcess => {
                let (entry, modules) = code("contract/handler.js", JAVASCRIPT.to_owned());
                let hash = code_hash(&entry, &modules);
                Handler::Javascript { entry, modules, hash }
            }
            Self::Native => {
                Handler::Native { hash: serde_json::from_value(json!(native::HASH)).unwrap() }
            }
            Self::Node => {
                let (entry, modules) = code("contract/handler.mjs", JAVASCRIPT.to_owned());
                Handler::Node(WorkerCode::new(entry, modules, None))
            }
            Self::Python => python("", ""),
            Self::AsyncPython => python("async ", "await "),
        }
    }

    fn handlers(self) -> Handlers {
        let program = OsString::from(env!("CARGO_BIN_EXE_aileron"));
        let isolation = match self {
            Self::SandboxProcess => {
                Isolation::Process { command: vec![program.clone(), "js-worker".into()] }
            }
            _ => Isolation::Thread,
        };
        let sandbox = aileron_sandbox::Options { isolation, ..aileron_sandbox::Options::default() };
        let workers = aileron_workers::WorkerOptions {
            launcher: vec![program, "handler-process".into()],
            memory_bytes: 200 << 20,
            grace: Duration::from_millis(300),
            ..aileron_workers::WorkerOptions::new("/nonexistent/tools".into())
        };
        Handlers {
            natives: native::natives(),
            engine: Some(Arc::new(JsEngine::new(sandbox).unwrap())),
            workers: Some(Arc::new(Workers::new(workers))),
        }
    }
}

/// A pipeline over one engine, and the events that it published.
pub(super) struct Pipeline {
    pub(super) orchestrator: Orchestrator,
    pub(super) version: String,
    pub(super) events: Arc<EventList>,
}

impl Pipeline {
    pub(super) fn new(engine: Engine) -> Self {
        let registry = Registry::load(&artifact(&engine.handler()), &engine.handlers()).unwrap();
        let events = Arc::new(EventList::default());
        let orchestrator = Orchestrator::new(Setup {
            config: Config::default(),
            store: Arc::new(MemoryStore::new()),
            platform: platform(),
            clock: Arc::new(SystemClock),
            observer: events.clone(),
            signer: Signer::new([7; 32]),
        });
        let version = registry.version().to_owned();
        orchestrator.install(registry).unwrap();
        Self { orchestrator, version, events }
    }
}

/// All events, as they were published.
#[derive(Debug, Default)]
pub(super) struct EventList(Mutex<Vec<ConversationEvent>>);

impl EventList {
    pub(super) fn take(&self) -> Vec<ConversationEvent> {
        std::mem::take(&mut self.0.lock().unwrap())
    }

    pub(super) fn has(&self, holds: impl Fn(&ConversationEvent) -> bool) -> bool {
        self.0.lock().unwrap().iter().any(holds)
    }
}

impl Observer for EventList {
    fn on_event(&self, _: EventSource<'_>, event: ConversationEvent) {
        self.0.lock().unwrap().push(event);
    }
}

fn platform() -> Platform {
    let records: KbContents = serde_json::from_value(json!({ "records": [{
        "id": "doc:plan", "type": "doc", "title": "Plan", "text": "The plan.", "namespace": "studio",
        "tags": [], "source_type": "wiki", "last_updated": "2026-01-01T00:00:00Z",
    }] }))
    .unwrap();
    let calendars: CalendarContents =
        serde_json::from_value(json!({ "busy": { "ada@example.com": [
        { "start": "2026-03-02T09:00:00Z", "end": "2026-03-02T10:00:00Z" },
    ] } }))
        .unwrap();
    let secrets =
        BTreeMap::from([("CONTRACT_SECRET".to_owned(), "a-long-secret-value".to_owned())]);
    Platform {
        kb: Some(Arc::new(PatientKb(MemoryKb::from(records)))),
        calendar: Some(Arc::new(MemoryCalendar::from(calendars))),
        images: Some(Arc::new(MemoryImages::default())),
        http: Some(Arc::new(aileron_http::client(Default::default()).unwrap())),
        secrets: Some(Arc::new(FixedSecrets::new(secrets))),
        ..Platform::default()
    }
}

/// A knowledge base that never answers the query `never`.
#[derive(Debug)]
struct PatientKb(MemoryKb);

impl Kb for PatientKb {
    fn search(&self, caller: &Caller, request: SearchRequest) -> Answer<SearchResult> {
        match request.query == "never" {
            true => std::future::pending().boxed(),
            false => self.0.search(caller, request),
        }
    }

    fn get(&self, caller: &Caller, request: GetRequest) -> Answer<FetchedRecords> {
        self.0.get(caller, request)
    }
}

fn artifact(handler: &Handler) -> String {
    let mut tools: Vec<_> = TOOLS.iter().map(|(id, more)| tool(id, more, handler)).collect();
    tools.sort_by(|a, b| a.id().cmp(b.id()));
    let content_hash = content_hash(tools.iter().map(|tool| &tool.hash));
    let artifact = Artifact {
        version: version_of(&content_hash),
        content_hash,
        format_version: FORMAT_VERSION,
        git_commit: None,
        build_timestamp: None,
        left_out: Vec::new(),
        tools,
    };
    serde_json::to_string(&artifact).unwrap()
}

fn tool(id: &str, more: &str, handler: &Handler) -> ArtifactTool {
    let mut spec = json!({
        "toolId": id, "version": "1.0.0", "description": "Behaves as told.", "category": "utility",
        "requiresConfirmation": false, "allowedModes": ["text"], "latencyBudgetMs": 10_000,
        "capabilities": [
            "kb", "calendar", "images", "messaging", "voice", "audio", "audit", "tools",
            "http:api.example.com", "secret:CONTRACT_SECRET",
        ],
        "parameters": { "type": "object", "required": ["do"], "properties": { "do": { "type": "string" } } },
    });
    let more: Value = serde_json::from_str(more).unwrap();
    spec.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
    let mut tool = ArtifactTool {
        spec: ArtifactSpec(serde_json::from_value(spec).unwrap()),
        hash: ContentHash::of_bytes(b""),
        provider_schemas: BTreeMap::new(),
        summary: String::new(),
        documentation: String::new(),
        handler: handler.clone(),
    };
    tool.hash = tool_hash(&mut serde_json::to_value(&tool).unwrap());
    tool
}
