//! Allowed client messages by state, and the model's output as frames.

use proptest::prelude::*;
use serde_json::json;

use super::*;
use crate::fault::InjectedFault;
use crate::live::ModelPrompt;
use crate::live::world_for_tests::{call, play, say, shared, tell};
use crate::simulated_model::ModelCallResult;

fn begun(extra: Value) -> GeminiLive {
    begun_with(extra, &[])
}

fn begun_with(extra: Value, faults: &[InjectedFault]) -> GeminiLive {
    let mut session = GeminiLive::new(shared(faults), Framing::Binary);
    assert_eq!(set_up(&mut session, extra).close, None);
    session
}

fn set_up(session: &mut GeminiLive, extra: Value) -> HandlerOutput {
    let mut setup = json!({ "model": "models/m", "outputAudioTranscription": {}, "inputAudioTranscription": {} });
    for (name, value) in extra.as_object().unwrap() {
        setup[name] = value.clone();
    }
    tell(session, &json!({ "setup": setup }))
}

fn write(text: &str) -> Value {
    json!({ "clientContent": { "turns": [{ "role": "user", "parts": [{ "text": text }] }], "turnComplete": true } })
}

fn result(id: &str) -> Value {
    json!({ "toolResponse": { "functionResponses": [{ "id": id, "name": "echo", "response": { "output": 1 } }] } })
}

fn asked(out: &HandlerOutput) -> &ModelInput {
    match &out.model {
        Some(ModelPrompt::Reply(scene)) => scene,
        other => panic!("expected a question, found {other:?}"),
    }
}

fn closed(out: &HandlerOutput) -> (u16, &str) {
    let close = out.close.as_ref().unwrap();
    (close.code, &close.reason)
}

/// The kinds of frames.
fn kinds(frames: &[Value]) -> Vec<String> {
    let kind = |frame: &Value| {
        let (name, inner) = frame.as_object().unwrap().iter().next().unwrap();
        match name.as_str() {
            "serverContent" => inner.as_object().unwrap().keys().next().unwrap().clone(),
            _ => name.clone(),
        }
    };
    frames.iter().map(kind).collect()
}

#[test]
fn the_first_message_is_the_setup_and_no_other_is() {
    let mut session = GeminiLive::new(shared(&[]), Framing::Binary);
    assert_eq!(closed(&tell(&mut session, &write("hi"))).0, 1007);
    let mut session = begun(json!({}));
    assert_eq!(closed(&set_up(&mut session, json!({}))).0, 1007);
}

#[test]
fn a_turn_is_audio_with_its_words_and_two_ends() {
    let mut session = begun(json!({}));
    let out = tell(&mut session, &write("hi"));
    assert_eq!(
        asked(&out).items,
        [HistoryItem::Heard { text: "hi".into(), channel: Channel::Written }]
    );
    let frames = play(&mut session, vec![say("Good day.")]);
    let sound = ["modelTurn", "outputTranscription"];
    let expected = [&sound[..], &sound, &["generationComplete", "turnComplete"]].concat();
    assert_eq!(kinds(&frames), expected);
    let part = &frames[0]["serverContent"]["modelTurn"]["parts"][0]["inlineData"];
    assert_eq!(part["mimeType"], "audio/pcm;rate=24000");
    assert_eq!(crate::audio::decode(part["data"].as_str().unwrap()).unwrap().len(), 60 * 48);
    assert!(frames[5]["usageMetadata"]["totalTokenCount"].as_u64() > Some(0));
    let out = tell(&mut session, &write("and?"));
    assert_eq!(asked(&out).items[1], HistoryItem::Said { text: "Good day.".into() });
}

#[test]
fn the_model_waits_until_every_call_is_answered() {
    let mut session = begun(json!({}));
    tell(&mut session, &write("hi"));
    let frames = play(&mut session, vec![call(&["call-1", "call-2"])]);
    assert_eq!(kinds(&frames), ["toolCall"]);
    assert!(tell(&mut session, &result("call-1")).model.is_none());
    let out = tell(&mut session, &result("call-2"));
    let id = CallId::new("call-2").unwrap();
    let returned = ModelCallResult { id, name: "echo".into(), result: json!({ "output": 1 }) };
    assert_eq!(asked(&out).items.last(), Some(&HistoryItem::Returned(returned)));
}

#[test]
fn a_call_that_is_made_twice_is_answered_once() {
    let mut session = begun(json!({}));
    tell(&mut session, &write("hi"));
    play(&mut session, vec![call(&["call-1", "call-1"])]);
    asked(&tell(&mut session, &result("call-1")));
    let frames = play(&mut session, vec![call(&["call-1"])]);
    assert_eq!(kinds(&frames)[..2], ["toolCall", "generationComplete"]);
}

#[test]
fn a_result_needs_an_id_of_a_call_that_is_open() {
    let check = |message: Value, why: &str| {
        let mut session = begun(json!({}));
        tell(&mut session, &write("hi"));
        play(&mut session, vec![call(&["call-1"])]);
        let out = tell(&mut session, &message);
        assert_eq!(closed(&out).0, 1007);
        assert!(closed(&out).1.contains(why), "{:?}", out.close);
    };
    let response = |one: Value| json!({ "toolResponse": { "functionResponses": [one] } });
    check(result("call-9"), "no open call");
    check(response(json!({ "name": "echo", "response": {} })), "missing id");
    check(response(json!({ "id": "call-1", "response": {} })), "missing name");
    check(response(json!({ "id": "call-1", "name": "echo" })), "missing response");
    check(response(json!({ "id": "call-1", "name": "other", "response": {} })), "not of other");
    check(response(json!({ "id": "call-1", "name": "echo", "response": "bare" })), "Invalid value");
}

#[test]
fn words_cut_the_model_short_and_take_its_calls_back() {
    let mut session = begun(json!({}));
    tell(&mut session, &write("hi"));
    play(&mut session, vec![say("Wait."), call(&["call-1"])]);
    let out = tell(&mut session, &write("stop"));
    assert_eq!(kinds(&out.frames), ["interrupted", "toolCallCancellation", "turnComplete"]);
    assert_eq!(out.frames[1]["toolCallCancellation"]["ids"], json!(["call-1"]));
    assert_eq!(asked(&out).items.len(), 4);
    let late = tell(&mut session, &result("call-1"));
    assert!(late.close.is_none() && late.model.is_none());
}

#[test]
fn speech_is_heard_by_its_loudness_and_answered() {
    let mut session = begun(json!({}));
    let audio = |pcm: &[u8]| {
        json!({ "realtime_input": { "audio": {
        "data": crate::audio::encode(pcm), "mime_type": "audio/pcm;rate=24000" } } })
    };
    let tone = crate::audio::tone("Aileron");
    assert!(tell(&mut session, &audio(&tone)).frames.is_empty());
    let out = tell(&mut session, &audio(&vec![0; 48 * 600]));
    let words = "[speech, 0.2 s: the simulator has no ears]";
    let heard = &out.frames[0]["serverContent"]["inputTranscription"];
    assert_eq!(heard["text"], words);
    assert_eq!(
        asked(&out).items,
        [HistoryItem::Heard { text: words.into(), channel: Channel::Spoken }]
    );
    play(&mut session, vec![say("Hm.")]);
    tell(&mut session, &audio(&tone));
    let ended = tell(&mut session, &json!({ "realtimeInput": { "audioStreamEnd": true } }));
    assert!(ended.model.is_some());
}

#[test]
fn who_listens_is_either_the_server_or_the_client() {
    let start = json!({ "realtimeInput": { "activityStart": {} } });
    assert_eq!(closed(&tell(&mut begun(json!({})), &start)).0, 1007);
    let off =
        json!({ "realtimeInputConfig": { "automaticActivityDetection": { "disabled": true } } });
    let mut session = begun(off);
    assert!(tell(&mut session, &start).close.is_none());
    let end = json!({ "realtimeInput": { "activityEnd": {} } });
    assert!(tell(&mut session, &end).model.is_some());
    let stream_end = json!({ "realtimeInput": { "audioStreamEnd": true } });
    assert_eq!(closed(&tell(&mut session, &stream_end)).0, 1007);
}

#[test]
fn a_handle_brings_the_conversation_back() {
    let shared = shared(&[]);
    let mut first = GeminiLive::new(shared.clone(), Framing::Binary);
    set_up(&mut first, json!({ "sessionResumption": {} }));
    let out = tell(&mut first, &write("hi"));
    assert_eq!(out.frames[0], json!({ "sessionResumptionUpdate": {} }));
    let frames = play(&mut first, vec![say("Hello.")]);
    let update = &frames.last().unwrap()["sessionResumptionUpdate"];
    assert_eq!(update["resumable"], true);
    let mut second = GeminiLive::new(shared.clone(), Framing::Binary);
    set_up(&mut second, json!({ "sessionResumption": { "handle": update["newHandle"] } }));
    let out = tell(&mut second, &write("go on"));
    assert_eq!(asked(&out).items.len(), 3);
    let mut third = GeminiLive::new(shared, Framing::Binary);
    let out = set_up(&mut third, json!({ "sessionResumption": { "handle": "made up" } }));
    assert_eq!(closed(&out), (1008, NO_SESSION));
}

#[test]
fn history_that_comes_first_is_not_answered() {
    let config = json!({ "historyConfig": { "initialHistoryInClientContent": true } });
    let mut session = begun(config);
    assert!(tell(&mut session, &write("before")).model.is_none());
    let out = tell(&mut session, &write("hi"));
    assert_eq!(asked(&out).items.len(), 2);
}

#[test]
fn a_call_nobody_waits_for_leaves_the_turn_to_its_end() {
    let declared = json!({ "tools": [{ "functionDeclarations": [{ "name": "echo", "behavior": "NON_BLOCKING" }] }] });
    let mut session = begun(declared);
    tell(&mut session, &write("hi"));
    let frames = play(&mut session, vec![call(&["call-1"])]);
    assert_eq!(kinds(&frames), ["toolCall", "generationComplete", "turnComplete"]);
    let mut silent = result("call-1");
    silent["toolResponse"]["functionResponses"][0]["scheduling"] = "SILENT".into();
    silent["toolResponse"]["functionResponses"][0]["will_continue"] = true.into();
    assert!(tell(&mut session, &silent).model.is_none());
    assert!(tell(&mut session, &result("call-1")).model.is_some());
}

#[test]
fn faults_change_what_is_sent() {
    let frames = |fault: InjectedFault, steps: Vec<ModelAction>| {
        let mut session = begun_with(json!({}), &[fault]);
        tell(&mut session, &write("hi"));
        kinds(&play(&mut session, steps))
    };
    let one = || vec![call(&["call-1"])];
    assert_eq!(frames(InjectedFault::DuplicateCall, one()), ["toolCall", "toolCall"]);
    assert_eq!(frames(InjectedFault::CallTwice, one()), ["modelTurn", "toolCall"]);
    assert_eq!(frames(InjectedFault::NoTurnComplete, Vec::new()), ["generationComplete"]);
    let mut session = begun_with(json!({}), &[InjectedFault::RateLimit]);
    assert_eq!(closed(&tell(&mut session, &write("hi"))).0, 1008);
}

#[test]
fn the_control_takes_calls_back_and_goes_away() {
    let mut session = begun(json!({}));
    tell(&mut session, &write("hi"));
    play(&mut session, vec![call(&["call-1"])]);
    let mut out = HandlerOutput::default();
    session.obey(ControlCommand::Cancel(Vec::new()), &mut out);
    session.obey(ControlCommand::GoAway(Duration::from_secs(9)), &mut out);
    assert_eq!(kinds(&out.frames), ["toolCallCancellation", "goAway"]);
    assert!(out.end_in.is_some());
    assert_eq!(kinds(&play_rest(&mut session)), ["generationComplete", "turnComplete"]);
}

fn play_rest(session: &mut GeminiLive) -> Vec<Value> {
    let mut out = HandlerOutput::default();
    while session.next_in().is_some() {
        session.deliver(&mut out);
    }
    out.frames
}

/// Anything a client could send, sensible or not.
fn message() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(json!(null)),
        any::<bool>().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        "[a-zA-Z0-9=+/._-]{0,12}".prop_map(Value::from),
        Just(json!("audio/pcm;rate=16000")),
        Just(json!("user")),
        Just(json!("call-1")),
    ];
    let name = prop_oneof![
        Just("setup"),
        Just("model"),
        Just("clientContent"),
        Just("client_content"),
        Just("turns"),
        Just("turnComplete"),
        Just("parts"),
        Just("text"),
        Just("role"),
        Just("realtimeInput"),
        Just("audio"),
        Just("data"),
        Just("mimeType"),
        Just("audioStreamEnd"),
        Just("activityStart"),
        Just("toolResponse"),
        Just("functionResponses"),
        Just("id"),
        Just("name"),
        Just("response"),
        Just("scheduling"),
        Just("contextUpdate"),
        Just("tools"),
        Just("parameters"),
        Just("type"),
    ];
    leaf.prop_recursive(5, 40, 5, move |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..4).prop_map(Value::from),
            prop::collection::vec((name.clone(), inner), 0..4).prop_map(|fields| {
                Value::Object(
                    fields.into_iter().map(|(name, value)| (name.to_owned(), value)).collect(),
                )
            }),
        ]
    })
}

proptest! {
    #[test]
    fn no_message_makes_a_session_panic(messages in prop::collection::vec(message(), 1..12), text in ".{0,40}") {
        let mut session = begun(json!({ "sessionResumption": {} }));
        for message in &messages {
            tell(&mut session, message);
            if session.thinking {
                play(&mut session, vec![say("Yes."), call(&["call-1"])]);
            }
        }
        session.receive(&text, &mut HandlerOutput::default());
    }
}
