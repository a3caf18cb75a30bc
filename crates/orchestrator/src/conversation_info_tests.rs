//! An answer is shown without the values that its tool hides.

use aileron_contract::CallId;
use aileron_contract::envelope::Meta;
use serde_json::json;

use super::*;

fn answer(clamped: Vec<Clamp>) -> ToolResponse {
    let meta = Meta {
        tool_id: "pay".to_owned(),
        tool_version: None,
        registry_version: "1".to_owned(),
        response_schema_version: "1.0.0".to_owned(),
        call_id: CallId::new("call-1").unwrap(),
        duration: 0,
        attempts: 1,
        replayed: false,
        clamped,
        over_budget: false,
        truncated: false,
        warnings: Vec::new(),
        task: None,
    };
    ToolResponse::Success { data: json!({}), intents: Vec::new(), meta }
}

#[test]
fn a_clamped_argument_that_the_tool_hides_is_redacted() {
    let clamp = |pointer: &str, from: Value, to: Value| Clamp { pointer: pointer.into(), from, to };
    let before = answer(vec![
        clamp("/salary", json!(7_000), json!(1_000)),
        clamp("/limit", json!(50), json!(10)),
    ]);
    let hidden = json!("[redacted]");
    let after = answer(vec![
        clamp("/salary", hidden.clone(), hidden),
        clamp("/limit", json!(50), json!(10)),
    ]);
    assert_eq!(shown(&before, &["/salary".to_owned()]), after);
}
