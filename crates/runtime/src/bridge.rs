//! Runs a JavaScript handler: the context crosses into the sandbox as plain
//! data and named methods, the result comes back as JSON.

mod host;
mod records;
mod result;
mod shape;

use std::sync::Arc;
use std::time::{Duration, Instant};

use aileron_contract::{ArtifactTool, ToolSpec};
use serde_json::{Value, json};

use self::host::ContextHost;
use self::result::ending;
pub(crate) use self::shape::shapes;
use crate::context::Context;
use crate::ending::Ending;
use crate::js::{Call, Engine, Script};

/// A JavaScript handler, ready to be called.
#[derive(Debug, Clone)]
pub(crate) struct JavaScript {
    pub(crate) engine: Arc<Engine>,
    pub(crate) script: Script,
}

impl JavaScript {
    /// Runs one call.
    pub(crate) async fn run(
        self,
        args: Value,
        tool: Arc<ArtifactTool>,
        context: Context,
    ) -> Ending {
        let left = context.deadline().saturating_sub(context.now());
        let call = Call {
            args,
            context: plain(&tool.spec.0, &context),
            deadline: Instant::now() + Duration::from_millis(left),
            cancel: context.cancellation().clone(),
            depth: context.depth(),
            host: Arc::new(ContextHost(context)),
        };
        ending(self.engine.call(&self.script, call).await, tool.spec.0.side_effects)
    }
}

/// The part of the context that is data.
fn plain(spec: &ToolSpec, context: &Context) -> Value {
    let caller = context.caller();
    json!({
        "mode": caller.mode,
        "conversationId": caller.conversation,
        "callId": caller.call_id,
        "user": context.user(),
        "session": { "isActive": context.session_is_active() },
        "tool": { "id": spec.tool_id, "version": spec.version, "idempotent": spec.idempotent },
        "idempotencyKey": &*caller.idempotency_key,
        "deadline": context.deadline(),
    })
}
