//! Audio and words both ways, and barge-in.

use serde_json::json;

use super::client::{Client, Sent};
use super::provider::{Peer, openai_ready, ready};
use super::stage::Stage;

#[tokio::test]
async fn a_session_begins_with_the_tools_that_voice_allows() {
    let stage = Stage::new().await;
    let mut client = stage.client().await;
    client.start().await;
    let (_peer, setup) = stage.upstream.gemini().await;
    let ready = client.expect("ready").await;
    assert_eq!(ready["provider"], "gemini");
    let tools = ready["tools"].as_array().unwrap();
    assert!(tools.contains(&json!("look")) && !tools.contains(&json!("note_down")));
    let setup = &setup["setup"];
    let told = setup["systemInstruction"]["parts"][0]["text"].as_str().unwrap();
    assert!(told.contains("# Who You Are"), "{told}");
    let declared = setup["tools"][0]["functionDeclarations"].as_array().unwrap();
    let declared: Vec<_> = declared.iter().map(|one| one["name"].clone()).collect();
    assert_eq!(declared, *tools);
}

#[tokio::test]
async fn audio_goes_both_ways() {
    let stage = Stage::new().await;
    let (mut client, mut peer, _) = ready(&stage).await;
    client.audio(640).await;
    let heard = peer.read().await;
    assert_eq!(heard["realtimeInput"]["audio"]["data"].as_str().unwrap().len(), 856);
    peer.speak().await;
    assert_eq!(client.next().await, Sent::Audio(4800));
}

#[tokio::test]
async fn words_of_both_are_shown_until_a_tool_suppresses_them() {
    let stage = Stage::new().await;
    let (mut client, mut peer, _) = ready(&stage).await;
    peer.heard("hello").await;
    let said = json!({ "text": "hi there", "finished": true });
    peer.say(json!({ "serverContent": { "outputTranscription": said } })).await;
    let mut said = Vec::new();
    while said.len() < 2 {
        let words = client.expect("transcript").await;
        if words["final"] == true {
            said.push((words["role"].clone(), words["text"].clone()));
        }
    }
    let expected = [("user", "hello"), ("assistant", "hi there")];
    assert_eq!(said, expected.map(|(role, text)| (json!(role), json!(text))));
    peer.call("call-hush-1", "hush", json!({})).await;
    peer.answer().await;
    peer.heard("secret").await;
    peer.turn_complete().await;
    let next = client.expect("turn_complete").await;
    assert_eq!(next["type"], "turn_complete");
}

#[tokio::test]
async fn a_barge_in_is_told_and_cancels_what_runs() {
    let stage = Stage::new().await;
    let (mut client, mut peer, id) = ready(&stage).await;
    peer.heard("look slowly").await;
    peer.call("call-slow-1", "look_slowly", json!({})).await;
    super::ground::Ground::of(&id).arrival().await;
    peer.say(json!({ "serverContent": { "interrupted": true } })).await;
    peer.say(json!({ "toolCallCancellation": { "ids": ["call-slow-1"] } })).await;
    client.expect("interrupted").await;
    let ended = loop {
        let tool = client.expect("tool").await;
        if tool["phase"] != "started" {
            break tool;
        }
    };
    assert_eq!(ended["phase"], "cancelled");
    assert_eq!(stage.records(), ["call-slow-1 cancelled"]);
}

#[tokio::test]
async fn what_was_heard_of_a_reply_that_was_talked_over_is_told_where_it_can_be() {
    let stage = Stage::new().await;
    let mut client = stage.client().await;
    client.say(json!({ "type": "start", "provider": "openai" })).await;
    let (mut peer, _) = stage.upstream.openai().await;
    client.expect("ready").await;
    peer.say(json!({"type": "response.created", "response": {"id": "r1"}})).await;
    let audio = "AAAA".repeat(16_000);
    peer.say(json!({
        "type": "response.output_audio.delta", "response_id": "r1", "item_id": "i1",
        "output_index": 0, "content_index": 0, "delta": audio,
    }))
    .await;
    assert_eq!(client.next().await, Sent::Audio(48_000));
    stage.clock.advance(250);
    peer.say(json!({"type": "input_audio_buffer.speech_started", "item_id": "i2"})).await;
    client.expect("interrupted").await;
    let truncated = peer.read().await;
    assert_eq!(truncated["type"], "conversation.item.truncate");
    assert_eq!(truncated["audio_end_ms"], 250);
}

/// OpenAI hears that the person began to speak, and so do we.
async fn openai_in_mid_word(stage: &Stage) -> (Client, Peer) {
    let (mut client, mut peer, _) = openai_ready(stage).await;
    client.audio(640).await;
    assert_eq!(peer.read().await["type"], "input_audio_buffer.append");
    peer.say(json!({"type": "input_audio_buffer.speech_started", "item_id": "i"})).await;
    let kind = "conversation.item.input_audio_transcription.delta";
    peer.say(json!({ "type": kind, "item_id": "i", "delta": "Tell me abo" })).await;
    client.expect("transcript").await;
    (client, peer)
}

/// How many milliseconds of silence OpenAI is sent.
async fn silence(peer: &mut Peer) -> usize {
    let frame = peer.read().await;
    assert_eq!(frame["type"], "input_audio_buffer.append", "{frame}");
    let audio = frame["audio"].as_str().unwrap().trim_end_matches('=');
    assert!(audio.chars().all(|digit| digit == 'A'), "silence");
    audio.len() * 3 / 4 / 48
}

#[tokio::test]
async fn openai_hears_silence_when_the_microphone_was_turned_off_in_mid_word() {
    let stage = Stage::new().await;
    let (_client, mut peer) = openai_in_mid_word(&stage).await;
    stage.clock.advance(1000);
    assert!(silence(&mut peer).await >= 500);
}

#[tokio::test]
async fn what_is_written_after_the_microphone_was_turned_off_in_mid_word_is_answered() {
    let stage = Stage::new().await;
    let (mut client, mut peer) = openai_in_mid_word(&stage).await;
    client.say(json!({ "type": "text", "text": "about Atlas" })).await;
    assert_eq!(peer.read().await["item"]["content"][0]["text"], "about Atlas");
    assert_eq!(peer.read().await["type"], "response.create");
    stage.clock.advance(1000);
    assert!(silence(&mut peer).await >= 500);
}

#[tokio::test]
async fn gemini_is_told_that_the_microphone_was_turned_off_once_for_each_time() {
    let stage = Stage::new().await;
    let (mut client, mut peer, _) = ready(&stage).await;
    for _ in 0..2 {
        client.audio(640).await;
        assert!(peer.read().await["realtimeInput"]["audio"].is_object());
        stage.clock.advance(1000);
        assert_eq!(peer.read().await["realtimeInput"], json!({ "audioStreamEnd": true }));
        stage.clock.advance(5000);
    }
}

#[tokio::test]
async fn a_slow_tool_is_announced_where_the_provider_can_say_it() {
    let stage = Stage::new().await;
    let mut client = stage.client().await;
    client.say(json!({ "type": "start", "provider": "openai" })).await;
    let (mut peer, _) = stage.upstream.openai().await;
    let id = client.expect("ready").await["conversationId"].as_str().unwrap().to_owned();
    peer.say(json!({"type": "response.created", "response": {"id": "r1"}})).await;
    let item = json!({
        "id": "i1", "type": "function_call", "status": "completed", "call_id": "call_slow_1",
        "name": "look_slowly", "arguments": "{}",
    });
    let done = json!({ "id": "r1", "status": "completed", "output": [item] });
    peer.say(json!({ "type": "response.done", "response": done })).await;
    super::ground::Ground::of(&id).arrival().await;
    let say = peer.read().await;
    assert_eq!(say["type"], "response.create");
    assert!(say["response"]["instructions"].as_str().unwrap().contains("Let me see."), "{say}");
}

#[tokio::test]
async fn a_voice_without_ears_says_so_once_and_is_written_to() {
    let stage = Stage::new().await;
    let mut client = stage.client().await;
    client.say(json!({ "type": "start", "provider": "offline" })).await;
    let (mut peer, _) = stage.upstream.gemini().await;
    let ready = client.expect("ready").await;
    assert_eq!(ready["notes"].as_array().unwrap().len(), 2);
    client.audio(640).await;
    client.audio(640).await;
    client.say(json!({ "type": "text", "text": "hello" })).await;
    assert_eq!(client.message().await["code"], "audio_unsupported");
    let text = peer.read().await;
    assert_eq!(text["clientContent"]["turns"][0]["parts"][0]["text"], "hello");
    peer.turn_complete().await;
    assert_eq!(client.message().await["type"], "turn_complete");
}

#[tokio::test]
async fn a_recording_that_comes_at_once_is_heard_from_its_beginning() {
    const PIECES: usize = 20;
    let stage = Stage::new().await;
    let (mut client, mut peer, _) = ready(&stage).await;
    for _ in 0..PIECES {
        client.audio(64 << 10).await;
    }
    for piece in 0..PIECES {
        let heard = peer.read().await;
        assert!(heard["realtimeInput"]["audio"].is_object(), "piece {piece}: {heard}");
    }
    assert_eq!(stage.app.voice().figures().audio_dropped_up.count(), 0);
}
