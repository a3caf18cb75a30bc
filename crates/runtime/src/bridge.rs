//! Runs a JavaScript handler: the context crosses into the sandbox as plain
//! data and named methods, the result comes back as JSON.

mod host;
mod records;
mod result;
mod shape;

use std::sync::Arc;
use std::time::{Duration, Instant};

use aileron_contract::{ArtifactTool, ToolSpec, UserId};
use serde_json::{Value, json};

use self::host::ContextHost;
use self::result::{Done, ending};
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
        let plain = plain(&tool.spec.0, &context);
        let host = ContextHost::new(context.clone());
        let acted = host.acted();
        let call = Call {
            args,
            context: plain,
            deadline: Instant::now() + Duration::from_millis(left),
            cancel: context.cancellation().clone(),
            depth: context.depth(),
            caller: caller_key(&context),
            host: Arc::new(host),
        };
        let outcome = self.engine.call(&self.script, call).await;
        ending(outcome, tool.spec.0.side_effects, &Done(acted))
    }
}

/// The person, or the conversation of somebody who is not known.
fn caller_key(context: &Context) -> Arc<str> {
    let caller = context.caller();
    let key = caller.user.as_ref().map_or(caller.conversation.as_str(), UserId::as_str);
    key.into()
}

/// The part of the context that is data.
fn plain(spec: &ToolSpec, context: &Context) -> Value {
    let caller = context.caller();
    json!({
        "mode": caller.mode,
        "conversationId": caller.conversation,
        "callId": caller.call_id,
        "user": context.user(),
        "clientId": context.client_id(),
        "session": {
            "isActive": context.session_is_active(),
            "toolsVersion": context.tools_version(),
            "state": context.session_state(),
        },
        "tool": { "id": spec.tool_id, "version": spec.version, "idempotent": spec.idempotent },
        "idempotencyKey": &*caller.idempotency_key,
        "deadline": context.deadline(),
    })
}
