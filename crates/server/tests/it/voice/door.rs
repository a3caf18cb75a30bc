//! Which clients are accepted, and with which conversation.

use aileron_server::voice::VoiceSessionLimits;
use serde_json::json;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio_tungstenite::tungstenite::Error;
use tokio_tungstenite::tungstenite::client::IntoClientRequest;

use super::client::{Client, Sent};
use super::provider::ready;
use super::stage::{Stage, Wishes};

const ADA: &str = "ada-0123456789abcdef";
const BOB: &str = "bob-0123456789abcdef";

fn people() -> Wishes {
    Wishes { people: "ada ada-0123456789abcdef\nbob bob-0123456789abcdef", ..Wishes::default() }
}

#[tokio::test]
async fn somebody_elses_conversation_is_not_opened() {
    let stage = Stage::with(people()).await;
    let mut ada = Client::connect(&stage.address, Some(ADA)).await.unwrap();
    ada.start().await;
    let (_peer, _) = stage.upstream.gemini().await;
    let id = ada.expect("ready").await["conversationId"].clone();
    let mut bob = Client::connect(&stage.address, Some(BOB)).await.unwrap();
    bob.say(json!({ "type": "start", "conversationId": id })).await;
    let (messages, code) = bob.rest().await;
    assert_eq!((&messages[0]["code"], code), (&json!("unknown_conversation"), 1008));
}

#[tokio::test]
async fn whoever_does_not_sign_in_gets_no_socket() {
    let stage = Stage::with(people()).await;
    for token in [None, Some("nobody-0123456789abcdef")] {
        let refused = Client::connect(&stage.address, token).await.err().expect("a refusal");
        let Error::Http(response) = refused else { panic!("{refused:?}") };
        assert_eq!(response.status(), 401);
    }
    assert_eq!(stage.app.voice().connections(), 0);
}

#[tokio::test]
async fn a_browser_signs_in_by_the_protocols_it_names() {
    let stage = Stage::with(people()).await;
    let mut request = format!("ws://{}/v1/voice", stage.address).into_client_request().unwrap();
    let named = format!("aileron, aileron.bearer.{ADA}").parse().unwrap();
    request.headers_mut().insert("sec-websocket-protocol", named);
    let stream = tokio::net::TcpStream::connect(&stage.address).await.unwrap();
    let (_, response) = tokio_tungstenite::client_async(request, stream).await.unwrap();
    assert_eq!(response.headers()["sec-websocket-protocol"], "aileron");
}

#[tokio::test]
async fn a_page_from_elsewhere_gets_no_socket() {
    let stage = Stage::new().await;
    let mut request = format!("ws://{}/v1/voice", stage.address).into_client_request().unwrap();
    request.headers_mut().insert("origin", "https://evil.example".parse().unwrap());
    let stream = tokio::net::TcpStream::connect(&stage.address).await.unwrap();
    let refused = tokio_tungstenite::client_async(request, stream).await.err().unwrap();
    let Error::Http(response) = refused else { panic!("{refused:?}") };
    assert_eq!(response.status(), 403);
}

#[tokio::test]
async fn a_conversation_that_never_was_is_not_begun_by_naming_it() {
    let stage = Stage::new().await;
    let mut client = stage.client().await;
    client.say(json!({ "type": "start", "conversationId": "made-up" })).await;
    assert_eq!(client.rest().await.0[0]["code"], "unknown_conversation");
}

#[tokio::test]
async fn a_conversation_is_taken_up_again_after_the_client_vanished() {
    let stage = Stage::new().await;
    let (client, peer, id) = ready(&stage).await;
    drop((client, peer));
    let mut again = stage.client().await;
    again.say(json!({ "type": "start", "conversationId": id })).await;
    let (_peer, _) = stage.upstream.gemini().await;
    assert_eq!(again.expect("ready").await["conversationId"], id.as_str());
}

#[tokio::test]
async fn a_person_who_comes_back_takes_the_conversation_over() {
    let stage = Stage::new().await;
    let (mut client, _peer, id) = ready(&stage).await;
    let mut again = stage.client().await;
    again.say(json!({ "type": "start", "conversationId": id })).await;
    let (messages, _) = client.rest().await;
    assert_eq!(messages[0]["reason"], "taken_over");
    let (mut peer, _) = stage.upstream.gemini().await;
    assert_eq!(again.expect("ready").await["conversationId"], id.as_str());
    peer.heard("look").await;
    peer.call("call-look-1", "look", json!({})).await;
    assert_eq!(peer.answer().await.0, "call-look-1");
}

#[tokio::test]
async fn a_provider_that_is_not_there_is_named_with_those_that_are() {
    let stage = Stage::new().await;
    let mut client = stage.client().await;
    client.say(json!({ "type": "start", "provider": "nobody" })).await;
    let (messages, _) = client.rest().await;
    assert_eq!(messages[0]["code"], "unknown_provider");
    let message = messages[0]["message"].as_str().unwrap();
    assert!(message.contains("gemini, offline, openai"), "{message}");
}

/// The time limit to begin passes for a client. It is not known when the server began to wait.
pub(crate) async fn is_sent_away(stage: &Stage, mut client: Client) {
    let late = async {
        loop {
            stage.clock.advance(VoiceSessionLimits::default().start_ms);
            tokio::task::yield_now().await;
        }
    };
    let (messages, code) =
        tokio::select! { rest = client.rest() => rest, () = late => unreachable!() };
    assert_eq!((&messages[0]["code"], code), (&json!("start_timeout"), 1008));
}

#[tokio::test]
async fn whoever_says_nothing_is_sent_away() {
    let stage = Stage::new().await;
    let client = stage.client().await;
    // The server waits for the first message once it has answered the handshake.
    while stage.app.voice().connections() == 0 {
        tokio::task::yield_now().await;
    }
    is_sent_away(&stage, client).await;
}

#[tokio::test]
async fn more_than_there_is_room_for_are_turned_away_with_a_status() {
    let limits = VoiceSessionLimits { connections: 3, ..VoiceSessionLimits::default() };
    let stage = Stage::with(Wishes { limits: Some(limits), ..Wishes::default() }).await;
    let mut inside = Vec::new();
    for _ in 0..3 {
        inside.push(stage.client().await);
    }
    for _ in 0..50 {
        let refused = Client::connect(&stage.address, None).await.err().expect("a refusal");
        let Error::Http(response) = refused else { panic!("{refused:?}") };
        assert_eq!(response.status(), 503);
        assert_eq!(response.headers()["retry-after"], "5");
    }
    assert_eq!(stage.app.voice().figures().over_capacity.count(), 50);
    // A place that becomes free is given to the next.
    let mut last = inside.pop().unwrap();
    last.say(json!({ "type": "stop" })).await;
    last.rest().await;
    while stage.app.voice().connections() == 3 {
        tokio::task::yield_now().await;
    }
    stage.client().await;
}

#[tokio::test]
async fn a_request_that_is_no_upgrade_is_refused() {
    let stage = Stage::new().await;
    let mut stream = tokio::net::TcpStream::connect(&stage.address).await.unwrap();
    let request = "GET /v1/voice HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n";
    stream.write_all(request.as_bytes()).await.unwrap();
    let mut answer = String::new();
    stream.read_to_string(&mut answer).await.unwrap();
    assert!(answer.starts_with("HTTP/1.1 426 "), "{answer}");
    for named in ["\r\nupgrade: websocket\r\n", "\r\nsec-websocket-version: 13\r\n"] {
        assert!(answer.contains(named), "{answer}");
    }
    while stage.app.voice().connections() > 0 {
        tokio::task::yield_now().await;
    }
}

#[tokio::test]
async fn a_socket_that_vanishes_leaves_nothing_behind() {
    let stage = Stage::new().await;
    for _ in 0..20 {
        let client = stage.client().await;
        drop(client);
    }
    let (mut client, peer, _) = ready(&stage).await;
    drop(peer);
    client.audio(640).await;
    drop(client);
    stage.app.voice().drained().await;
    let mut late = stage.client().await;
    late.say(json!({ "type": "dance" })).await;
    assert!(matches!(late.next().await, Sent::Message(_)));
}
