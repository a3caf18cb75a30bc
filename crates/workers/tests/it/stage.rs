//! A toolset of one tool in either language, and calls of it.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::{Duration, Instant};

use aileron_capability::doubles::{KbContents, MemoryKb, RecordingConversation};
use aileron_capability::handler::{HandlerEngine, HandlerSource, LoadedHandler};
use aileron_capability::secrets::EnvironmentSecrets;
use aileron_capability::{
    Caller, Capability, Clock, Context, ContextParts, HandlerEnd, Platform, SystemClock,
};
use aileron_contract::artifact::ArtifactSpec;
use aileron_contract::envelope::Failure;
use aileron_contract::spec::SideEffects;
use aileron_contract::{
    ArtifactTool, CallId, ContentHash, ConversationId, Handler, HandlerRuntime, Mode, Packages,
    ToolId, WorkerCode,
};
use aileron_workers::{WorkerOptions, Workers};
use serde_json::{Value, json};
use tokio::runtime::{Builder, Runtime};
use tokio::task::JoinHandle;
use tokio_util::sync::CancellationToken;

const LONG: Duration = Duration::from_secs(30);

/// A kind of handlers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Language {
    Node,
    Python,
    AsyncPython,
}

impl Language {
    pub(crate) const ALL: [Self; 3] = [Self::Node, Self::Python, Self::AsyncPython];

    pub(crate) fn runtime(self) -> HandlerRuntime {
        match self {
            Self::Node => HandlerRuntime::Node,
            Self::Python | Self::AsyncPython => HandlerRuntime::Python,
        }
    }

    pub(crate) fn entry(self) -> &'static str {
        match self {
            Self::Node => "the-tool/handler.mjs",
            Self::Python | Self::AsyncPython => "the-tool/handler.py",
        }
    }

    /// A handler with one of these bodies. `AWAIT` stands before what a coroutine awaits.
    pub(crate) fn handler(self, node: &str, python: &str) -> String {
        let (define, await_it) = match self {
            Self::Node => {
                return format!("export async function execute({{ args, context }}) {{ {node} }}");
            }
            Self::Python => ("def", ""),
            Self::AsyncPython => ("async def", "await "),
        };
        let body: String = python.lines().map(|line| format!("    {line}\n")).collect();
        let body = body.replace("AWAIT ", await_it);
        format!("import os, sys, time, json, asyncio\n\n{define} execute(args, context):\n{body}")
    }
}

/// A handler and its surroundings.
pub(crate) struct Stage {
    runtime: Runtime,
    handler: Arc<dyn LoadedHandler>,
    tool: Arc<ArtifactTool>,
    declared: Arc<[Capability]>,
    pub(crate) conversation: Arc<RecordingConversation>,
}

/// WorkerOptions for tests: a short grace, and workers that end with the test.
pub(crate) fn options() -> WorkerOptions {
    let launcher = env!("CARGO_BIN_EXE_aileron-handler-process");
    WorkerOptions {
        launcher: vec![launcher.into()],
        grace: Duration::from_millis(300),
        workers: 1,
        ..WorkerOptions::new(PathBuf::from("/nonexistent/tools"))
    }
}

/// Loads a handler whose body is one of these.
pub(crate) fn body(language: Language, node: &str, python: &str, options: WorkerOptions) -> Stage {
    let source = language.handler(node, python);
    load(language, &source, &["kb"], options).unwrap()
}

/// Loads a handler, or says why not.
pub(crate) fn load(
    language: Language,
    source: &str,
    capabilities: &[&str],
    options: WorkerOptions,
) -> Result<Stage, String> {
    let engine = Arc::new(Workers::new(options));
    load_on(&engine, "the_tool", language, &[(language.entry(), source)], capabilities, None)
}

pub(crate) fn load_on(
    engine: &Arc<Workers>,
    tool: &str,
    language: Language,
    modules: &[(&str, &str)],
    capabilities: &[&str],
    packages: Option<Packages>,
) -> Result<Stage, String> {
    let declared: Vec<Capability> = capabilities.iter().map(|name| name.parse().unwrap()).collect();
    let entry = modules[0].0;
    let modules: BTreeMap<String, String> =
        modules.iter().map(|(path, text)| ((*path).to_owned(), (*text).to_owned())).collect();
    let source = HandlerSource {
        tool,
        entry,
        modules: &modules,
        declared: &declared,
        runtime: language.runtime(),
        packages: packages.as_ref(),
    };
    let handler = engine.clone().begin_load(source).wait()?;
    let code = WorkerCode::new(entry.to_owned(), modules, packages);
    let handler_code = match language {
        Language::Node => Handler::Node(code),
        Language::Python | Language::AsyncPython => Handler::Python(code),
    };
    Ok(Stage {
        runtime: Builder::new_multi_thread().worker_threads(2).enable_all().build().unwrap(),
        handler,
        tool: Arc::new(artifact(tool, handler_code)),
        declared: declared.into(),
        conversation: Arc::new(RecordingConversation::new(Mode::Text)),
    })
}

fn artifact(tool: &str, handler: Handler) -> ArtifactTool {
    let spec = json!({
        "toolId": tool, "version": "1.0.0", "description": "A tool.", "category": "utility",
        "sideEffects": "writes", "idempotent": true, "requiresConfirmation": false,
        "allowedModes": ["text"], "latencyBudgetMs": 1000,
        "parameters": { "type": "object", "additionalProperties": false },
    });
    ArtifactTool {
        spec: ArtifactSpec(serde_json::from_value(spec).unwrap()),
        hash: ContentHash::of_bytes(b""),
        provider_schemas: BTreeMap::new(),
        summary: String::new(),
        documentation: String::new(),
        handler,
    }
}

impl Stage {
    /// The same tool without side effects.
    pub(crate) fn reading(mut self) -> Self {
        let mut tool = ArtifactTool::clone(&self.tool);
        tool.spec.0.side_effects = SideEffects::ReadOnly;
        self.tool = Arc::new(tool);
        self
    }

    /// The context of one call, with a time limit.
    fn context(&self, limit: Duration, depth: usize) -> Context {
        let contents: KbContents = serde_json::from_value(json!({ "records": [{
            "id": "doc:plan", "type": "doc", "title": "Plan", "text": "The plan.", "namespace": "studio",
            "tags": [], "source_type": "wiki", "last_updated": "2026-01-01T00:00:00Z",
        }] }))
        .unwrap();
        let clock = Arc::new(SystemClock);
        let parts = ContextParts {
            caller: Caller {
                conversation: ConversationId::new("c").unwrap(),
                user: None,
                scopes: [].into(),
                mode: Mode::Text,
                tool: ToolId::new("the_tool").unwrap(),
                call_id: CallId::new("call").unwrap(),
                idempotency_key: "key-1".into(),
            },
            platform: Arc::new(Platform {
                kb: Some(Arc::new(MemoryKb::from(contents))),
                secrets: Some(Arc::new(EnvironmentSecrets)),
                ..Platform::default()
            }),
            conversation: self.conversation.clone(),
            deadline: clock.now_ms() + u64::try_from(limit.as_millis()).unwrap(),
            clock,
            cancel: CancellationToken::new(),
            user: Some(Arc::new(json!({ "id": "u1" }))),
            depth,
        };
        Context::new(self.declared.clone(), parts)
    }

    /// Begins a call at a nesting depth.
    pub(crate) fn begin_at(
        &self,
        args: Value,
        limit: Duration,
        depth: usize,
    ) -> JoinHandle<HandlerEnd> {
        let context = self.context(limit, depth);
        self.runtime.spawn(self.handler.run(Arc::new(args), self.tool.clone(), context))
    }

    pub(crate) fn begin(&self, args: Value) -> JoinHandle<HandlerEnd> {
        self.begin_at(args, LONG, 0)
    }

    pub(crate) fn end(&self, call: JoinHandle<HandlerEnd>) -> HandlerEnd {
        self.runtime.block_on(call).unwrap()
    }

    pub(crate) fn call(&self, args: Value) -> HandlerEnd {
        self.end(self.begin(args))
    }

    pub(crate) fn call_within(&self, args: Value, limit: Duration) -> HandlerEnd {
        self.end(self.begin_at(args, limit, 0))
    }

    /// The data of a call that succeeds.
    pub(crate) fn data(&self, args: Value) -> Value {
        data(self.call(args))
    }

    /// Waits until the conversation has seen a text.
    pub(crate) fn wait_for(&self, text: &str) {
        until(text, || format!("{:?}", self.conversation.seen()).contains(text));
    }
}

pub(crate) fn data(end: HandlerEnd) -> Value {
    end.result.unwrap_or_else(|error| panic!("{error:?} {:?}", end.defect)).data
}

/// The failure of a call, and its defect for the log.
pub(crate) fn failure(end: HandlerEnd) -> (Failure, String) {
    let defect = end.defect.map(|defect| defect.to_string()).unwrap_or_default();
    (end.result.unwrap_err().into_failure(), defect)
}

/// Waits until a condition holds.
pub(crate) fn until(what: &str, mut holds: impl FnMut() -> bool) {
    let began = Instant::now();
    while !holds() {
        assert!(began.elapsed() < LONG, "it never happened: {what}");
        std::thread::park_timeout(Duration::from_millis(5));
    }
}

/// Whether a process runs.
pub(crate) fn is_alive(process: u64) -> bool {
    let stat = std::fs::read_to_string(format!("/proc/{process}/stat")).unwrap_or_default();
    !stat.is_empty() && !stat.contains(") Z ")
}
