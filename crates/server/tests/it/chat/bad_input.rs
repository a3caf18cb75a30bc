//! Everything a client should not send, and everything a provider should not do: a clear end each.

use aileron_server::ChatOptions;
use aileron_simulator::http::HttpFaults;
use aileron_transports::text::Timeouts;
use serde_json::json;

use super::http::{finish, send};
use super::world::{World, user};

#[tokio::test]
async fn bad_requests_are_named_in_a_sentence() {
    let world = World::new().await;
    for (body, status, expected) in [
        (&b"{"[..], 400, "the request is not understood: EOF"),
        (b"", 400, "the request is not understood: EOF"),
        (b"\xff\xfe{}", 400, "the request is not understood"),
        (br#"{"id":1,"messages":[]}"#, 400, "expected a string"),
        (br#"{"id":"c","messages":[]}"#, 400, "expected `message` or `messages`, found none"),
        (br#"["c",null,"hello"]"#, 400, "expected an object, found an array"),
        (br#"{"id":"c\u0000","message":"x"}"#, 400, "a conversation id must be"),
    ] {
        let response = finish(send(world.address, "POST /api/chat", "ada", body).await).await;
        assert_eq!(response.status, status, "{response:?}");
        assert!(response.body.contains(expected), "{response:?}");
    }
}

#[tokio::test]
async fn programs_are_told_in_json() {
    let world = World::new().await;
    let response = world.post("ada", &json!({ "id": "c", "messages": [], "stream": false })).await;
    assert_eq!(response.status, 400);
    assert_eq!(response.json()["error"]["code"], "INVALID_REQUEST");
    // Also where another member cannot be read, and where the header says so.
    let unread = world.post("ada", &json!({ "id": 7, "stream": false })).await;
    assert_eq!(unread.json()["error"]["code"], "INVALID_REQUEST");
    let line = "POST /api/chat HTTP/1.0\r\naccept: application/json";
    let unread = finish(send(world.address, line, "ada", b"{").await).await;
    assert_eq!((unread.status, &unread.json()["error"]["code"]), (400, &json!("INVALID_REQUEST")));
}

/// The requested format is not known before the body was read.
#[tokio::test]
async fn at_the_door_a_program_says_in_a_header_that_it_is_one() {
    let world = World::new().await;
    let json = "POST /api/chat HTTP/1.0\r\naccept: application/json";
    let small = json!({ "message": "say Hi", "stream": false }).to_string().into_bytes();
    let large = vec![b' '; 20 << 20];
    for (token, body, status, code) in
        [("nobody", &small, 401, "UNAUTHENTICATED"), ("ada", &large, 413, "BODY_TOO_LARGE")]
    {
        let told = finish(send(world.address, json, token, body).await).await;
        assert_eq!((told.status, &told.json()["error"]["code"]), (status, &json!(code)));
        let sentence = finish(send(world.address, "POST /api/chat", token, body).await).await;
        assert_eq!((sentence.status, sentence.body.contains('{')), (status, false));
    }
}

#[tokio::test]
async fn what_chat_is_not_asked_for_is_answered_in_its_own_form() {
    let world = World::new().await;
    for (line, status) in [
        ("GET /api/chat", 405),
        ("PUT /api/chat", 405),
        ("POST /api/chat/c/stream", 405),
        ("GET /api/chat/c", 404),
    ] {
        let refused = finish(send(world.address, line, "ada", b"").await).await;
        assert_eq!(refused.status, status, "{line}: {refused:?}");
        let ways = "chat is POST /api/chat, and GET and DELETE /api/chat/{id}/stream";
        assert!(refused.body.contains(ways), "{refused:?}");
        assert!(!refused.body.contains("openapi") && !refused.body.starts_with('{'), "{refused:?}");
    }
}

#[tokio::test]
async fn a_body_that_is_too_long_is_refused_and_a_long_history_is_not() {
    let world = World::new().await;
    let body = vec![b' '; 20 << 20];
    let response = finish(send(world.address, "POST /api/chat", "ada", &body).await).await;
    assert_eq!(response.status, 413, "{response:?}");
    let old =
        json!({ "id": "o", "role": "assistant", "parts": [{ "type": "text", "text": "old" }] });
    let mut messages = vec![old; 10_000];
    messages.push(user("c", "say Hi")["messages"][0].clone());
    let response = world.post("ada", &json!({ "id": "c", "messages": messages })).await;
    assert_eq!(response.text(), "Hi");
    assert_eq!(world.kept("c").await.len(), 2);
}

#[tokio::test]
async fn strangers_and_other_people_are_kept_out() {
    let world = World::new().await;
    assert_eq!(world.say("nobody", "c", "say Hi").await.status, 401);
    assert_eq!(world.get("nobody", "c").await.status, 401);
    world.say("ada", "c", "say My secret").await;
    let other = world.say("bob", "c", "say Hi").await;
    assert_eq!(other.status, 404, "{other:?}");
    assert_eq!(other.body, "there is no such conversation; begin another one");
    assert_eq!(world.kept("c").await.len(), 2);
}

#[tokio::test]
async fn a_blocked_person_is_told_for_how_long() {
    let world = World::new().await;
    let blocked = world.say("ada", "c", "block me").await;
    assert_eq!(blocked.find("data-effect")["data"]["effect"], "block_user");
    let response = world.say("ada", "another", "say Hi").await;
    assert_eq!(response.status, 403);
    assert!(response.body.starts_with("the person is blocked for another "), "{response:?}");
    assert!(response.head.contains("retry-after: "), "{}", response.head);
}

/// A provider with a fault: the end of the stream, and the status if there is no stream.
#[tokio::test]
async fn a_provider_that_misbehaves_ends_in_a_plain_sentence() {
    for (fault, text) in [
        ("status=500", "say Hi"),
        ("status=429:7", "say Hi"),
        ("status=400", "say Hi"),
        ("cut@1", "say Hello there, how are you today?"),
        ("error-event@1", "say Hello there, how are you today?"),
        ("half-call", "look now"),
        ("invalid-utf8", "say Hello there, how are you today?"),
        ("html", "say Hi"),
    ] {
        let faults = HttpFaults::parse([fault]).unwrap();
        let world = World::with(faults, ChatOptions::default()).await;
        let response = world.say("ada", "c", text).await;
        assert_eq!(response.status, 200, "{fault}");
        let error = response.find("error")["errorText"].as_str().unwrap().to_owned();
        assert!(error.starts_with("The model "), "{fault}: {error}");
        assert!(!response.types().contains(&"finish".to_owned()), "{fault}");
        let mut body = user("d", text);
        body["stream"] = json!(false);
        let whole = world.post("ada", &body).await;
        assert_eq!(whole.status, 502, "{fault}: {whole:?}");
        assert!(whole.json()["error"]["code"].as_str().unwrap().starts_with("MODEL_"));
    }
}

#[tokio::test]
async fn a_provider_that_never_ends_is_given_up() {
    let faults = HttpFaults::parse(["never-ends"]).unwrap();
    let between_bytes = std::time::Duration::from_secs(2);
    let timeouts = Timeouts { between_bytes, ..Timeouts::default() };
    let world = World::build(faults, ChatOptions::default(), timeouts).await;
    let response = world.say("ada", "c", "say Hello there, how are you today?").await;
    let error = response.find("error")["errorText"].as_str().unwrap().to_owned();
    assert!(error.starts_with("The model took too long to answer."), "{error}");
    assert!(response.text().starts_with("Hello there"), "what was said before is shown");
    assert!(world.kept("c").await[1].contains("Hello there"), "and kept");
}

#[tokio::test]
async fn a_provider_that_calls_for_ever_is_stopped() {
    let faults = HttpFaults::parse(["repeat-call"]).unwrap();
    let world = World::with(faults, ChatOptions::default()).await;
    let response = world.say("ada", "c", "look now").await;
    let types = response.types();
    assert_eq!(types.iter().filter(|kind| *kind == "start-step").count(), 12);
    let refused = response.chunks().into_iter().filter(|chunk| {
        chunk["errorText"].as_str().is_some_and(|text| text.starts_with("LOOP_DETECTED"))
    });
    assert!(refused.count() >= 8, "{types:?}");
    let count = |wanted: &str| types.iter().filter(|kind| *kind == wanted).count();
    assert_eq!(count("tool-input-start"), count("tool-input-available"), "no call is left open");
    assert_eq!(types.last().unwrap(), "finish");
}
