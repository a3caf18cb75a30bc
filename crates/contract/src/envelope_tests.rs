//! The two shapes of the envelope and nothing between them.

use serde_json::{Value, json};

use super::*;

fn meta() -> Meta {
    Meta {
        tool_id: "kb_search".into(),
        tool_version: Some("1.2.0".into()),
        registry_version: "1.0.0a1b2c3d".into(),
        response_schema_version: RESPONSE_SCHEMA_VERSION.into(),
        call_id: CallId::new("call_1").unwrap(),
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

fn wire_meta() -> Value {
    json!({
        "toolId": "kb_search", "toolVersion": "1.2.0", "registryVersion": "1.0.0a1b2c3d",
        "responseSchemaVersion": "1.0.0", "callId": "call_1", "duration": 12, "attempts": 1
    })
}

#[track_caller]
fn check(response: ToolResponse, wire: Value) {
    assert_eq!(serde_json::to_value(&response).unwrap(), wire);
    assert_eq!(serde_json::from_value::<ToolResponse>(wire).unwrap(), response);
}

#[test]
fn success_has_data_and_intents() {
    check(
        ToolResponse::Success { data: json!({"n": 1}), intents: vec![], meta: meta() },
        json!({"ok": true, "data": {"n": 1}, "intents": [], "meta": wire_meta()}),
    );
}

#[test]
fn failure_has_the_error_alone() {
    let error = Failure {
        suggestion: Some("wait".into()),
        ..Failure::new(ErrorType::RateLimit, "too often")
    };
    check(
        ToolResponse::Failure { error, meta: meta() },
        json!({"ok": false, "meta": wire_meta(), "error": {
            "type": "RATE_LIMIT", "message": "too often", "retryable": true,
            "partialSideEffects": false, "idempotencyRequired": false, "suggestion": "wait"
        }}),
    );
}

#[test]
fn what_happened_on_the_way_is_told() {
    let meta = Meta {
        replayed: true,
        over_budget: true,
        truncated: true,
        task: None,
        clamped: vec![Clamp { pointer: "/top_k".into(), from: json!(10), to: json!(3) }],
        ..meta()
    };
    let mut wire = wire_meta();
    wire["replayed"] = json!(true);
    wire["overBudget"] = json!(true);
    wire["truncated"] = json!(true);
    wire["clamped"] = json!([{"pointer": "/top_k", "from": 10, "to": 3}]);
    check(
        ToolResponse::Success { data: Value::Null, intents: vec![], meta },
        json!({"ok": true, "data": null, "intents": [], "meta": wire}),
    );
}

#[test]
fn a_mixture_is_refused() {
    let both = json!({"ok": true, "data": 1, "meta": wire_meta(), "error": {
        "type": "INTERNAL", "message": "", "retryable": false, "partialSideEffects": false, "idempotencyRequired": false
    }});
    let neither = json!({"ok": false, "meta": wire_meta()});
    assert!(serde_json::from_value::<ToolResponse>(both).is_err());
    assert!(serde_json::from_value::<ToolResponse>(neither).is_err());
}
