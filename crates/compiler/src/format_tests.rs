//! The embedded formats are schemas, and agree with the contract's own types.

use aileron_contract::{ErrorType, ToolSpec};
use serde_json::json;

use super::*;

#[test]
fn both_formats_compile() {
    assert!(TOOL.validator.is_some());
    assert!(CASES.validator.is_some());
}

#[test]
fn the_error_types_of_cases_are_those_of_the_contract() {
    let listed = CASES
        .schema
        .pointer("/items/properties/expect/else/properties/error/properties/type/enum")
        .unwrap();
    let table: Vec<_> = ErrorType::ALL.iter().map(|kind| kind.as_str()).collect();
    assert_eq!(listed, &json!(table));
}

#[test]
fn a_tool_with_every_field_fits_both_the_format_and_the_contract() {
    let full = json!({
        "toolId": "kb_search", "version": "1.2.3", "description": "Searches.", "category": "retrieval",
        "sideEffects": "read_only", "idempotent": true, "requiresConfirmation": false,
        "allowedModes": ["text", "voice"], "latencyBudgetMs": 800,
        "parameters": {"type": "object", "additionalProperties": false},
        "returns": {"type": "object"},
        "capabilities": ["kb", "http:api.example.com:8443", "secret:API_KEY"],
        "modeLimits": {"voice": {"top_k": {"minimum": 1, "maximum": 3, "maxLength": 5, "maxItems": 2, "exclude": ["full_text"]}}},
        "timeoutMs": 2000, "rateLimit": {"calls": 1, "windowMs": 60000, "per": "conversation"},
        "permissions": {"requiresAuth": true, "scopes": ["kb.read"]},
        "availability": {"condition": "mode == 'text'"},
        "confirmation": {"when": "false", "preview": "Search", "ttlSeconds": 60},
        "speech": {"preamble": "Let me look.", "filler": "One moment.", "fillerAfterMs": 700},
        "onInterrupt": "cancel", "redact": ["/query"], "maxResultChars": 4000,
        "runtime": "node", "execution": "background"
    });
    assert_eq!(TOOL.validator.as_ref().unwrap().faults(&full), Faults::default());
    let spec: ToolSpec = serde_json::from_value(full.clone()).unwrap();
    assert_eq!(serde_json::to_value(&spec).unwrap()["modeLimits"]["voice"]["top_k"]["maxItems"], 2);
    let documented =
        TOOL.schema["properties"].as_object().unwrap().keys().filter(|key| *key != "$schema");
    assert_eq!(documented.count(), full.as_object().unwrap().len());
}
