//! A registry, calls and answers for the tests beside this.

use std::collections::BTreeMap;
use std::sync::Arc;

use aileron_contract::artifact::{ArtifactSpec, content_hash, tool_hash, version_of};
use aileron_contract::envelope::{Failure, Meta, RESPONSE_SCHEMA_VERSION};
use aileron_contract::transport::CallResult;
use aileron_contract::{
    Arguments, Artifact, ArtifactTool, CallId, ContentHash, ErrorType, Handler, ToolCall,
    ToolResponse,
};
use aileron_runtime::Registry;
use serde_json::{Value, json};

pub(crate) fn id(id: &str) -> CallId {
    CallId::new(id).unwrap()
}

pub(crate) fn call(call_id: &str, tool: &str, args: Value) -> ToolCall {
    ToolCall { call_id: id(call_id), tool_id: tool.to_owned(), args: Arguments::Value(args) }
}

fn meta(call_id: &str) -> Meta {
    Meta {
        tool_id: "send".into(),
        tool_version: None,
        registry_version: "1.0.0".into(),
        response_schema_version: RESPONSE_SCHEMA_VERSION.into(),
        call_id: id(call_id),
        duration: 1,
        attempts: 1,
        replayed: false,
        clamped: Vec::new(),
        over_budget: false,
        truncated: false,
        warnings: Vec::new(),
        task: None,
    }
}

pub(crate) fn success(call_id: &str, data: Value) -> Arc<ToolResponse> {
    Arc::new(ToolResponse::Success { data, intents: Vec::new(), meta: meta(call_id) })
}

pub(crate) fn failure(call_id: &str, kind: ErrorType) -> Arc<ToolResponse> {
    Arc::new(ToolResponse::Failure { error: Failure::new(kind, "no"), meta: meta(call_id) })
}

pub(crate) fn result(call_id: &str, data: Value) -> CallResult {
    CallResult { call_id: id(call_id), response: success(call_id, data) }
}

/// A registry with one tool, `send`, that writes and speaks while it runs.
pub(crate) fn registry() -> Arc<Registry> {
    let spec = json!({
        "toolId": "send", "version": "1.0.0", "description": "A tool.", "category": "action",
        "sideEffects": "writes", "idempotent": false, "requiresConfirmation": false,
        "allowedModes": ["voice"], "latencyBudgetMs": 1000,
        "parameters": {
            "type": "object", "additionalProperties": false,
            "properties": { "n": { "type": "integer", "default": 1 } }
        },
        "speech": { "preamble": "Sending.", "filler": "One moment.", "fillerAfterMs": 300 },
    });
    let hash: ContentHash = serde_json::from_value(json!("0")).unwrap();
    let mut tool = ArtifactTool {
        spec: ArtifactSpec(serde_json::from_value(spec).unwrap()),
        hash: hash.clone(),
        provider_schemas: BTreeMap::new(),
        summary: String::new(),
        documentation: String::new(),
        handler: Handler::Native { hash },
    };
    tool.hash = tool_hash(&mut serde_json::to_value(&tool).unwrap());
    let content_hash = content_hash(std::iter::once(&tool.hash));
    let artifact = Artifact {
        version: version_of(&content_hash),
        content_hash,
        format_version: 1,
        git_commit: None,
        build_timestamp: None,
        left_out: Vec::new(),
        tools: vec![tool],
    };
    Registry::load_rules(&serde_json::to_string(&artifact).unwrap()).unwrap()
}
