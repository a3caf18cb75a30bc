//! The offline agent behind a protocol: its calls and answers travel like those of any model.

use std::sync::Arc;

use aileron_simulator::Rules;
use serde_json::{Value, json};

use super::client::{OPENAI, post, provider_of};

#[tokio::test]
async fn a_question_becomes_a_search_and_its_result_an_answer_with_a_citation() {
    let address = provider_of(Arc::new(Rules(aileron_offline::decide)), &[]).await;
    let schema: Value =
        serde_json::from_str(include_str!("../../../../../tools/kb-search/schema.json")).unwrap();
    let tool = json!({ "type": "function", "function": { "name": "kb_search", "description": schema["description"], "parameters": schema["parameters"] } });
    let mut body = json!({ "model": "m", "tools": [tool], "messages": [{ "role": "user", "content": "Who is the lighting lead?" }] });
    let message = post(&address, "/v1/chat/completions", OPENAI, &body).await.json()["choices"][0]
        ["message"]
        .clone();
    let call = &message["tool_calls"][0];
    assert_eq!(
        call["function"],
        json!({ "name": "kb_search", "arguments": "{\"query\":\"lighting lead\"}" })
    );
    let hit = json!({ "id": "person:mira_holt", "type": "person", "title": "Mira Holt", "score": 0.9, "snippet": "Mira Holt is the lighting lead of the studio." });
    let result = json!({ "output": { "results": [hit], "query_time_ms": 3 } }).to_string();
    let messages = body["messages"].as_array_mut().unwrap();
    messages.push(message.clone());
    messages.push(json!({ "role": "tool", "tool_call_id": call["id"], "content": result }));
    let answer = post(&address, "/v1/chat/completions", OPENAI, &body).await.json();
    let text = &answer["choices"][0]["message"]["content"];
    assert_eq!(
        text,
        "I am the offline agent: rules, no model. Mira Holt is the lighting lead of the studio. [record:person:mira_holt]"
    );
}
