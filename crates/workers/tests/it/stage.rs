//! A toolset of one tool in either language, and calls of it.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use aileron_capability::doubles::{KbContents, MemoryKb, RecordingConversation};
use aileron_capability::handler::{HandlerEngine, HandlerSource, LoadedHandler};
use aileron_capability::{
    Caller, Capability, Clock, Context, ContextParts, HandlerEnd, Platform, SystemClock,
};
use aileron_contract::artifact::ArtifactSpec;
use aileron_contract::{
    ArtifactTool, CallId, ContentHash, ConversationId, Handler, HandlerRuntime, Mode, Packages,
    ToolId, WorkerCode,
};
use aileron_workers::{Options, Workers};
use serde_json::{Value, json};
use tokio_util::sync::CancellationToken;

/// A handler and its surroundings.
pub(crate) struct Stage {
    pub(crate) handler: Arc<dyn LoadedHandler>,
    pub(crate) tool: Arc<ArtifactTool>,
    declared: Arc<[Capability]>,
    pub(crate) conversation: Arc<RecordingConversation>,
}

/// Options for tests: a short grace, and workers that end with the test.
pub(crate) fn options() -> Options {
    let launcher = env!("CARGO_BIN_EXE_aileron-handler-process");
    Options {
        launcher: vec![launcher.into()],
        grace: Duration::from_millis(200),
        ..Options::new(PathBuf::from("/nonexistent/tools"))
    }
}

/// The path of the handler file.
pub(crate) fn entry(runtime: HandlerRuntime) -> &'static str {
    match runtime {
        HandlerRuntime::Python => "the-tool/handler.py",
        HandlerRuntime::Node | HandlerRuntime::Sandbox => "the-tool/handler.mjs",
    }
}

/// Loads a handler, or says why not.
pub(crate) fn load(
    runtime: HandlerRuntime,
    source: &str,
    capabilities: &[&str],
    options: Options,
) -> Result<Stage, String> {
    load_with(runtime, &[(entry(runtime), source)], capabilities, None, options)
}

pub(crate) fn load_with(
    runtime: HandlerRuntime,
    modules: &[(&str, &str)],
    capabilities: &[&str],
    packages: Option<Packages>,
    options: Options,
) -> Result<Stage, String> {
    let engine = Arc::new(Workers::new(options));
    load_on(&engine, "the_tool", runtime, modules, capabilities, packages)
}

pub(crate) fn load_on(
    engine: &Arc<Workers>,
    tool: &str,
    runtime: HandlerRuntime,
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
        runtime,
        packages: packages.as_ref(),
    };
    let handler = engine.clone().begin_load(source).wait()?;
    let code = WorkerCode::new(entry.to_owned(), modules, packages);
    let handler_code = match runtime {
        HandlerRuntime::Python => Handler::Python(code),
        HandlerRuntime::Node | HandlerRuntime::Sandbox => Handler::Node(code),
    };
    Ok(Stage {
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
    /// The context of one call, with a time limit.
    pub(crate) fn context(&self, limit: Duration, cancel: &CancellationToken) -> Context {
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
                secrets: Some(Arc::new(aileron_capability::secrets::EnvironmentSecrets)),
                ..Platform::default()
            }),
            conversation: self.conversation.clone(),
            deadline: clock.now_ms() + u64::try_from(limit.as_millis()).unwrap(),
            clock,
            cancel: cancel.clone(),
            user: Some(Arc::new(json!({ "id": "u1" }))),
            depth: 0,
        };
        Context::new(self.declared.clone(), parts)
    }

    pub(crate) async fn call(&self, args: Value) -> HandlerEnd {
        self.call_within(args, Duration::from_secs(20)).await
    }

    pub(crate) async fn call_within(&self, args: Value, limit: Duration) -> HandlerEnd {
        let context = self.context(limit, &CancellationToken::new());
        self.handler.run(Arc::new(args), self.tool.clone(), context).await
    }

    /// The data of a call that succeeds.
    pub(crate) async fn data(&self, args: Value) -> Value {
        let end = self.call(args).await;
        end.result.unwrap_or_else(|error| panic!("{error:?} {:?}", end.defect)).data
    }
}
