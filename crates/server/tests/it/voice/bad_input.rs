//! Invalid messages of clients, over a real socket.

use aileron_server::voice::VoiceSessionLimits;
use futures_util::SinkExt;
use serde_json::json;
use tokio_tungstenite::tungstenite::Message;
use tokio_tungstenite::tungstenite::protocol::frame::Frame;
use tokio_tungstenite::tungstenite::protocol::frame::coding::{Data, OpCode};

use super::client::Sent;
use super::provider::ready;
use super::stage::Stage;

#[tokio::test]
async fn a_message_of_ten_megabytes_ends_the_connection() {
    let stage = Stage::new().await;
    for text in [true, false] {
        let (mut client, _peer, _) = ready(&stage).await;
        let message = match text {
            true => Message::text("x".repeat(10 << 20)),
            false => Message::binary(vec![0; 10 << 20]),
        };
        client.0.send(message).await.unwrap();
        let (messages, code) = client.rest().await;
        let told = messages.iter().any(|message| message["code"] == "message_too_big");
        assert!(told && code == 1009, "{code} after {messages:?}");
    }
    stage.app.voice().drained().await;
}

#[tokio::test]
async fn what_is_no_websockets_ends_the_connection_and_says_so() {
    let stage = Stage::new().await;
    let frame = |kind, payload: &[u8]| {
        Message::Frame(Frame::message(payload.to_vec(), OpCode::Data(kind), true))
    };
    let broken = [(frame(Data::Continue, b"more"), 1002), (frame(Data::Text, b"\xff"), 1007)];
    for (frame, wanted) in broken {
        let (mut within, _peer, _) = ready(&stage).await;
        let mut before = stage.client().await;
        for client in [&mut within, &mut before] {
            client.0.send(frame.clone()).await.unwrap();
            let (messages, code) = client.rest().await;
            let told = messages.iter().any(|message| message["code"] == "bad_message");
            assert!(told && code == wanted, "{code} after {messages:?}");
        }
    }
    stage.app.voice().drained().await;
}

#[tokio::test]
async fn half_a_sample_is_refused_and_the_session_goes_on() {
    let stage = Stage::new().await;
    let (mut client, mut peer, _) = ready(&stage).await;
    client.audio(641).await;
    assert_eq!(client.expect("error").await["code"], "bad_audio");
    client.audio(640).await;
    assert!(peer.read().await["realtimeInput"]["audio"].is_object());
}

#[tokio::test]
async fn whatever_comes_before_the_start_is_refused() {
    let stage = Stage::new().await;
    let mut client = stage.client().await;
    client.audio(640).await;
    let (messages, code) = client.rest().await;
    assert_eq!((&messages[0]["code"], code), (&json!("not_started"), 1008));
    let mut client = stage.client().await;
    client.say(json!({ "type": "text", "text": "hi" })).await;
    assert_eq!(client.rest().await.0[0]["code"], "not_started");
    let mut client = stage.client().await;
    client.raw("hello").await;
    assert_eq!(client.rest().await.0[0]["code"], "bad_message");
}

#[tokio::test]
async fn what_is_no_message_is_refused_and_the_session_goes_on() {
    let stage = Stage::new().await;
    let (mut client, mut peer, _) = ready(&stage).await;
    for text in ["", "{", "null", "[1]", r#"{"type":"dance"}"#, r#"{"type":"text","text":7}"#] {
        client.raw(text).await;
        let error = client.expect("error").await;
        assert_eq!(error["code"], "bad_message", "{text}");
    }
    client.start().await;
    assert_eq!(client.expect("error").await["code"], "already_started");
    client.say(json!({ "type": "text", "text": "hi" })).await;
    assert!(peer.read().await["clientContent"].is_object());
}

#[tokio::test]
async fn whoever_goes_on_sending_nonsense_is_sent_away() {
    let stage = Stage::new().await;
    let (mut client, _peer, _) = ready(&stage).await;
    for _ in 0..20 {
        client.raw("nonsense").await;
    }
    let (messages, code) = client.rest().await;
    let codes: Vec<_> = messages.iter().map(|one| one["code"].as_str().unwrap_or("")).collect();
    assert_eq!(codes.iter().filter(|code| **code == "bad_message").count(), 20);
    assert!(codes.contains(&"too_many_faults") && code == 1008, "{codes:?}");
}

#[tokio::test]
async fn ten_thousand_messages_at_once_end_the_session() {
    let stage = Stage::new().await;
    let (client, _peer, _) = ready(&stage).await;
    let (mut sink, stream) = futures_util::StreamExt::split(client.0);
    let rate_limit = tokio::spawn(async move {
        for _ in 0..10_000 {
            // The server ends it before all are sent.
            if sink.send(Message::binary(vec![0; 64])).await.is_err() {
                return;
            }
        }
    });
    let mut seen = Vec::new();
    let mut stream = stream;
    while let Some(Ok(message)) = futures_util::StreamExt::next(&mut stream).await {
        seen.push(message.to_string());
    }
    rate_limit.await.unwrap();
    assert!(seen.iter().any(|text| text.contains("too_many_messages")), "{seen:?}");
}

const PIECES: usize = 10_000;

#[tokio::test]
async fn a_client_that_does_not_read_costs_a_bounded_queue_and_no_words() {
    let stage = Stage::new().await;
    let (mut client, mut peer, _) = ready(&stage).await;
    // A quarter of an hour of speech in one go, more than the sockets of both sides take.
    for _ in 0..PIECES {
        peer.speak().await;
    }
    peer.turn_complete().await;
    let mut audio = 0;
    loop {
        match client.next().await {
            Sent::Audio(bytes) => audio += bytes,
            Sent::Message(message) => {
                assert_eq!(message["type"], "turn_complete");
                break;
            }
            other => panic!("unexpected {other:?}"),
        }
    }
    assert!(audio < PIECES * 4800, "nothing was dropped");
    stage.clock.advance(VoiceSessionLimits::default().ping_ms);
    client.ping().await;
    let dropped = stage.app.voice().figures().audio_dropped_down.count();
    assert_eq!(audio + usize::try_from(dropped).unwrap() * 4800, PIECES * 4800);
}
