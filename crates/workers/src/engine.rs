//! The engine of Node.js and Python handlers.

use std::collections::BTreeMap;
use std::fmt;
use std::sync::mpsc::channel;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use aileron_capability::foreign::{ContextHost, HandlerFault, ending, shapes};
use aileron_capability::handler::{
    HandlerEngine, HandlerSource, LoadedHandler, LoadingHandler, Quarantine,
};
use aileron_capability::{Context, HandlerEnd};
use aileron_contract::ArtifactTool;
use futures_util::FutureExt;
use futures_util::future::BoxFuture;
use serde_json::Value;
use tokio::runtime::{Builder, Handle, Runtime};

use crate::call::{self, CallInput, secret_names};
use crate::interpreter::{Interpreter, check_lock};
use crate::options::WorkerOptions;
use crate::pool::Pool;
use crate::tool_code::ToolCode;
use crate::tree::Tree;

const STOPPED: &str = "the workers were stopped";

/// Runs the Node.js and Python handlers of one toolset. Dropping it kills its workers.
pub struct Workers {
    options: Arc<WorkerOptions>,
    /// Made for the first handler; most toolsets have none.
    ground: OnceLock<Result<Ground, String>>,
}

/// The folder, the threads and the processes of an engine.
struct Ground {
    tree: Arc<Tree>,
    pools: Mutex<BTreeMap<Interpreter, Arc<Pool>>>,
    /// Threads for the sockets, so that callers need no particular runtime.
    runtime: Option<Runtime>,
}

impl fmt::Debug for Workers {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Workers").field("options", &self.options).finish_non_exhaustive()
    }
}

impl Workers {
    /// An engine. Its workers start with the first handler.
    pub fn new(options: WorkerOptions) -> Self {
        Self { options: Arc::new(options), ground: OnceLock::new() }
    }

    fn ground(&self) -> Result<&Ground, String> {
        self.ground.get_or_init(|| Ground::new(&self.options)).as_ref().map_err(Clone::clone)
    }

    /// The runtime of the engine.
    fn handle(&self) -> Result<Handle, String> {
        let runtime = self.ground()?.runtime.as_ref();
        runtime.map(|runtime| runtime.handle().clone()).ok_or_else(|| STOPPED.to_owned())
    }

    /// Writes the sources of a tool and finds the workers that run it.
    fn prepare(&self, source: &HandlerSource<'_>) -> Result<(Arc<Pool>, ToolCode), String> {
        let HandlerSource { tool, entry, modules, declared, runtime, packages } = *source;
        if let Some(packages) = packages {
            check_lock(&self.options.tools, packages)?;
        }
        let ground = self.ground()?;
        let unwritten = |error| format!("its sources cannot be written: {error}");
        ground.tree.write(modules.iter()).map_err(unwritten)?;
        let interpreter = Interpreter::new(runtime, packages, &self.options);
        let (options, tree, handle) = (self.options.clone(), ground.tree.clone(), self.handle()?);
        let mut pools = ground.pools.lock().unwrap_or_else(PoisonError::into_inner);
        let new = || Arc::new(Pool::new(interpreter.clone(), options, tree, handle));
        let pool = pools.entry(interpreter.clone()).or_insert_with(new).clone();
        let secrets = secret_names(declared);
        pool.add_secrets(&secrets);
        let code = ToolCode {
            tool: tool.to_owned(),
            entry: entry.to_owned(),
            shapes: shapes(declared).into(),
            has_typescript: modules.keys().any(|path| path.ends_with(".ts")),
            packages: packages.cloned(),
            secrets,
        };
        Ok((pool, code))
    }
}

impl Ground {
    fn new(options: &WorkerOptions) -> Result<Self, String> {
        let unprepared = |error: std::io::Error| format!("workers cannot be prepared: {error}");
        let tree = Arc::new(Tree::new(&options.tools).map_err(unprepared)?);
        let mut builder = Builder::new_multi_thread();
        let builder = builder.worker_threads(2).thread_name("aileron-workers").enable_all();
        let runtime = Some(builder.build().map_err(unprepared)?);
        Ok(Self { tree, pools: Mutex::default(), runtime })
    }
}

impl Drop for Ground {
    fn drop(&mut self) {
        if let Some(runtime) = self.runtime.take() {
            runtime.shutdown_background();
        }
    }
}

impl HandlerEngine for Workers {
    fn begin_load(self: Arc<Self>, source: HandlerSource<'_>) -> Box<dyn LoadingHandler> {
        let prepared = self.prepare(&source);
        Box::new(LoadingCode { engine: self, prepared })
    }
}

/// A handler whose sources are written.
struct LoadingCode {
    engine: Arc<Workers>,
    prepared: Result<(Arc<Pool>, ToolCode), String>,
}

impl LoadingHandler for LoadingCode {
    fn wait(self: Box<Self>) -> Result<Arc<dyn LoadedHandler>, String> {
        let Self { engine, prepared } = *self;
        let (pool, code) = prepared?;
        let code = Arc::new(code);
        let (sender, receiver) = channel();
        let loading = (pool.clone(), code.clone());
        engine.handle()?.spawn(async move { sender.send(loading.0.first_load(&loading.1).await) });
        let concurrent = receiver.recv().unwrap_or_else(|_| Err(STOPPED.to_owned()))?;
        Ok(Arc::new(WorkerHandler { engine, pool, code, is_alone: !concurrent }))
    }
}

/// A handler, ready to be called.
#[derive(Debug)]
struct WorkerHandler {
    engine: Arc<Workers>,
    pool: Arc<Pool>,
    code: Arc<ToolCode>,
    is_alone: bool,
}

impl LoadedHandler for WorkerHandler {
    fn run(
        &self,
        args: Arc<Value>,
        tool: Arc<ArtifactTool>,
        context: Context,
    ) -> BoxFuture<'static, HandlerEnd> {
        let (engine, pool, code, is_alone) =
            (self.engine.clone(), self.pool.clone(), self.code.clone(), self.is_alone);
        async move {
            let host = Arc::new(ContextHost::new(context.clone()));
            let (spec, effects) = (&tool.spec.0, host.effects());
            let input = CallInput { spec, args: &args, context: &context, host };
            let outcome = match engine.handle() {
                Ok(runtime) => {
                    call::run(&pool, &code, is_alone, input, &engine.options, &runtime).await
                }
                Err(_) => Err(HandlerFault::EngineLost),
            };
            ending(outcome, spec.side_effects, &effects)
        }
        .boxed()
    }

    fn quarantine(&self) -> Option<Quarantine> {
        None
    }
}
