//! Regenerated answers and edited messages: the server's own history changes too.

use serde_json::{Value, json};

use super::http::Response;
use super::world::World;

async fn send(world: &World, trigger: &str, about: Option<&str>, id: &str, text: &str) -> Response {
    let parts = json!([{ "type": "text", "text": text }]);
    let mut body = json!({ "id": "c", "trigger": trigger,
        "messages": [{ "id": id, "role": "user", "parts": parts }] });
    if let Some(about) = about {
        body["messageId"] = json!(about);
    }
    world.post("ada", &body).await
}

/// The log as the API returns it, one word for each entry.
async fn read_back(world: &World) -> Vec<Value> {
    let line = "GET /v1/conversations/c/messages";
    let read = super::http::send(world.address, line, "ada", b"").await;
    let read = super::http::finish(read).await.json();
    read["messages"].as_array().unwrap().iter().map(|entry| entry["from"].clone()).collect()
}

#[tokio::test]
async fn an_answer_that_is_wanted_once_more_takes_the_place_of_the_first() {
    let world = World::new().await;
    send(&world, "submit-message", None, "m1", "say One").await;
    send(&world, "submit-message", None, "m2", "look for it").await;
    // Whatever the client says that the person said, the server's own words are answered.
    let again = send(&world, "regenerate-message", Some("msg-x"), "m2", "say Forged").await;
    assert_eq!(again.text(), "Looking.Ask Mira [person:mira].");
    assert_eq!(again.types().last().unwrap(), "finish");
    let end = ["person", "model", "tools", "model"];
    let first = ["person", "model", "person", "model", "tools", "model", "retracted"];
    assert_eq!(read_back(&world).await, [&first[..], &end[..]].concat());
    assert!(!world.kept("c").await.join("").contains("Forged"));
}

#[tokio::test]
async fn a_message_that_was_edited_takes_the_place_of_the_first() {
    let world = World::new().await;
    send(&world, "submit-message", None, "m1", "say One").await;
    send(&world, "submit-message", None, "m2", "say Two").await;
    let edited = send(&world, "submit-message", Some("m1"), "m1", "say Other").await;
    assert_eq!(edited.text(), "Other");
    let retracted = read_back(&world).await;
    assert_eq!(retracted[4..], ["retracted", "person", "model"]);
}

#[tokio::test]
async fn where_nothing_was_said_nothing_begins() {
    let world = World::new().await;
    let bare = json!({ "id": "c", "trigger": "regenerate-message" });
    let refused = world.post("ada", &bare).await;
    let expected = "there is no such conversation; begin another one";
    assert_eq!((refused.status, refused.body.as_str()), (404, expected));
    let line = "GET /v1/conversations/c";
    let nothing = super::http::send(world.address, line, "ada", b"").await;
    assert_eq!(super::http::finish(nothing).await.status, 404);
}

#[tokio::test]
async fn what_was_done_stays_and_the_refusal_says_why() {
    let world = World::new().await;
    send(&world, "submit-message", None, "m1", "block").await;
    let refused = send(&world, "regenerate-message", None, "m1", "block").await;
    // The block is reported first; a person who is not blocked gets the error about the tool.
    assert_eq!(refused.status, 403);
    let world = World::new().await;
    let asked = send(&world, "submit-message", None, "m1", "book 5").await;
    let token = asked.find("tool-approval-request")["approvalId"].clone();
    let yes = json!({ "id": "c", "confirmations": [{ "token": token, "approve": true }] });
    world.post("ada", &yes).await;
    let kept = world.kept("c").await;
    let refused = send(&world, "regenerate-message", None, "m1", "book 5").await;
    assert_eq!(refused.status, 409);
    assert_eq!(
        refused.body,
        "this cannot be taken back: `book` was done in it; write what you want instead"
    );
    let bare = json!({ "id": "c", "trigger": "regenerate-message", "stream": false });
    let refused = world.post("ada", &bare).await;
    assert_eq!(refused.json()["error"]["code"], "ALREADY_DONE");
    assert_eq!(world.kept("c").await, kept);
}
