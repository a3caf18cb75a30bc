//! A conversation with made-up tools and a scripted model.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};

use aileron_agent::{
    Agent, AgentParts, ConfirmationAnswer, InstructionOptions, LoggedMessage, TurnEvent,
    TurnLimits, TurnStream,
};
use aileron_capability::{Context, ManualClock, Native, Natives, Platform, ToolResult, success};
use aileron_contract::artifact::{ArtifactSpec, content_hash, tool_hash, version_of};
use aileron_contract::text::{ChatMessage, ReplyPart};
use aileron_contract::{
    Artifact, ArtifactTool, ContentHash, ConversationId, Handler, Mode, Provider, ToolSpec, UserId,
};
use aileron_orchestrator::token::Signer;
use aileron_orchestrator::{
    Config, Conversation, ConversationEvent as Happened, EventSource, Observer, OpenRequest,
    Orchestrator, Person, Setup,
};
use aileron_runtime::{Handlers, Registry};
use aileron_store::{MemoryStore, Store};
use futures_util::StreamExt;
use futures_util::future::BoxFuture;
use futures_util::stream::BoxStream;
use serde_json::{Value, json};
use tokio::sync::mpsc::{UnboundedSender, unbounded_channel};

use crate::script::Script;

/// The observer of all conversations of a test.
#[derive(Debug, Default)]
pub(crate) struct Hall(Mutex<Vec<UnboundedSender<Happened>>>);

impl Observer for Hall {
    fn on_event(&self, _: EventSource<'_>, event: Happened) {
        self.0.lock().unwrap().retain(|watcher| watcher.send(event.clone()).is_ok());
    }
}

impl Hall {
    pub(crate) fn watch(&self) -> BoxStream<'static, Happened> {
        let (sender, receiver) = unbounded_channel();
        self.0.lock().unwrap().push(sender);
        let next = |mut receiver: tokio::sync::mpsc::UnboundedReceiver<Happened>| async move {
            receiver.recv().await.map(|event| (event, receiver))
        };
        futures_util::stream::unfold(receiver, next).boxed()
    }
}

pub(crate) struct Stage {
    pub(crate) agent: Agent,
    pub(crate) conversation: Conversation,
    pub(crate) store: Arc<dyn Store>,
    pub(crate) hall: Arc<Hall>,
    pub(crate) clock: Arc<ManualClock>,
}

pub(crate) fn ada() -> Person {
    Person::known(UserId::new("ada").unwrap())
}

impl Stage {
    pub(crate) async fn new(script: &Arc<Script>) -> Self {
        Self::over(Arc::new(MemoryStore::new()), script, TurnLimits::default(), Mode::Text).await
    }

    pub(crate) async fn over(
        store: Arc<dyn Store>,
        script: &Arc<Script>,
        limits: TurnLimits,
        mode: Mode,
    ) -> Self {
        let hall = Arc::new(Hall::default());
        let clock = Arc::new(ManualClock::at(1_800_000_000_000));
        let orchestrator = Orchestrator::new(Setup {
            config: Config::default(),
            store: store.clone(),
            platform: Platform::default(),
            clock: clock.clone(),
            observer: hall.clone(),
            signer: Signer::new([7; 32]),
        });
        orchestrator.install(registry()).unwrap();
        let id = ConversationId::new("talk-1").unwrap();
        let opened = orchestrator.open(OpenRequest { id, mode, person: ada() }).await;
        let agent = Agent::new(AgentParts {
            model: script.clone(),
            instructions: InstructionOptions::default(),
            store: store.clone(),
            clock: clock.clone(),
            policies: Config::default(),
            limits,
        });
        Self { agent, conversation: opened.unwrap(), store, hall, clock }
    }

    pub(crate) async fn begin(&self, text: &str) -> TurnStream {
        let watch = self.hall.watch();
        self.agent.say(&self.conversation, text.to_owned(), watch).await.unwrap()
    }

    /// Says something and waits for the end of the turn.
    pub(crate) async fn say(&self, text: &str) -> Vec<TurnEvent> {
        all(self.begin(text).await).await
    }

    pub(crate) async fn confirm(&self, token: &str, approve: bool) -> Vec<TurnEvent> {
        self.confirm_as(token, approve, ada()).await
    }

    pub(crate) async fn confirm_as(
        &self,
        token: &str,
        approve: bool,
        by: Person,
    ) -> Vec<TurnEvent> {
        let decision = ConfirmationAnswer { token: token.to_owned(), approve };
        let watch = self.hall.watch();
        let answering = self.agent.confirm(&self.conversation, vec![decision], by, watch).await;
        all(answering.unwrap()).await
    }

    /// The tokens of the questions in what is kept.
    pub(crate) async fn questions(&self) -> Vec<String> {
        let said = aileron_agent::said_so_far(self.store.clone(), self.conversation.id()).await;
        let said = said.unwrap();
        let answers = said.iter().filter_map(|said| match &said.message {
            ChatMessage::Results { answers } => Some(answers),
            _ => None,
        });
        let asked = answers.flatten().filter_map(|answer| {
            Some(answer.response.failure()?.confirmation_request.as_ref()?.token.clone())
        });
        asked.collect()
    }

    /// The stored log in short form.
    pub(crate) async fn kept(&self) -> Vec<String> {
        let said = aileron_agent::said_so_far(self.store.clone(), self.conversation.id()).await;
        said.unwrap().iter().map(line).collect()
    }
}

pub(crate) async fn all(mut answering: TurnStream) -> Vec<TurnEvent> {
    let mut events = Vec::new();
    while let Some(event) = answering.next().await {
        events.push(event);
    }
    events
}

/// A message in one line.
pub(crate) fn line(said: &LoggedMessage) -> String {
    format!("{} {}", said.turn, short(&said.message))
}

pub(crate) fn short(message: &ChatMessage) -> String {
    let word = |answer: &aileron_contract::text::ToolResultMessage| {
        let outcome = answer.response.failure().map_or("ok", |failure| failure.kind.as_str());
        format!("{}={outcome}", answer.call_id)
    };
    match message {
        ChatMessage::Person { text } => format!("person: {text}"),
        ChatMessage::Model { parts, .. } => {
            let parts: Vec<_> = parts
                .iter()
                .map(|part| match part {
                    ReplyPart::Text { text } => text.clone(),
                    ReplyPart::Reasoning { text } => format!("({text})"),
                    ReplyPart::Call { call } => format!("{}:{}", call.call_id, call.tool_id),
                })
                .collect();
            format!("model: {}", parts.join(" | "))
        }
        ChatMessage::Results { answers } => {
            format!("results: {}", answers.iter().map(word).collect::<Vec<_>>().join(" "))
        }
        ChatMessage::Late { answer } => format!("late: {}", word(answer)),
    }
}

/// An event in one line.
pub(crate) fn told(events: &[TurnEvent]) -> Vec<String> {
    events.iter().map(tell).collect()
}

fn tell(event: &TurnEvent) -> String {
    match event {
        TurnEvent::Began { turn } => format!("began {turn}"),
        TurnEvent::StepBegan { .. } => "step".to_owned(),
        TurnEvent::Text(text) => format!("text {text}"),
        TurnEvent::Reasoning(text) => format!("reasoning {text}"),
        TurnEvent::CallBegun { call_id, .. } => format!("begun {call_id}"),
        TurnEvent::Called { call_id, args, .. } => format!("called {call_id} {args}"),
        TurnEvent::Started { call_id } => format!("started {call_id}"),
        TurnEvent::Progress { call_id, update } => format!("progress {call_id} {update}"),
        TurnEvent::Partial { call_id, index, data } => format!("partial {call_id} {index} {data}"),
        TurnEvent::Task { call_id, status, .. } => format!("task {call_id} {status}"),
        TurnEvent::Message { message, .. } => format!("message {message}"),
        TurnEvent::Asked { call_id, request } => format!("asked {call_id} {}", request.preview),
        TurnEvent::Answered { call_id, answer, .. } => {
            let word = answer.failure().map_or("ok", |failure| failure.kind.as_str());
            format!("answered {call_id} {word}")
        }
        TurnEvent::NotConfirmed { why, .. } => format!("not confirmed: {why}"),
        TurnEvent::DecidedBefore { call_id, before } => {
            format!("decided before {call_id} {}", before.as_str())
        }
        TurnEvent::Effect(effect) => format!("effect {effect:?}"),
        TurnEvent::Usage(_) => "usage".to_owned(),
        TurnEvent::StepEnded => "step ended".to_owned(),
        TurnEvent::Sources(sources) => {
            let ids: Vec<_> = sources.iter().map(|source| source.id.as_str()).collect();
            format!("sources {}", ids.join(" "))
        }
        TurnEvent::Finished(ended) => format!("finished {ended:?}"),
        TurnEvent::Failed(failed) => format!("failed {} {failed}", failed.code.as_str()),
    }
}

type Run = fn(Arc<Value>, Context) -> BoxFuture<'static, ToolResult>;

/// `look` finds records, `book` asks first, `stuck` waits until it is cancelled, `hide` has secrets, `dig` runs in
/// the background.
fn registry() -> Arc<Registry> {
    let tools: [(&'static str, Value, Run); 6] = [
        ("look", json!({ "category": "retrieval" }), |args, context| {
            Box::pin(async move {
                context.progress(json!("half way"));
                let length = args["n"].as_u64().unwrap_or(1) as usize;
                let url = "https://example.com/mira";
                success(json!({ "results": [
                    { "id": "person:mira", "title": "Mira", "url": url },
                    { "id": "doc:light", "title": "Light", "text": "x".repeat(length) },
                ]}))
            })
        }),
        ("book", json!({ "sideEffects": "writes", "requiresConfirmation": true }), |args, _| {
            Box::pin(async move { success(Arc::unwrap_or_clone(args)) })
        }),
        ("stuck", json!({}), |_, context| {
            Box::pin(async move {
                context.cancellation().cancelled().await;
                success(json!({ "stopped": true }))
            })
        }),
        ("slow_write", json!({ "sideEffects": "writes" }), |_, _| {
            Box::pin(async move {
                for _ in 0..50 {
                    tokio::task::yield_now().await;
                }
                success(json!({ "written": true }))
            })
        }),
        ("dig", json!({ "execution": "background" }), |_, _| {
            Box::pin(async move {
                for _ in 0..50 {
                    tokio::task::yield_now().await;
                }
                success(json!({ "dug": true }))
            })
        }),
        ("hide", json!({ "redact": ["/n"] }), |args, _| {
            Box::pin(async move { success(Arc::unwrap_or_clone(args)) })
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
        "allowedModes": ["text", "voice"], "latencyBudgetMs": 60000,
        "parameters": {
            "type": "object", "additionalProperties": false,
            "properties": { "n": { "type": "integer", "default": 1 } }
        },
    });
    for (key, value) in more.as_object().unwrap() {
        spec[key] = value.clone();
    }
    let spec: ToolSpec = serde_json::from_value(spec).unwrap();
    let hash: ContentHash = serde_json::from_value(json!("0")).unwrap();
    let declaration = json!({ "name": id });
    let mut tool = ArtifactTool {
        spec: ArtifactSpec(spec),
        hash: hash.clone(),
        provider_schemas: BTreeMap::from([(Provider::Openai, declaration.into())]),
        summary: "A tool.".to_owned(),
        documentation: format!("# {id}\n\nA tool."),
        handler: Handler::Native { hash },
    };
    tool.hash = tool_hash(&mut serde_json::to_value(&tool).unwrap());
    tool
}
