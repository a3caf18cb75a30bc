//! An engine with short limits, and the shortest way to load a tool and call it.

use aileron_capability::foreign::HandlerFault;
use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::{Duration, Instant};

use aileron_sandbox::{
    Isolation, JsEngine, LoadError, Options, SandboxCall, SandboxLimits, Script, Sources,
};
use serde_json::{Value, json};
use tokio_util::sync::CancellationToken;

use crate::world::{NOW, World, shapes};

/// Runs every test of the file once over threads and once over worker processes.
macro_rules! over_both {
    ($($name:ident),* $(,)?) => {
        mod thread {
            $(#[test] fn $name() { super::$name(&$crate::sandbox::Bench::threads()); })*
        }
        mod process {
            $(#[test] fn $name() { super::$name(&$crate::sandbox::Bench::processes()); })*
        }
    };
}
pub(crate) use over_both;

pub(crate) struct Bench {
    pub(crate) options: Options,
}

impl Bench {
    pub(crate) fn threads() -> Self {
        Self { options: options() }
    }

    pub(crate) fn processes() -> Self {
        let command = vec![env!("CARGO_BIN_EXE_aileron-js-worker").into()];
        Self { options: Options { isolation: Isolation::Process { command }, ..options() } }
    }

    pub(crate) fn limited(&self, change: impl FnOnce(&mut SandboxLimits)) -> Self {
        let mut options = self.options.clone();
        change(&mut options.limits);
        Self { options }
    }

    pub(crate) fn engine(&self) -> Arc<JsEngine> {
        Arc::new(JsEngine::new(self.options.clone()).unwrap())
    }

    /// The outcome of one call of a handler with this body.
    pub(crate) fn run(&self, body: &str) -> Result<Value, HandlerFault> {
        self.run_with(json!({}), body)
    }

    pub(crate) fn run_with(&self, args: Value, body: &str) -> Result<Value, HandlerFault> {
        self.observe(args, body).0
    }

    /// The outcome, and the requests that the host received.
    pub(crate) fn observe(
        &self,
        args: Value,
        body: &str,
    ) -> (Result<Value, HandlerFault>, Vec<String>) {
        let engine = self.engine();
        let script = load(&engine, &handler(body)).unwrap();
        let world = Arc::new(World::default());
        let outcome = call(&engine, &script, SandboxCall { args, ..plain_call(&world) });
        (outcome, world.seen())
    }
}

fn options() -> Options {
    Options {
        limits: SandboxLimits {
            memory_bytes: 16 << 20,
            cpu: Duration::from_secs(1),
            result_bytes: 1 << 20,
            host_calls: 50,
            log_bytes: 1000,
            ..SandboxLimits::default()
        },
        threads: 2,
        workers: 2,
        grace: Duration::from_millis(50),
        ..Options::default()
    }
}

/// A module whose `execute` has this body.
pub(crate) fn handler(body: &str) -> String {
    format!(
        "import {{ ErrorType, IntentType, ToolError }} from 'aileron';\n\
         export async function execute({{ args, context }}) {{ {body} }}"
    )
}

pub(crate) fn load(engine: &JsEngine, source: &str) -> Result<Script, LoadError> {
    load_modules(engine, &[("tool/handler.js", source)])
}

pub(crate) fn load_modules(
    engine: &JsEngine,
    modules: &[(&str, &str)],
) -> Result<Script, LoadError> {
    let modules: BTreeMap<_, _> =
        modules.iter().map(|(path, text)| ((*path).to_owned(), (*text).to_owned())).collect();
    engine.load(Sources::new("tool", "tool/handler.js", &modules, shapes()))
}

/// A call without arguments that has all the time in the world.
pub(crate) fn plain_call(world: &Arc<World>) -> SandboxCall {
    SandboxCall {
        args: json!({}),
        context: json!({ "mode": "text", "session": { "isActive": true }, "deadline": NOW + 1000 }),
        host: world.clone(),
        deadline: in_ms(20_000),
        cancel: CancellationToken::new(),
        depth: 0,
        caller: "ada".into(),
    }
}

pub(crate) fn in_ms(ms: u64) -> Instant {
    Instant::now() + Duration::from_millis(ms)
}

pub(crate) fn call(
    engine: &JsEngine,
    script: &Script,
    call: SandboxCall,
) -> Result<Value, HandlerFault> {
    runtime().block_on(engine.call(script, call))
}

pub(crate) fn runtime() -> tokio::runtime::Runtime {
    tokio::runtime::Builder::new_current_thread().enable_time().build().unwrap()
}
