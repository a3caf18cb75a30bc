//! Runs a JavaScript handler: the context crosses into the sandbox as plain
//! data and named methods, the result comes back as JSON.

use std::sync::Arc;
use std::time::{Duration, Instant};

use aileron_capability::foreign::{ContextHost, context_data, ending, shapes};
use aileron_capability::handler::{
    HandlerEngine, HandlerSource, LoadedHandler, LoadingHandler, Quarantine,
};
use aileron_capability::{Context, HandlerEnd};
use aileron_contract::{ArtifactTool, UserId};
use futures_util::FutureExt;
use futures_util::future::BoxFuture;
use serde_json::Value;

use crate::engine::PendingLoad;
use crate::{JsEngine, SandboxCall, Script, Sources};

impl HandlerEngine for JsEngine {
    fn begin_load(self: Arc<Self>, source: HandlerSource<'_>) -> Box<dyn LoadingHandler> {
        let HandlerSource { tool, entry, modules, declared, .. } = source;
        let sources = Sources::new(tool, entry, modules, shapes(declared));
        let begun = self.begin(sources);
        Box::new(Loading { engine: self, begun })
    }
}

/// A JavaScript handler that is being loaded.
struct Loading {
    engine: Arc<JsEngine>,
    begun: PendingLoad,
}

impl LoadingHandler for Loading {
    fn wait(self: Box<Self>) -> Result<Arc<dyn LoadedHandler>, String> {
        let script = self.begun.wait().map_err(|error| error.to_string())?;
        Ok(Arc::new(JavaScript { engine: self.engine, script }))
    }
}

/// A JavaScript handler, ready to be called.
#[derive(Debug)]
struct JavaScript {
    engine: Arc<JsEngine>,
    script: Script,
}

impl LoadedHandler for JavaScript {
    fn run(
        &self,
        args: Arc<Value>,
        tool: Arc<ArtifactTool>,
        context: Context,
    ) -> BoxFuture<'static, HandlerEnd> {
        let (engine, script) = (self.engine.clone(), self.script.clone());
        async move {
            let left = context.deadline().saturating_sub(context.now());
            let host = ContextHost::new(context.clone());
            let effects = host.effects();
            let call = SandboxCall {
                args: Arc::unwrap_or_clone(args),
                context: context_data(&tool.spec.0, &context),
                deadline: Instant::now() + Duration::from_millis(left),
                cancel: context.cancellation().clone(),
                depth: context.depth(),
                caller: caller_key(&context),
                host: Arc::new(host),
            };
            let outcome = engine.call(&script, call).await;
            ending(outcome, tool.spec.0.side_effects, &effects)
        }
        .boxed()
    }

    fn quarantine(&self) -> Option<Quarantine> {
        self.script.quarantine()
    }
}

/// The user id, or the conversation of an anonymous person.
fn caller_key(context: &Context) -> Arc<str> {
    let caller = context.caller();
    let key = caller.user.as_ref().map_or(caller.conversation.as_str(), UserId::as_str);
    key.into()
}
