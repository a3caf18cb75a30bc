//! How sessions end.

use std::sync::Arc;
use std::time::Duration;

use aileron_contract::{ConversationId, Mode};
use aileron_orchestrator::Config;
use aileron_server::voice::VoiceSessionLimits;
use aileron_store::{AcquireResult, Lease, StoredConversation};
use futures_util::{SinkExt, StreamExt};
use serde_json::{Value, json};
use tokio_tungstenite::tungstenite::Message;

use super::client::{Client, Sent};
use super::ground::Ground;
use super::provider::ready;
use super::stage::{NOW, Stage};

#[tokio::test]
async fn a_farewell_is_heard_before_the_session_closes() {
    let stage = Stage::new().await;
    let (mut client, mut peer, _) = ready(&stage).await;
    peer.heard("bye").await;
    peer.call("call-leave-1", "leave", json!({})).await;
    peer.answer().await;
    peer.speak().await;
    peer.turn_complete().await;
    let mut seen = Vec::new();
    let ended = loop {
        match client.next().await {
            Sent::Audio(bytes) => seen.push(bytes),
            Sent::Message(message) if message["type"] == "ended" => break message,
            Sent::Message(_) => {}
            other => panic!("unexpected {other:?}"),
        }
    };
    assert_eq!(seen, [4800]);
    let expected =
        json!({"type": "ended", "reason": "user_requested", "closingMessage": "Good bye."});
    assert_eq!(ended, expected);
    assert_eq!(client.next().await, Sent::Closed(1000));
}

#[tokio::test]
async fn a_farewell_that_never_comes_is_not_waited_for() {
    let stage = Stage::new().await;
    let (mut client, mut peer, _) = ready(&stage).await;
    peer.heard("bye").await;
    peer.call("call-leave-1", "leave", json!({})).await;
    peer.answer().await;
    client.expect("tool").await;
    client.expect("tool").await;
    stage.clock.advance(VoiceSessionLimits::default().farewell_ms);
    assert_eq!(client.expect("ended").await["reason"], "user_requested");
}

#[tokio::test]
async fn an_end_at_once_answers_the_model_first() {
    let stage = Stage::new().await;
    let (mut client, mut peer, _) = ready(&stage).await;
    peer.heard("bye").await;
    peer.call("call-leave-1", "leave_now", json!({})).await;
    assert_eq!(peer.answer().await.0, "call-leave-1");
    let (messages, code) = client.rest().await;
    assert_eq!((&messages.last().unwrap()["type"], code), (&json!("ended"), 1000));
    assert_eq!(peer.try_read().await, None);
}

#[tokio::test]
async fn a_blocked_person_is_sent_away_and_kept_out_until_the_time_is_over() {
    let stage = Stage::new().await;
    let (mut client, mut peer, id) = ready(&stage).await;
    peer.heard("silly").await;
    peer.call("call-block-1", "block", json!({})).await;
    peer.answer().await;
    let timeout = client.expect("timeout").await;
    assert_eq!([&timeout["durationSeconds"], &timeout["timeoutUntil"]], [60, NOW + 60_000]);
    // Where the model has its answer already, a farewell is waited for.
    stage.clock.advance(1000);
    let (messages, _) = client.rest().await;
    assert_eq!(messages.last().unwrap()["reason"], "blocked");
    stage.clock.advance(19_000);
    let mut again = stage.client().await;
    again.say(json!({ "type": "start", "conversationId": id })).await;
    let (messages, code) = again.rest().await;
    assert_eq!((&messages[0]["type"], code), (&json!("timeout"), 1008));
    assert_eq!(messages[0]["durationSeconds"], 40);
}

#[tokio::test]
async fn the_person_can_stop() {
    let stage = Stage::new().await;
    let (mut client, mut peer, id) = ready(&stage).await;
    client.say(json!({ "type": "stop" })).await;
    let (messages, code) = client.rest().await;
    assert_eq!((&messages[0]["reason"], code), (&json!("stopped"), 1000));
    assert_eq!(peer.try_read().await, None);
    let mut again = stage.client().await;
    again.say(json!({ "type": "start", "conversationId": id })).await;
    assert_eq!(again.expect("error").await["code"], "conversation_ended");
}

#[tokio::test]
async fn a_session_in_which_nobody_speaks_ends() {
    let limits = VoiceSessionLimits { ping_ms: 100_000_000, ..VoiceSessionLimits::default() };
    let stage = Stage::with(super::stage::Wishes { limits: Some(limits), ..Default::default() });
    let stage = stage.await;
    let (mut client, _peer, _) = ready(&stage).await;
    // An open microphone is no sign of a person.
    client.audio(640).await;
    stage.clock.advance(limits.idle_ms);
    assert_eq!(client.expect("ended").await["reason"], "idle");
}

#[tokio::test]
async fn no_session_is_longer_than_any_may_be() {
    let limits = VoiceSessionLimits {
        ping_ms: 100_000_000,
        idle_ms: 100_000_000,
        ..VoiceSessionLimits::default()
    };
    let stage = Stage::with(super::stage::Wishes { limits: Some(limits), ..Default::default() });
    let stage = stage.await;
    let (mut client, _peer, _) = ready(&stage).await;
    stage.clock.advance(limits.max_duration_ms);
    assert_eq!(client.expect("ended").await["reason"], "max_duration");
}

#[tokio::test]
async fn a_client_that_does_not_answer_is_given_up_and_one_that_does_is_not() {
    let stage = Stage::new().await;
    let (mut client, mut peer, _) = ready(&stage).await;
    stage.clock.advance(VoiceSessionLimits::default().ping_ms);
    assert_eq!(client.next().await, Sent::Ping);
    // Reading on answers the ping; the provider hears the next audio.
    client.audio(640).await;
    peer.read().await;
    stage.clock.advance(VoiceSessionLimits::default().ping_ms);
    assert_eq!(client.next().await, Sent::Ping);
    assert_eq!(peer.read().await["realtimeInput"]["audioStreamEnd"], true);
    // From here on the client does not read, so it does not answer.
    stage.clock.advance(VoiceSessionLimits::default().ping_ms);
    assert_eq!(peer.try_read().await, None);
    stage.app.voice().drained().await;
}

#[tokio::test]
async fn a_client_that_hangs_up_is_answered_before_its_calls_have_settled() {
    let stage = Stage::new().await;
    let (mut client, mut peer, id) = ready(&stage).await;
    peer.call("call-slow-1", "send_slowly", json!({})).await;
    Ground::of(&id).arrival().await;
    client.hang_up().await;
    assert_eq!(client.rest().await.1, 1000);
    Ground::of(&id).open_gate();
    assert_eq!(peer.answer().await.0, "call-slow-1");
    stage.app.voice().drained().await;
}

#[tokio::test]
async fn a_client_that_stops_and_hangs_up_is_answered_before_its_calls_have_settled() {
    let stage = Stage::new().await;
    let (mut client, mut peer, id) = ready(&stage).await;
    peer.call("call-slow-1", "send_slowly", json!({})).await;
    Ground::of(&id).arrival().await;
    client.say(json!({ "type": "stop" })).await;
    client.0.send(Message::Ping("there?".into())).await.unwrap();
    assert!(matches!(pong(&mut client).await, Message::Pong(_)));
    client.hang_up().await;
    assert_eq!(client.rest().await.1, 1000);
    Ground::of(&id).open_gate();
    assert_eq!(peer.answer().await.0, "call-slow-1");
    stage.app.voice().drained().await;
}

/// The next message that is not text.
async fn pong(client: &mut Client) -> Message {
    loop {
        match client.0.next().await.unwrap().unwrap() {
            Message::Text(_) => {}
            other => return other,
        }
    }
}

#[tokio::test]
async fn a_client_that_hangs_up_before_it_started_is_answered() {
    let stage = Stage::new().await;
    let mut client = stage.client().await;
    client.hang_up().await;
    assert_eq!(client.rest().await, (Vec::new(), 1000));
    stage.app.voice().drained().await;
}

#[tokio::test]
async fn a_server_that_stops_lets_writes_settle() {
    let mut stage = Stage::new().await;
    let (mut client, mut peer, id) = ready(&stage).await;
    peer.call("call-slow-1", "send_slowly", json!({})).await;
    Ground::of(&id).arrival().await;
    stage.stop();
    // The time that requests have is over by then.
    assert!(stage.goes_on(Duration::from_millis(1500)).await, "the write is still made");
    Ground::of(&id).open_gate();
    assert_eq!(peer.answer().await.0, "call-slow-1");
    let (messages, code) = client.rest().await;
    assert_eq!((&messages.last().unwrap()["reason"], code), (&json!("shutdown"), 1001));
    assert_eq!(stage.records(), ["call-slow-1 completed"]);
    stage.stopped().await;
}

#[tokio::test]
async fn a_server_that_stops_waits_as_long_as_any_call_may_take() {
    let mut stage = Stage::new().await;
    let (mut client, mut peer, id) = ready(&stage).await;
    peer.call("call-slow-1", "send_slowly", json!({})).await;
    Ground::of(&id).arrival().await;
    stage.stop();
    let most = Config::default().deadlines.of(Mode::Voice).max_ms;
    // In halves: a server with a shorter limit would end the session after the first.
    for _ in 0..2 {
        assert!(stage.goes_on(Duration::from_millis(200)).await, "the write is still made");
        stage.clock.advance(most / 2);
    }
    let (call, response) = peer.answer().await;
    assert!(call == "call-slow-1" && response["error"] != Value::Null, "{call}: {response}");
    let (messages, code) = client.rest().await;
    assert_eq!((&messages.last().unwrap()["reason"], code), (&json!("shutdown"), 1001));
    assert_eq!(stage.records(), ["call-slow-1 timed_out"]);
    stage.stopped().await;
}

/// The person approves a payment, and leaves while it is made.
async fn leaves_while_it_pays(answer: Value) -> (Vec<Value>, Vec<Value>) {
    let stage = Stage::new().await;
    let (mut client, mut peer, id) = ready(&stage).await;
    peer.heard("pay it").await;
    peer.call("call-pay-1", "pay_slowly", json!({ "n": 5 })).await;
    peer.answer().await;
    let question = client.expect("confirmation_request").await;
    match answer.as_str() {
        Some(words) => {
            stage.clock.advance(2000);
            peer.speak().await;
            peer.turn_complete().await;
            client.expect("turn_complete").await;
            stage.clock.advance(1000);
            peer.heard(words).await;
        }
        None => {
            let click = json!({"type": "confirm", "token": question["token"], "approve": true});
            client.say(click).await;
        }
    }
    let ground = Ground::of(&id);
    ground.arrival().await;
    client.say(json!({ "type": "stop" })).await;
    ground.open_gate();
    let (messages, _) = client.rest().await;
    (messages, ground.effects())
}

#[tokio::test]
async fn a_write_that_the_person_approved_settles_before_the_session_ends() {
    for answer in [Value::Null, json!("yes please")] {
        let (messages, effects) = leaves_while_it_pays(answer.clone()).await;
        assert_eq!(effects, [json!({ "n": 5 })]);
        let finished = messages.iter().position(|message| message["phase"] == "finished");
        let ended = messages.iter().position(|message| message["type"] == "ended");
        assert!(finished.is_some() && finished < ended, "{answer}: {messages:#?}");
    }
}

/// Takes a conversation as another process does; gives what is kept of it.
async fn taken_elsewhere(stage: &Stage, id: &ConversationId) -> StoredConversation {
    match stage.store.acquire(id).await.unwrap() {
        AcquireResult::Owner(_, document) => document,
        other => panic!("expected to be the owner, found {other:?}"),
    }
}

#[tokio::test]
async fn an_end_in_another_process_ends_the_session_at_the_next_words() {
    let stage = Stage::new().await;
    let (mut client, mut peer, id) = ready(&stage).await;
    let id = ConversationId::new(id).unwrap();
    let StoredConversation { version, body, .. } = taken_elsewhere(&stage, &id).await;
    stage.store.end_conversation(&id, Lease::unowned().at(version), body, NOW).await.unwrap();
    peer.heard("look").await;
    assert_eq!(client.expect("ended").await["reason"], "stopped");
}

#[tokio::test]
async fn a_move_to_text_in_another_process_ends_the_session_at_the_next_words() {
    let stage = Stage::new().await;
    let (mut client, mut peer, id) = ready(&stage).await;
    let id = ConversationId::new(id).unwrap();
    let StoredConversation { version, body, .. } = taken_elsewhere(&stage, &id).await;
    let moved = body.to_string().replace(r#"\"mode\":\"voice\""#, r#"\"mode\":\"text\""#);
    assert_ne!(moved, body.to_string());
    let moved = Arc::new(serde_json::from_str(&moved).unwrap());
    stage
        .store
        .save_conversation(&id, Lease::unowned().at(version), None, moved, NOW)
        .await
        .unwrap();
    peer.heard("look").await;
    assert_eq!(client.expect("ended").await["reason"], "taken_over");
}
