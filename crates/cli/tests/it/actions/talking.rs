//! In voice mode people learn that meetings and images need text mode, and continue there.

use futures_util::{SinkExt, StreamExt};
use serde_json::{Value, json};
use tokio::net::TcpStream;
use tokio_tungstenite::tungstenite::Message;
use tokio_tungstenite::{WebSocketStream, client_async};

use super::conversation::Page;
use super::{events, served};
use crate::workspace::Workspace;

/// A voice client.
struct Talk(WebSocketStream<TcpStream>);

impl Talk {
    async fn open(address: &str) -> Self {
        let stream = TcpStream::connect(address).await.unwrap();
        let (socket, _) = client_async(format!("ws://{address}/v1/voice"), stream).await.unwrap();
        let mut talk = Self(socket);
        talk.send(&json!({ "type": "start" })).await;
        talk
    }

    async fn send(&mut self, message: &Value) {
        self.0.send(Message::text(message.to_string())).await.unwrap();
    }

    /// The messages up to and with the one of this type.
    async fn until(&mut self, kind: &str) -> Vec<Value> {
        let mut messages: Vec<Value> = Vec::new();
        while messages.last().is_none_or(|it| it["type"] != kind) {
            match self.0.next().await {
                Some(Ok(Message::Text(text))) => {
                    messages.push(serde_json::from_str(&text).unwrap());
                }
                Some(Ok(_)) => {}
                other => panic!("{other:?} after {messages:#?}"),
            }
        }
        messages
    }

    /// The answer to these words.
    async fn say(&mut self, words: &str) -> String {
        self.send(&json!({ "type": "text", "text": words })).await;
        let messages = self.until("turn_complete").await;
        let spoken = messages.iter().filter(|it| it["role"] == "assistant" && it["final"] == true);
        spoken.filter_map(|it| it["text"].as_str()).collect()
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn what_voice_does_not_allow_is_refused_politely_and_done_in_text() {
    let workspace = Workspace::new();
    let server = served(&workspace, &[]);
    let mut talk = Talk::open(server.address()).await;
    let ready = talk.until("ready").await.pop().unwrap();
    let id = ready["conversationId"].as_str().unwrap().to_owned();
    let meet = "Schedule half an hour with mira@example.com tomorrow about the lighting review";
    for wish in [meet, "Draw me a lighthouse at dusk"] {
        let told = talk.say(wish).await;
        assert!(told.contains("I cannot ") && told.contains("It works in writing: say"), "{told}");
    }
    drop(talk);
    let place = format!("/v1/conversations/{id}/mode");
    assert_eq!(server.put(&place, &json!({ "mode": "text" })), 200);
    let page = Page { server: &server, token: None, conversation: &id };
    page.say(meet);
    let asked = page.say("Book the first one");
    page.decide(&asked, true);
    assert_eq!(events(&workspace).len(), 1);
}

/// A model may call a tool that was not declared; the refusal names the mode that has it.
#[test]
fn a_call_by_voice_is_refused_with_the_way_to_go_on() {
    let workspace = Workspace::new();
    let server = served(&workspace, &[]);
    let (_, begun) = server.post("/v1/conversations", &json!({ "mode": "voice" }));
    let place = format!("/v1/conversations/{}", begun["id"].as_str().unwrap());
    for (number, tool, args) in [
        (
            1,
            "calendar_propose_event",
            json!({ "attendees": ["mira@example.com"], "duration_minutes": 30 }),
        ),
        (2, "calendar_create_event", json!({ "event_draft_id": "draft-1" })),
        (3, "image_draft_prompt", json!({ "subject": "a lighthouse" })),
        (4, "image_generate", json!({ "prompt": "a lighthouse", "user_requested": true })),
    ] {
        let turn = json!({ "input": "spoken", "text": "please" });
        assert_eq!(server.post(&format!("{place}/turns"), &turn).0, 201);
        let call = json!({ "callId": format!("call-00000{number}"), "toolId": tool, "args": args });
        let (_, answer) = server.post(&format!("{place}/calls"), &call);
        let error = &answer["answers"][0]["response"]["error"];
        assert_eq!(error["type"], "MODE_RESTRICTED", "{answer}");
        assert!(error["suggestion"].as_str().unwrap().contains("text"), "{error}");
    }
    assert_eq!(events(&workspace).len(), 0);
}
