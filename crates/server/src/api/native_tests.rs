//! One call in every provider's form, and the answer in the same form.

use serde_json::from_value;
use serde_json::value::to_raw_value;

use super::*;

fn success() -> Arc<ToolResponse> {
    let response = json!({ "ok": true, "data": { "n": 1 }, "intents": [], "meta": meta() });
    Arc::new(from_value(response).unwrap())
}

fn failure() -> Arc<ToolResponse> {
    let error = json!({ "type": "NOT_FOUND", "message": "no such tool", "retryable": false,
        "partialSideEffects": false, "idempotencyRequired": false });
    Arc::new(from_value(json!({ "ok": false, "error": error, "meta": meta() })).unwrap())
}

fn meta() -> Value {
    json!({ "toolId": "kb_get", "registryVersion": "1.0.0", "responseSchemaVersion": "1.0.0",
        "callId": "call_1", "duration": 1, "attempts": 1 })
}

fn read_one(format: CallFormat, call: &Value) -> Result<Vec<(ToolCall, NativeCall)>, String> {
    read(format, &[&to_raw_value(call).unwrap()])
}

/// The call must be read as `kb_get {"n": 1}`; the answers are a success and a failure.
fn check(format: CallFormat, call: Value, [good, bad]: [Value; 2]) {
    let (calls, asked): (Vec<_>, Vec<_>) = read_one(format, &call).unwrap().into_iter().unzip();
    assert_eq!(calls[0].tool_id, "kb_get");
    assert_eq!(calls[0].args, Arguments::Value(json!({ "n": 1 })));
    assert_eq!(answers(&asked, &[success()]), [good]);
    assert_eq!(answers(&asked, &[failure()]), [bad]);
}

const GOOD: &str = r#"{"output":{"n":1}}"#;
const BAD: &str = r#"{"error":{"code":"NOT_FOUND","message":"no such tool","retryable":false}}"#;

#[test]
fn chat_completions() {
    let call = json!({ "id": "call_123456", "type": "function",
        "function": { "name": "kb_get", "arguments": "{\"n\":1}" } });
    let answer =
        |content| json!({ "role": "tool", "tool_call_id": "call_123456", "content": content });
    check(CallFormat::Openai, call, [answer(GOOD), answer(BAD)]);
}

#[test]
fn responses() {
    let call = json!({ "type": "function_call", "id": "fc_1", "call_id": "call_123456",
        "name": "kb_get", "arguments": "{\"n\":1}" });
    let answer = |output| json!({ "type": "function_call_output", "call_id": "call_123456", "output": output });
    check(CallFormat::Openai, call, [answer(GOOD), answer(BAD)]);
}

#[test]
fn gemini_with_and_without_an_id() {
    let parsed = |text| serde_json::from_str::<Value>(text).unwrap();
    let call = json!({ "functionCall": { "id": "f1", "name": "kb_get", "args": { "n": 1 } } });
    let answer = |text| json!({ "functionResponse": { "id": "f1", "name": "kb_get", "response": parsed(text) } });
    check(CallFormat::Gemini, call, [answer(GOOD), answer(BAD)]);
    let call = json!({ "name": "kb_get", "args": { "n": 1 } });
    let answer =
        |text| json!({ "functionResponse": { "name": "kb_get", "response": parsed(text) } });
    check(CallFormat::Gemini, call, [answer(GOOD), answer(BAD)]);
}

#[test]
fn anthropic_says_which_results_are_errors() {
    let call =
        json!({ "type": "tool_use", "id": "toolu_1", "name": "kb_get", "input": { "n": 1 } });
    let answer = |content, is_error| json!({ "type": "tool_result", "tool_use_id": "toolu_1", "content": content, "is_error": is_error });
    check(CallFormat::Anthropic, call, [answer(GOOD, false), answer(BAD, true)]);
}

#[test]
fn a_call_that_cannot_be_read_is_named() {
    for (format, call, expected) in [
        (
            CallFormat::Openai,
            json!({ "id": "x", "function": {} }),
            "calls[0]: missing field `name`",
        ),
        (CallFormat::Openai, json!({}), "calls[0]: missing field `call_id`"),
        (
            CallFormat::Gemini,
            json!({ "functionCall": { "args": {} } }),
            "calls[0]: missing field `name`",
        ),
        (CallFormat::Anthropic, json!({ "name": "x" }), "calls[0]: missing field `id`"),
        (CallFormat::Openai, json!([]), "calls[0]: expected an object, found an array"),
        (
            CallFormat::Gemini,
            json!(["f1", "kb_get"]),
            "calls[0]: expected an object, found an array",
        ),
        (CallFormat::Anthropic, json!(null), "calls[0]: expected an object, found null"),
    ] {
        let found = read_one(format, &call).unwrap_err();
        assert!(found.starts_with(expected), "{found}");
    }
}

#[test]
fn arguments_that_are_no_json_are_left_to_the_gate() {
    let call = json!({ "call_id": "call_1", "name": "kb_get", "arguments": "{oops" });
    let calls = read_one(CallFormat::Openai, &call).unwrap();
    assert!(matches!(calls[0].0.args, Arguments::Unreadable(_)));
}
