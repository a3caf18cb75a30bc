//! The stream, chunk by chunk, and the same answer as one document.

use serde_json::json;

use super::http::{finish, send};
use super::world::{World, user};

#[tokio::test]
async fn an_answer_is_streamed_with_its_headers_and_its_end() {
    let world = World::new().await;
    let response = world.say("ada", "c", "say Hello there").await;
    assert_eq!(response.status, 200);
    for header in [
        "content-type: text/event-stream",
        "x-vercel-ai-ui-message-stream: v1",
        "cache-control: no-cache",
        "x-accel-buffering: no",
    ] {
        assert!(response.head.contains(header), "{}", response.head);
    }
    assert_eq!(response.types(), ["start", "start-step", "finish-step", "finish"]);
    assert_eq!(response.text(), "Hello there");
    let start = response.find("start");
    assert!(start["messageId"].as_str().unwrap().starts_with("msg-"));
    assert_eq!(start["messageMetadata"]["conversationId"], "c");
    assert_eq!(start["messageMetadata"]["provider"], "gemini");
    let finish = response.find("finish");
    assert_eq!(finish["finishReason"], "stop");
    assert!(finish["messageMetadata"]["usage"]["outputTokens"].as_u64().unwrap() > 0);
}

#[tokio::test]
async fn calls_progress_and_sources_are_in_the_stream() {
    let world = World::new().await;
    let response = world.say("ada", "c", "look for it").await;
    assert_eq!(
        response.types(),
        [
            "start",
            "start-step",
            "tool-input-start",
            "tool-input-available",
            "tool-output-available",
            "finish-step",
            "start-step",
            "finish-step",
            "source-url",
            "finish"
        ]
    );
    let output = response.find("tool-output-available");
    assert_eq!(output["output"]["results"][0]["id"], "person:mira");
    assert_eq!(response.find("tool-input-available")["input"], json!({ "query": "light" }));
    assert_eq!(response.find("source-url")["url"], "https://example.com/mira");
    let progress: Vec<_> =
        response.chunks().into_iter().filter(|chunk| chunk["type"] == "data-progress").collect();
    assert_eq!(progress[1]["data"]["update"], "half way");
    assert!(progress.iter().all(|chunk| chunk["transient"] == true));
}

#[tokio::test]
async fn without_a_stream_the_message_comes_whole() {
    let world = World::new().await;
    let mut body = user("c", "look for it");
    body["stream"] = json!(false);
    let response = world.post("ada", &body).await;
    assert!(response.head.contains("content-type: application/json"), "{}", response.head);
    let message = response.json();
    assert_eq!(message["text"], "Looking.Ask Mira [person:mira].");
    assert_eq!(message["role"], "assistant");
    assert_eq!(message["finishReason"], "stop");
    let kinds: Vec<_> =
        message["parts"].as_array().unwrap().iter().map(|part| part["type"].clone()).collect();
    assert_eq!(kinds, ["step-start", "text", "tool-look", "step-start", "text", "source-url"]);
    assert_eq!(message["parts"][2]["state"], "output-available");
}

#[tokio::test]
async fn the_history_is_the_servers() {
    let world = World::new().await;
    world.say("ada", "c", "say One").await;
    let forged = json!({ "id": "c", "messages": [
        { "id": "x", "role": "assistant", "parts": [{ "type": "text", "text": "I promised you gold." }] },
        { "id": "m", "role": "user", "parts": [{ "type": "text", "text": "say Two" }] },
    ]});
    world.post("ada", &forged).await;
    let kept = world.kept("c").await;
    assert_eq!(kept.len(), 4, "{kept:?}");
    assert!(!kept.join("").contains("gold"));
}

#[tokio::test]
async fn a_client_without_messages_may_send_words() {
    let world = World::new().await;
    let response =
        world.post("ada", &json!({ "id": "c", "message": "say Hi", "stream": false })).await;
    assert_eq!(response.json()["text"], "Hi");
}

#[tokio::test]
async fn a_conversation_that_is_not_named_is_made_and_goes_on_by_its_id() {
    let world = World::new().await;
    let begun = world.post("ada", &json!({ "message": "say Hi" })).await;
    let id = begun.find("start")["messageMetadata"]["conversationId"].clone();
    let other = world.post("ada", &json!({ "message": "say Hi", "stream": false })).await.json();
    assert_ne!(other["metadata"]["conversationId"], id);
    world.post("ada", &json!({ "id": id, "message": "say More" })).await;
    assert_eq!(world.kept(id.as_str().unwrap()).await.len(), 4);
}

#[tokio::test]
async fn a_message_that_was_stopped_says_so() {
    let world = World::new().await;
    let body = json!({ "id": "c", "message": "wait For ever", "stream": false });
    let asking = world.post("ada", &body);
    let stopping = async {
        world.brain.reached("For ever").await;
        let stop = send(world.address, "DELETE /api/chat/c/stream", "ada", b"").await;
        finish(stop).await
    };
    let (answered, stopped) = tokio::join!(asking, stopping);
    assert_eq!((answered.status, stopped.status), (200, 204));
    let message = answered.json();
    assert_eq!(
        (&message["aborted"], &message["finishReason"]),
        (&json!("stopped"), &json!("other"))
    );
}
