//! Calls and answers for tests.

use std::sync::Arc;

use aileron_contract::envelope::{Meta, RESPONSE_SCHEMA_VERSION};
use aileron_contract::spec::{Category, SideEffects};
use aileron_contract::{CallId, ConversationId, ErrorType, Failure, Mode, ToolResponse, UserId};
use aileron_store::{CallScope, CallStart, Lease, ToolStamp};
use serde_json::{Value, json};

pub(crate) const READS: SideEffects = SideEffects::ReadOnly;
pub(crate) const WRITES: SideEffects = SideEffects::Writes;

pub(crate) fn conversation(id: &str) -> ConversationId {
    ConversationId::new(id).unwrap()
}

pub(crate) fn user(id: &str) -> UserId {
    UserId::new(id).unwrap()
}

/// The parts that all calls of a conversation share.
pub(crate) fn scope(id: &str) -> CallScope {
    CallScope {
        conversation: conversation(id),
        user: Some(user("ada")),
        mode: Mode::Text,
        registry_version: "1.0.abcdef01".to_owned(),
        lease: Lease::unowned(),
    }
}

pub(crate) fn call(id: &str, key: &str, side_effects: SideEffects, time: u64) -> Arc<CallStart> {
    let tool = ToolStamp {
        id: format!("tool_{}", side_effects.as_str()),
        version: Some("1.2.3".to_owned()),
        category: Some(Category::Retrieval),
        side_effects,
        redact: Vec::new(),
    };
    Arc::new(CallStart {
        scope: Arc::new(scope(id)),
        tool: Arc::new(tool),
        turn: 1,
        call_id: CallId::new(format!("call-{key}")).unwrap(),
        key: key.into(),
        args: Arc::new(json!({"query": "flaps", "top_k": 3})),
        given: None,
        time,
        trail: Vec::new(),
    })
}

fn meta(call: &CallStart) -> Meta {
    Meta {
        tool_id: call.tool.id.clone(),
        tool_version: call.tool.version.clone(),
        registry_version: call.scope.registry_version.clone(),
        response_schema_version: RESPONSE_SCHEMA_VERSION.to_owned(),
        call_id: call.call_id.clone(),
        duration: 12,
        attempts: 1,
        replayed: false,
        clamped: Vec::new(),
        over_budget: false,
        truncated: false,
        warnings: Vec::new(),
        task: None,
    }
}

pub(crate) fn success(call: &CallStart, data: Value) -> Arc<ToolResponse> {
    Arc::new(ToolResponse::Success { data, intents: Vec::new(), meta: meta(call) })
}

pub(crate) fn failure(call: &CallStart, kind: ErrorType, message: &str) -> Arc<ToolResponse> {
    Arc::new(ToolResponse::Failure { error: Failure::new(kind, message), meta: meta(call) })
}
