//! The part of a call's context that is data.

use aileron_contract::ToolSpec;
use aileron_contract::envelope::RESPONSE_SCHEMA_VERSION;
use serde_json::{Value, json};

use crate::Context;

/// The part of the context that is data.
pub fn context_data(spec: &ToolSpec, context: &Context) -> Value {
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
        "capabilities": context.capabilities(),
        "meta": {
            "toolId": spec.tool_id,
            "toolVersion": spec.version,
            "registryVersion": context.tools_version(),
            "responseSchemaVersion": RESPONSE_SCHEMA_VERSION,
            "callId": caller.call_id,
        },
        "tool": { "id": spec.tool_id, "version": spec.version, "idempotent": spec.idempotent },
        "idempotencyKey": &*caller.idempotency_key,
        "deadline": context.deadline(),
    })
}
