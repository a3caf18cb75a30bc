//! Both spellings lead to the same message.

use serde_json::json;

use super::*;

#[test]
fn names_are_read_in_both_spellings_at_every_depth() {
    let snake = json!({ "realtime_input": { "audio": { "mime_type": "audio/pcm", "data": "" } } });
    let mixed = json!({ "realtimeInput": { "audio": { "mime_type": "audio/pcm", "data": "" } } });
    let plain = json!({ "realtimeInput": { "audio": { "mimeType": "audio/pcm", "data": "" } } });
    assert_eq!(camel(snake), plain);
    assert_eq!(camel(mixed), plain);
}

#[test]
fn what_belongs_to_the_client_is_left_alone() {
    let response = json!({ "function_responses": [{ "response": { "my_key": 1 } }] });
    assert_eq!(camel(response), json!({ "functionResponses": [{ "response": { "my_key": 1 } }] }));
    let schema = json!({ "parameters_json_schema": { "properties": { "a_b": {} } } });
    assert_eq!(camel(schema)["parametersJsonSchema"], json!({ "properties": { "a_b": {} } }));
}
