//! The rules of responses, items and the microphone, event by event.

use proptest::prelude::*;

use super::*;
use crate::fault::InjectedFault;
use crate::live::ModelPrompt;
use crate::live::world_for_tests::{call, play, say, shared, tell};
use crate::simulated_model::{Channel, HistoryItem};

fn begun() -> OpenaiRealtime {
    begun_with(json!({}), &[])
}

fn begun_with(mut session: Value, faults: &[InjectedFault]) -> OpenaiRealtime {
    let mut begun = OpenaiRealtime::new(shared(faults), "gpt-realtime");
    session["type"] = "realtime".into();
    let out = tell(&mut begun, &json!({ "type": "session.update", "session": session }));
    assert_eq!(kinds(&out.frames), ["session.updated"]);
    begun
}

fn kinds(frames: &[Value]) -> Vec<&str> {
    frames.iter().map(|frame| frame["type"].as_str().unwrap()).collect()
}

fn write(session: &mut OpenaiRealtime, text: &str) -> HandlerOutput {
    let content = json!([{ "type": "input_text", "text": text }]);
    let item = json!({ "type": "message", "role": "user", "content": content });
    tell(session, &json!({ "type": "conversation.item.create", "item": item }))
}

fn create(session: &mut OpenaiRealtime) -> HandlerOutput {
    tell(session, &json!({ "type": "response.create", "event_id": "ask" }))
}

fn error(out: &HandlerOutput) -> &Value {
    let frame = out.frames.last().unwrap();
    assert_eq!(frame["type"], "error", "{frame}");
    &frame["error"]
}

fn item_of(frames: &[Value], kind: &str) -> String {
    let frame = frames.iter().find(|frame| frame["type"] == kind).unwrap();
    frame["item"]["id"].as_str().or(frame["item_id"].as_str()).unwrap().to_owned()
}

#[test]
fn a_session_is_there_before_anything_is_asked() {
    let mut session = OpenaiRealtime::new(shared(&[]), "gpt-realtime");
    let mut out = HandlerOutput::default();
    session.open(&mut out);
    assert_eq!(kinds(&out.frames), ["session.created"]);
    assert_eq!(out.frames[0]["session"]["model"], "gpt-realtime");
}

#[test]
fn an_item_is_added_and_done_and_waits_for_a_response() {
    let mut session = begun();
    let out = write(&mut session, "hi");
    assert_eq!(kinds(&out.frames), ["conversation.item.added", "conversation.item.done"]);
    assert!(out.model.is_none());
    let out = create(&mut session);
    assert_eq!(kinds(&out.frames), ["response.created", "rate_limits.updated"]);
    let Some(ModelPrompt::Reply(scene)) = out.model else { panic!("expected a question") };
    assert_eq!(scene.items, [HistoryItem::Heard { text: "hi".into(), channel: Channel::Written }]);
}

#[test]
fn an_audio_message_is_sent_in_the_order_of_the_real_one() {
    let mut session = begun();
    create(&mut session);
    let frames = play(&mut session, vec![say("Hello.")]);
    let expected = [
        "response.output_item.added",
        "conversation.item.added",
        "response.content_part.added",
        "response.output_audio_transcript.delta",
        "response.output_audio.delta",
        "response.output_audio.done",
        "response.output_audio_transcript.done",
        "response.content_part.done",
        "response.output_item.done",
        "conversation.item.done",
        "response.done",
    ];
    assert_eq!(kinds(&frames), expected);
    assert_eq!(frames[2]["part"], json!({ "type": "audio", "transcript": "" }));
    let response = &frames[10]["response"];
    assert_eq!(
        (&response["status"], response["output"].as_array().unwrap().len()),
        (&json!("completed"), 1)
    );
}

#[test]
fn a_call_is_sent_in_the_order_of_the_real_one() {
    let mut session = begun();
    create(&mut session);
    let mut frames = play(&mut session, vec![call(&["call_1"])]);
    frames.dedup_by(|one, other| one["type"] == other["type"]);
    let expected = [
        "response.output_item.added",
        "conversation.item.added",
        "response.function_call_arguments.delta",
        "response.function_call_arguments.done",
        "response.output_item.done",
        "conversation.item.done",
        "response.done",
    ];
    assert_eq!(kinds(&frames), expected);
    assert_eq!(frames[4]["item"]["arguments"], "{\"n\":1}");
    let output = |id: &str| {
        json!({ "type": "conversation.item.create", "event_id": "mine",
        "item": { "type": "function_call_output", "call_id": id, "output": "1" } })
    };
    assert_eq!(tell(&mut session, &output("call_1")).frames.len(), 2);
    let again = tell(&mut session, &output("call_1"));
    assert_eq!(error(&again)["code"], "invalid_tool_call_id");
    let unknown = tell(&mut session, &output("call_2"));
    assert_eq!(error(&unknown)["code"], "invalid_tool_call_id");
    assert_eq!(error(&unknown)["event_id"], "mine");
}

#[test]
fn only_one_response_is_active() {
    let mut session = begun();
    create(&mut session);
    let out = create(&mut session);
    assert_eq!(error(&out)["code"], "conversation_already_has_active_response");
    assert_eq!(error(&out)["event_id"], "ask");
    play(&mut session, vec![say("Done.")]);
    assert_eq!(kinds(&create(&mut session).frames)[0], "response.created");
}

#[test]
fn a_response_beside_the_conversation_says_its_sentence_after_the_active_one() {
    let mut session = begun();
    create(&mut session);
    let beside = json!({ "type": "response.create", "response": { "conversation": "none", "input": [],
        "tools": [], "instructions": "Say exactly this:\nOne moment.", "metadata": { "a": "b" } } });
    assert!(tell(&mut session, &beside).frames.is_empty());
    let frames = play(&mut session, vec![say("First.")]);
    let said: Vec<_> = frames.iter().filter_map(|frame| frame["transcript"].as_str()).collect();
    assert_eq!(said, ["First.", "One moment."]);
    let last = &frames.last().unwrap()["response"];
    assert_eq!((&last["conversation_id"], &last["metadata"]), (&Value::Null, &json!({ "a": "b" })));
    assert_eq!(session.entries.len(), 1);
}

#[test]
fn speech_is_answered_after_what_is_said_beside_the_conversation() {
    let mut session = begun();
    let beside = json!({ "type": "response.create", "response": { "conversation": "none",
        "input": [], "instructions": "Say exactly this:\nOne moment." } });
    tell(&mut session, &beside);
    let mut out = HandlerOutput::default();
    session.obey(ControlCommand::Hear("hello".to_owned()), &mut out);
    assert!(out.model.is_none());
    while session.next_in().is_some() {
        session.deliver(&mut out);
    }
    assert!(matches!(out.model, Some(ModelPrompt::Reply(_))));
}

#[test]
fn a_response_is_cancelled_once() {
    let mut session = begun();
    create(&mut session);
    let cancel = json!({ "type": "response.cancel", "event_id": "c" });
    let out = tell(&mut session, &cancel);
    let response = &out.frames.last().unwrap()["response"];
    assert_eq!(
        (&response["status"], &response["status_details"]["reason"]),
        (&json!("cancelled"), &json!("client_cancelled"))
    );
    assert!(matches!(out.model, Some(ModelPrompt::Nothing)));
    let again = tell(&mut session, &cancel);
    assert_eq!(error(&again)["code"], "response_cancel_not_active");
}

fn append(session: &mut OpenaiRealtime, pcm: &[u8]) -> HandlerOutput {
    tell(
        session,
        &json!({ "type": "input_audio_buffer.append", "audio": crate::audio::encode(pcm) }),
    )
}

#[test]
fn speech_interrupts_and_is_answered() {
    let mut session =
        begun_with(json!({ "audio": { "input": { "transcription": { "model": "t" } } } }), &[]);
    create(&mut session);
    let out = append(&mut session, &crate::audio::tone("Aileron"));
    assert_eq!(kinds(&out.frames), ["input_audio_buffer.speech_started", "response.done"]);
    assert_eq!(out.frames[1]["response"]["status_details"]["reason"], "turn_detected");
    let out = append(&mut session, &vec![0; 48 * 600]);
    let expected = [
        "input_audio_buffer.speech_stopped",
        "input_audio_buffer.committed",
        "conversation.item.added",
        "conversation.item.done",
        "conversation.item.input_audio_transcription.delta",
        "conversation.item.input_audio_transcription.completed",
        "response.created",
        "rate_limits.updated",
    ];
    assert_eq!(kinds(&out.frames), expected);
    assert_eq!(out.frames[0]["item_id"], out.frames[1]["item_id"]);
    assert!(matches!(out.model, Some(ModelPrompt::Reply(_))));
}

#[test]
fn without_detection_the_client_commits_and_asks() {
    let manual = json!({ "audio": { "input": { "turn_detection": null } } });
    let mut session = begun_with(manual, &[]);
    let commit = json!({ "type": "input_audio_buffer.commit" });
    let empty = tell(&mut session, &commit);
    assert_eq!(error(&empty)["code"], "input_audio_buffer_commit_empty");
    assert!(append(&mut session, &crate::audio::tone("Aileron")).frames.is_empty());
    let out = tell(&mut session, &commit);
    assert_eq!(kinds(&out.frames)[0], "input_audio_buffer.committed");
    assert!(out.model.is_none());
    let odd = tell(&mut session, &json!({ "type": "input_audio_buffer.append", "audio": "AAAA" }));
    assert_eq!(error(&odd)["param"], "audio");
}

#[test]
fn what_was_not_heard_is_truncated_and_no_more_than_was_said() {
    let mut session = begun();
    create(&mut session);
    let frames = play(&mut session, vec![say("one two three")]);
    let id = item_of(&frames, "response.output_item.added");
    let truncate = |id: &str, ms: u64| json!({ "type": "conversation.item.truncate", "item_id": id, "content_index": 0, "audio_end_ms": ms });
    let beyond = tell(&mut session, &truncate(&id, 5_000));
    assert!(error(&beyond)["message"].as_str().unwrap().contains("already shorter"));
    let out = tell(&mut session, &truncate(&id, 120));
    assert_eq!(kinds(&out.frames), ["conversation.item.truncated"]);
    assert_eq!(session.entries[0].words, "one");
    let unknown = tell(&mut session, &truncate("item_9", 1));
    assert_eq!(error(&unknown)["code"], "item_truncate_invalid_item_id");
    let written = item_of(&write(&mut session, "hi").frames, "conversation.item.added");
    let refused = tell(&mut session, &truncate(&written, 0));
    assert!(error(&refused)["message"].as_str().unwrap().contains("Only model output"));
}

#[test]
fn faults_change_what_is_sent() {
    let mut session = begun_with(json!({}), &[InjectedFault::RateLimit]);
    let out = create(&mut session);
    let response = &out.frames.last().unwrap()["response"];
    assert_eq!(
        (&response["status"], &response["status_details"]["error"]["code"]),
        (&json!("failed"), &json!("rate_limit_exceeded"))
    );
    let mut session = begun_with(json!({}), &[InjectedFault::DuplicateCall]);
    create(&mut session);
    let frames = play(&mut session, vec![call(&["call_1"])]);
    let done = frames.iter().filter(|frame| frame["type"] == "response.output_item.done");
    assert_eq!(
        done.map(|frame| &frame["item"]["call_id"]).collect::<Vec<_>>(),
        ["call_1", "call_1"]
    );
    let mut session = begun_with(json!({}), &[InjectedFault::NoTurnComplete]);
    create(&mut session);
    assert!(
        play(&mut session, vec![say("Hm.")]).iter().all(|frame| frame["type"] != "response.done")
    );
}

/// Anything a client could send, sensible or not.
fn event() -> impl Strategy<Value = Value> {
    let kind = prop_oneof![
        Just("session.update"),
        Just("input_audio_buffer.append"),
        Just("input_audio_buffer.commit"),
        Just("input_audio_buffer.clear"),
        Just("conversation.item.create"),
        Just("response.create"),
        Just("conversation.item.truncate"),
        Just("conversation.item.delete"),
        Just("response.cancel"),
        Just("conversation.item.retrieve"),
        Just("unknown"),
    ];
    let leaf = prop_oneof![
        Just(json!(null)),
        any::<u32>().prop_map(Value::from),
        "[a-z_0]{0,6}".prop_map(Value::from),
        Just(json!("realtime")),
        Just(json!("message")),
        Just(json!("user")),
        Just(json!("call-1")),
        Just(json!("function_call_output")),
        Just(json!("none")),
    ];
    let name = prop_oneof![
        Just("session"),
        Just("type"),
        Just("audio"),
        Just("input"),
        Just("output"),
        Just("item"),
        Just("role"),
        Just("content"),
        Just("text"),
        Just("response"),
        Just("conversation"),
        Just("tools"),
        Just("item_id"),
        Just("content_index"),
        Just("audio_end_ms"),
        Just("call_id"),
        Just("previous_item_id"),
        Just("turn_detection"),
        Just("format"),
        Just("instructions"),
    ];
    let value = leaf.prop_recursive(4, 30, 4, {
        let name = name.clone();
        move |inner| {
            prop_oneof![
                prop::collection::vec(inner.clone(), 0..3).prop_map(Value::from),
                prop::collection::vec((name.clone(), inner), 0..4).prop_map(object),
            ]
        }
    });
    (kind, prop::collection::vec((name, value), 0..4)).prop_map(|(kind, fields)| {
        let mut event = object(fields);
        event["type"] = kind.into();
        event
    })
}

fn object(fields: Vec<(&'static str, Value)>) -> Value {
    Value::Object(fields.into_iter().map(|(name, value)| (name.to_owned(), value)).collect())
}

proptest! {
    #[test]
    fn no_event_makes_a_session_panic(events in prop::collection::vec(event(), 1..16), text in ".{0,40}") {
        let mut session = begun();
        for event in &events {
            let out = tell(&mut session, event);
            if matches!(out.model, Some(ModelPrompt::Reply(_))) {
                play(&mut session, vec![say("Yes."), call(&["call-1"])]);
            }
        }
        session.receive(&text, &mut HandlerOutput::default());
    }
}
