//! Items of the client, and the model's input.

use super::*;

fn read(item: Value) -> Result<ConversationItem, EventRefusal> {
    added(item.as_object().cloned().unwrap_or_default(), "item_1".to_owned())
}

fn check_refused(item: Value, code: &str, param: &str) {
    let refusal = read(item).unwrap_err();
    assert_eq!((refusal.code, refusal.param.as_deref()), (code, Some(param)));
}

#[test]
fn a_conversation_is_seen_with_its_calls_and_results() {
    let entries: Vec<_> = [
        json!({ "type": "message", "role": "user", "content": [{ "type": "input_text", "text": "hi" }] }),
        json!({ "type": "message", "role": "system", "content": [{ "type": "input_text", "text": "Be kind." }] }),
        json!({ "type": "function_call", "call_id": "call_1", "name": "echo", "arguments": "{\"n\":1}" }),
        json!({ "type": "function_call_output", "call_id": "call_1", "output": "1" }),
        json!({ "type": "message", "role": "assistant", "content": [{ "type": "output_text", "text": "One." }] }),
    ]
    .into_iter()
    .map(|item| read(item).unwrap())
    .collect();
    let id = CallId::new("call_1").unwrap();
    let args = json!({ "n": 1 }).as_object().cloned().unwrap();
    let expected = [
        HistoryItem::Heard { text: "hi".into(), channel: Channel::Written },
        HistoryItem::Called(ModelCall { id: id.clone(), name: "echo".into(), args }),
        HistoryItem::Returned(ModelCallResult { id, name: "echo".into(), result: json!("1") }),
        HistoryItem::Said { text: "One.".into() },
    ];
    assert_eq!(items(&entries), expected);
    assert_eq!(system_words(&entries), ["Be kind."]);
}

#[test]
fn items_that_are_none_are_refused_by_name() {
    check_refused(json!({}), "missing_required_parameter", "item.type");
    check_refused(json!({ "type": "song" }), "invalid_value", "item.type");
    check_refused(json!({ "type": "message", "role": "bot" }), "invalid_value", "item.role");
    let wrong = json!({ "type": "message", "role": "assistant", "content": [{ "type": "input_text", "text": "x" }] });
    check_refused(wrong, "invalid_value", "item.content[0].type");
    let object = json!({ "type": "function_call_output", "call_id": "c", "output": { "a": 1 } });
    check_refused(object, "invalid_type", "item.output");
}

#[test]
fn arguments_come_in_pieces_that_are_whole_together() {
    let text = "{\"city\":\"Zürich am See\"}";
    assert!(pieces(text).len() > 1);
    assert_eq!(pieces(text).concat(), text);
}
