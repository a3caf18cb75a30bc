//! A conversation with native test tools, a manual clock and a recording observer.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};

use aileron_capability::{ManualClock, Native, Natives, Platform};
use aileron_contract::artifact::{ArtifactSpec, content_hash, tool_hash, version_of};
use aileron_contract::{
    Arguments, Artifact, ArtifactTool, CallId, ContentHash, ConversationId, Handler, Mode,
    ToolCall, ToolResponse, ToolSpec, UserId,
};
use aileron_orchestrator::token::Signer;
use aileron_orchestrator::yes_no::Grammar;
use aileron_orchestrator::{
    Config, Conversation, ConversationEvent, EventSource, Observer, OpenRequest, Orchestrator,
    Person, Setup, TurnInput,
};
use aileron_runtime::{Handlers, Registry};
use aileron_store::{AuditFilter, MemoryStore, Store};
use serde_json::{Value, json};

pub(crate) const NOW: u64 = 1_800_000_000_000;

/// All events, in order.
#[derive(Debug, Default)]
pub(crate) struct Memo(Mutex<Vec<ConversationEvent>>);

impl Observer for Memo {
    fn on_event(&self, _: EventSource<'_>, event: ConversationEvent) {
        self.0.lock().unwrap().push(event);
    }
}

impl Memo {
    pub(crate) fn events(&self) -> Vec<ConversationEvent> {
        self.0.lock().unwrap().clone()
    }
}

pub(crate) struct Stage {
    pub(crate) orchestrator: Orchestrator,
    pub(crate) store: Arc<dyn Store>,
    pub(crate) clock: Arc<ManualClock>,
    pub(crate) memo: Arc<Memo>,
}

impl Stage {
    /// A stage with these tools and the default settings.
    pub(crate) fn new(tools: &[(Value, Native)]) -> Self {
        Self::over(Arc::new(MemoryStore::new()), tools)
    }

    pub(crate) fn over(store: Arc<dyn Store>, tools: &[(Value, Native)]) -> Self {
        Self::hearing(store, tools, Grammar::english().clone())
    }

    /// A stage whose people answer in the words of this grammar.
    pub(crate) fn hearing(
        store: Arc<dyn Store>,
        tools: &[(Value, Native)],
        grammar: Arc<Grammar>,
    ) -> Self {
        Self::set_up(store, tools, grammar, Config::default())
    }

    /// A stage with other settings.
    pub(crate) fn configured(
        store: Arc<dyn Store>,
        tools: &[(Value, Native)],
        config: Config,
    ) -> Self {
        Self::set_up(store, tools, Grammar::english().clone(), config)
    }

    fn set_up(
        store: Arc<dyn Store>,
        tools: &[(Value, Native)],
        grammar: Arc<Grammar>,
        config: Config,
    ) -> Self {
        let clock = Arc::new(ManualClock::at(NOW));
        let memo = Arc::new(Memo::default());
        let setup = Setup {
            config,
            store: store.clone(),
            platform: Platform::default(),
            clock: clock.clone(),
            observer: memo.clone(),
            signer: Signer::new([7; 32]),
        };
        let orchestrator = Orchestrator::with_grammar(setup, grammar);
        orchestrator.install(registry(tools)).unwrap();
        Self { orchestrator, store, clock, memo }
    }

    pub(crate) async fn open(&self, mode: Mode) -> Conversation {
        let conversation = self.open_as("conversation-1", mode, ada()).await;
        conversation.begin_turn(TurnInput::Written).await.unwrap();
        conversation
    }

    pub(crate) async fn open_as(&self, id: &str, mode: Mode, person: Person) -> Conversation {
        let id = ConversationId::new(id).unwrap();
        self.orchestrator.open(OpenRequest { id, mode, person }).await.unwrap()
    }

    /// Call id and outcome of every audit record.
    pub(crate) fn records(&self) -> Vec<String> {
        let records = self.store.audit(AuditFilter::default()).map(|record| record.unwrap().entry);
        records.map(|entry| format!("{} {}", entry.call_id, entry.outcome)).collect()
    }
}

pub(crate) fn ada() -> Person {
    Person::known(UserId::new("ada").unwrap())
}

/// A spec with minimal values; `more` changes or adds fields.
pub(crate) fn spec(id: &str, more: Value) -> Value {
    let mut spec = json!({
        "toolId": id, "version": "1.0.0", "description": "A tool.", "category": "action",
        "sideEffects": "read_only", "idempotent": true, "requiresConfirmation": false,
        "allowedModes": ["text", "voice"], "latencyBudgetMs": 1000,
        "parameters": {
            "type": "object", "additionalProperties": false,
            "properties": { "n": { "type": "integer", "default": 1 } }
        },
    });
    for (key, value) in more.as_object().unwrap() {
        spec[key] = value.clone();
    }
    spec
}

pub(crate) fn registry(tools: &[(Value, Native)]) -> Arc<Registry> {
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
    let mut tool = ArtifactTool {
        spec: ArtifactSpec(spec),
        hash: hash.clone(),
        provider_schemas: BTreeMap::new(),
        summary: String::new(),
        documentation: String::new(),
        handler: Handler::Native { hash },
    };
    tool.hash = tool_hash(&mut serde_json::to_value(&tool).unwrap());
    tool
}

/// A native handler for a tool.
pub(crate) fn native(
    tool: &'static str,
    run: fn(
        Arc<Value>,
        aileron_capability::Context,
    ) -> futures_util::future::BoxFuture<'static, aileron_capability::ToolResult>,
) -> Native {
    Native { tool, hash: "0", run }
}

pub(crate) fn call(id: &str, tool: &str, args: Value) -> ToolCall {
    ToolCall {
        call_id: CallId::new(id).unwrap(),
        tool_id: tool.to_owned(),
        args: Arguments::Value(args),
    }
}

/// `ok`, or the type of the error.
pub(crate) fn word(answer: &ToolResponse) -> &'static str {
    answer.failure().map_or("ok", |failure| failure.kind.as_str())
}

pub(crate) fn words(answers: &[Arc<ToolResponse>]) -> Vec<&'static str> {
    answers.iter().map(|answer| word(answer)).collect()
}
