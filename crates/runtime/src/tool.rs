//! A loaded tool: checks arguments and runs the handler.

use std::panic::AssertUnwindSafe;
use std::sync::Arc;

use aileron_capability::handler::{
    HandlerEngine, HandlerSource, LoadedHandler, LoadingHandler, Quarantine,
};
use aileron_capability::{
    BROKE, Capability, Context, ContextParts, Defect, HandlerEnd, Native, Natives, NotBound,
    UnknownCapability,
};
use aileron_contract::{
    Arguments, ArtifactTool, ContentHash, ErrorType, Handler, HandlerRuntime, Outcome, ToolSpec,
    WorkerCode,
};
use aileron_schema::{CompiledSchema, Faults, SchemaError, Validator};
use futures_util::FutureExt;
use futures_util::future::BoxFuture;
use serde_json::Value;

/// The native handlers, and the engine that runs all others.
#[derive(Debug, Clone, Default)]
pub struct Handlers {
    pub natives: Natives,
    /// Runs sandboxed JavaScript.
    pub engine: Option<Arc<dyn HandlerEngine>>,
    /// Runs Node.js and Python handlers in worker processes.
    pub workers: Option<Arc<dyn HandlerEngine>>,
}

/// Which handlers a registry is loaded with.
#[derive(Debug, Clone, Copy)]
pub(crate) enum HandlerSelection<'a> {
    /// None: calls can be admitted but not executed.
    Rules,
    /// All of them; otherwise the registry is refused.
    All(&'a Handlers),
    /// Those that exist.
    IfThere(&'a Handlers),
}

/// One tool of a registry.
#[derive(Debug)]
pub struct Tool {
    artifact: Arc<ArtifactTool>,
    parameters: CompiledSchema,
    returns: Option<Validator>,
    capabilities: Arc<[Capability]>,
    code: HandlerCode,
}

#[derive(Debug)]
enum HandlerCode {
    Native(Native),
    Loaded(Arc<dyn LoadedHandler>),
    /// The tool was loaded without its handler, or the handler cannot be bound; the text is the
    /// reason that callers receive.
    Absent(String),
}

const NO_CODE: &str = "this tool was loaded without its handler";
const PAST: &str = "the tools changed since this conversation began, and this one cannot be run \
any more; begin another conversation";
const PANICKED: &str = "the handler panicked";
const TRUSTED_CODE_REFUSED: &str = "its handler is trusted code that runs in a worker process, which this server does not \
allow; set `handlers.trusted = true` to allow it";

/// Invalid arguments, with every fault.
#[derive(Debug, Clone, PartialEq)]
pub struct RejectedArguments {
    pub args: Value,
    pub faults: Faults,
}

/// A tool whose code is being loaded.
pub(crate) struct LoadingTool {
    artifact: ArtifactTool,
    capabilities: Arc<[Capability]>,
    binding: Binding,
    is_refused_unbound: bool,
}

/// A tool with compiled schemas, whose code may still be loading.
pub(crate) struct PreparedTool {
    tool: Tool,
    binding: Binding,
    is_refused_unbound: bool,
}

enum Binding {
    Bound(Result<HandlerCode, String>),
    Begun(Box<dyn LoadingHandler>),
}

impl LoadingTool {
    /// Starts loading the code on other threads. Without handlers the tool has only its rules.
    pub(crate) fn new(
        artifact: ArtifactTool,
        handlers: HandlerSelection<'_>,
    ) -> Result<Self, String> {
        let capabilities = declared(&artifact.spec.0)?;
        let binding = match handlers {
            HandlerSelection::Rules => Binding::Bound(Ok(HandlerCode::Absent(NO_CODE.to_owned()))),
            HandlerSelection::All(handlers) | HandlerSelection::IfThere(handlers) => {
                bind(&artifact, &capabilities, handlers)
            }
        };
        let is_refused_unbound = !matches!(handlers, HandlerSelection::IfThere(_));
        Ok(Self { artifact, capabilities, binding, is_refused_unbound })
    }

    /// Compiles the schemas.
    pub(crate) fn rule(self) -> Result<PreparedTool, String> {
        let Self { artifact, capabilities, binding, is_refused_unbound } = self;
        let spec = &artifact.spec.0;
        let tool = Tool {
            parameters: compiled("parameters", CompiledSchema::compile(&spec.parameters))?,
            returns: spec.returns.as_ref().map(returned).transpose()?,
            code: HandlerCode::Absent(String::new()),
            artifact: Arc::new(artifact),
            capabilities,
        };
        Ok(PreparedTool { tool, binding, is_refused_unbound })
    }
}

impl PreparedTool {
    /// Waits for the code.
    pub(crate) fn bind(self) -> Result<Tool, String> {
        let Self { tool, binding, is_refused_unbound } = self;
        let code = match binding {
            Binding::Bound(bound) => bound,
            Binding::Begun(loading) => loading.wait().map(HandlerCode::Loaded),
        };
        match code {
            Ok(code) => Ok(Tool { code, ..tool }),
            Err(why) if is_refused_unbound => Err(why),
            Err(why) => Ok(Tool { code: HandlerCode::Absent(format!("{PAST}: {why}")), ..tool }),
        }
    }
}

impl Tool {
    /// The contents of `schema.json`.
    pub fn spec(&self) -> &ToolSpec {
        &self.artifact.spec.0
    }

    /// The hash of the tool's spec, documentation and code.
    pub fn hash(&self) -> &ContentHash {
        &self.artifact.hash
    }

    /// The tool as the artifact has it: declarations, summary and documentation.
    pub fn artifact(&self) -> &ArtifactTool {
        &self.artifact
    }

    /// The quarantine of the handler, if its calls block threads; some calls are refused meanwhile.
    pub fn quarantine(&self) -> Option<Quarantine> {
        match &self.code {
            HandlerCode::Loaded(handler) => handler.quarantine(),
            HandlerCode::Native(_) | HandlerCode::Absent(_) => None,
        }
    }

    /// The arguments with defaults filled in, or every fault.
    pub fn prepare(&self, arguments: Arguments) -> Result<Value, Box<RejectedArguments>> {
        let unreadable = |(args, why): (Value, String)| {
            Box::new(RejectedArguments { args, faults: Faults::unreadable(&why) })
        };
        let mut args = arguments.object().map_err(unreadable)?;
        let faults = self.parameters.fill(&mut args);
        if faults.is_empty() { Ok(args) } else { Err(Box::new(RejectedArguments { args, faults })) }
    }

    /// Whether arguments are valid without defaults.
    pub fn accepts(&self, args: &Value) -> bool {
        self.parameters.accepts(args)
    }

    /// Every fault of a result against the tool's `returns`.
    pub fn result_faults(&self, data: &Value) -> Faults {
        self.returns.as_ref().map(|returns| returns.faults(data)).unwrap_or_default()
    }

    /// Runs the handler with prepared arguments. A panic ends the call and nothing else.
    pub fn run(
        &self,
        args: Arc<Value>,
        surroundings: ContextParts,
    ) -> BoxFuture<'static, HandlerEnd> {
        let context = Context::new(self.capabilities.clone(), surroundings);
        let used = context.clone();
        let run = match &self.code {
            HandlerCode::Native(native) => run_native(*native, args, context),
            HandlerCode::Loaded(handler) => handler.run(args, self.artifact.clone(), context),
            HandlerCode::Absent(why) => {
                let defect = Defect::plain(NO_CODE);
                let ending = HandlerEnd::not_run(ErrorType::Unavailable, why, defect);
                return std::future::ready(ending).boxed();
            }
        };
        run.map(move |end| end.warned(used.announcements())).boxed()
    }
}

fn run_native(
    native: Native,
    args: Arc<Value>,
    context: Context,
) -> BoxFuture<'static, HandlerEnd> {
    let run = async move { (native.run)(args, context).await };
    AssertUnwindSafe(run)
        .catch_unwind()
        .map(|ended| match ended {
            Ok(result) => HandlerEnd::completed(result),
            Err(panic) => {
                let defect = Defect::quoting(PANICKED, panic_text(&*panic));
                HandlerEnd::broken(BROKE, Outcome::Panicked, defect)
            }
        })
        .boxed()
}

fn panic_text(panic: &(dyn std::any::Any + Send)) -> String {
    let text = panic.downcast_ref::<&str>().copied();
    text.or_else(|| panic.downcast_ref::<String>().map(String::as_str))
        .unwrap_or("a panic without words")
        .to_owned()
}

fn declared(spec: &ToolSpec) -> Result<Arc<[Capability]>, String> {
    let parse = |name: &String| name.parse().map_err(|error: UnknownCapability| error.to_string());
    spec.capabilities.iter().map(parse).collect()
}

fn returned(schema: &Value) -> Result<Validator, String> {
    compiled("returns", Validator::compile(schema))
}

fn compiled<T>(part: &str, schema: Result<T, SchemaError>) -> Result<T, String> {
    schema.map_err(|error| format!("`{part}` is no schema: {error}"))
}

fn bind(artifact: &ArtifactTool, declared: &[Capability], handlers: &Handlers) -> Binding {
    match &artifact.handler {
        Handler::Native { hash } => {
            let found = handlers.natives.find(artifact.id(), hash.as_str());
            Binding::Bound(found.map(HandlerCode::Native).map_err(|why| not_bound(why).to_owned()))
        }
        Handler::Javascript { entry, modules, .. } => {
            let runtime = HandlerRuntime::Sandbox;
            let tool = artifact.id();
            let source = HandlerSource { tool, entry, modules, declared, runtime, packages: None };
            begin(handlers.engine.clone(), source, "this binary runs no JavaScript")
        }
        Handler::Node(code) => {
            begin_worker(HandlerRuntime::Node, code, artifact, declared, handlers)
        }
        Handler::Python(code) => {
            begin_worker(HandlerRuntime::Python, code, artifact, declared, handlers)
        }
    }
}

fn begin_worker(
    runtime: HandlerRuntime,
    code: &WorkerCode,
    artifact: &ArtifactTool,
    declared: &[Capability],
    handlers: &Handlers,
) -> Binding {
    let WorkerCode { entry, modules, packages, .. } = code;
    let tool = artifact.id();
    let packages = packages.as_ref();
    let source = HandlerSource { tool, entry, modules, declared, runtime, packages };
    begin(handlers.workers.clone(), source, TRUSTED_CODE_REFUSED)
}

fn begin(
    engine: Option<Arc<dyn HandlerEngine>>,
    source: HandlerSource<'_>,
    no_engine: &str,
) -> Binding {
    match engine {
        Some(engine) => Binding::Begun(engine.begin_load(source)),
        None => Binding::Bound(Err(no_engine.to_owned())),
    }
}

fn not_bound(why: NotBound) -> &'static str {
    match why {
        NotBound::Absent => {
            "its handler is native and not in this binary; build the binary with this tool"
        }
        NotBound::OtherSource => {
            "its native handler in this binary was built from other sources; build the binary and the registry from the same tools"
        }
    }
}
