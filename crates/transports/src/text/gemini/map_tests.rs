//! Replies of Gemini, and what is sent back of them.

use aileron_contract::text::{
    ChatMessage, FinishReason, ModelRequest, ReplyEvent, ReplyPart, Tools,
};
use serde_json::{Value, json};

use crate::text::samples::{
    CollectedReply, ask, call, data, hear, hear_cut_off, kept, model, of, person, sunny, text,
    tool_call,
};

const NAME: &str = "gemini";

fn heard(events: &[&str]) -> CollectedReply {
    hear(NAME, &data(events))
}

fn parts(parts: &str, finish: &str) -> String {
    let finish =
        if finish.is_empty() { String::new() } else { format!(r#","finishReason":"{finish}""#) };
    format!(
        r#"{{"candidates":[{{"content":{{"role":"model","parts":[{parts}]}},"index":0{finish}}}]}}"#
    )
}

const USAGE: &str = r#"{"candidates":[{"content":{"parts":[{"text":""}],"role":"model"},"finishReason":"STOP"}],"usageMetadata":{"promptTokenCount":8,"candidatesTokenCount":2,"thoughtsTokenCount":"5","totalTokenCount":15,"cachedContentTokenCount":3},"modelVersion":"gemini-3-flash","responseId":"r1"}"#;

#[test]
fn words_thoughts_and_use_are_told() {
    let thought = parts(r#"{"text":"Hm.","thought":true}"#, "");
    let [hel, lo] = [r#"{"text":"Hel"}"#, r#"{"text":"lo"}"#].map(|part| parts(part, ""));
    let heard = heard(&[&thought, &hel, &lo, USAGE]);
    let told = [
        ReplyEvent::Reasoning("Hm.".into()),
        ReplyEvent::Text("Hel".into()),
        ReplyEvent::Text("lo".into()),
    ];
    assert_eq!(heard.events[..3], told);
    let reply = heard.reply();
    assert_eq!(reply.ending, FinishReason::Answered);
    assert_eq!(reply.parts, [ReplyPart::Reasoning { text: "Hm.".into() }, text("Hello")]);
    let usage = reply.usage;
    assert_eq!((usage.input.total, usage.output.total), (8, 7));
    assert_eq!((usage.cached, usage.thoughts, usage.total), (3, 5, 15));
}

const CALLS: &str = r#"{"functionCall":{"id":"abc12345","name":"get_weather","args":{"city":"Cluj"}},"thoughtSignature":"c2ln"},{"functionCall":{"name":"get_weather"},"unknown":1}"#;

#[test]
fn calls_come_whole_and_each_has_an_id() {
    let heard = heard(&[&parts(CALLS, "STOP")]);
    let calls: Vec<_> = heard.events.iter().filter(|e| matches!(e, ReplyEvent::Call(_))).collect();
    let first = tool_call("abc12345", "get_weather", json!({ "city": "Cluj" }));
    let second = tool_call("c0-0", "get_weather", json!({}));
    assert_eq!(calls, [&ReplyEvent::Call(first), &ReplyEvent::Call(second)]);
    assert_eq!(heard.reply().ending, FinishReason::Calls);
}

/// The contents of the request that answers a reply.
fn contents(messages: &[ChatMessage]) -> Value {
    let request =
        ModelRequest { instructions: "", declarations: &[], messages, tools: Tools::Offered };
    of(NAME).body(&ask("m"), &request)["contents"].take()
}

#[test]
fn what_gemini_said_goes_back_unchanged_and_unmerged() {
    let stream = [&*parts(r#"{"text":"a"},{"text":"b"}"#, ""), &*parts(CALLS, "STOP"), USAGE];
    let reply = heard(&stream).reply();
    let ids: Vec<_> = reply.calls().map(|call| call.call_id.to_string()).collect();
    let answers = ids.iter().map(|id| sunny(id)).collect();
    let sent = contents(&[person("hi"), kept(reply), ChatMessage::Results { answers }]);
    let said: Value =
        serde_json::from_str(&format!(r#"[{{"text":"a"}},{{"text":"b"}},{CALLS}]"#)).unwrap();
    assert_eq!(sent[1], json!({ "role": "model", "parts": said }));
    let response = json!({ "output": { "temp": 21 } });
    let answers = json!({ "role": "user", "parts": [
        { "functionResponse": { "id": "abc12345", "name": "get_weather", "response": response } },
        { "functionResponse": { "name": "get_weather", "response": response } },
    ]});
    assert_eq!(sent[2], answers);
    assert_eq!(sent.as_array().unwrap().len(), 3);
}

#[test]
fn a_signature_on_an_empty_part_is_kept_and_an_empty_part_without_is_not() {
    let signed = parts(r#"{"text":"a"},{"text":""},{"text":"","thoughtSignature":"c2ln"}"#, "STOP");
    let original = heard(&[&signed]).reply().original.unwrap();
    let expected = json!([{ "text": "a" }, { "text": "", "thoughtSignature": "c2ln" }]);
    assert_eq!((original.by.as_str(), &original.content["parts"]), (NAME, &expected));
}

#[test]
fn calls_of_another_provider_carry_the_placeholder_on_the_first_alone() {
    let said = model(vec![
        ReplyPart::Reasoning { text: "Hm.".into() },
        text("Looking."),
        call("toolu_1", json!({ "city": "Cluj" })),
        call("toolu_2", json!({})),
    ]);
    let answers = vec![sunny("toolu_1"), sunny("toolu_2")];
    insta::assert_json_snapshot!(contents(&[person("hi"), said, ChatMessage::Results { answers }]));
}

#[test]
fn every_ending_has_a_meaning() {
    let ending = |finish: &str| heard(&[&parts(r#"{"text":"a"}"#, finish)]).reply().ending;
    assert_eq!(ending("MAX_TOKENS"), FinishReason::Length);
    for reason in ["SAFETY", "RECITATION", "PROHIBITED_CONTENT", "BRAND_NEW"] {
        assert_eq!(ending(reason), FinishReason::Refused(reason.into()));
    }
    let blocked = heard(&[r#"{"promptFeedback":{"blockReason":"SAFETY"}}"#]).reply();
    assert_eq!((blocked.ending, blocked.original), (FinishReason::Refused("SAFETY".into()), None));
}

#[test]
fn a_mistake_of_the_model_is_a_fault_that_may_be_tried_again() {
    let heard = heard(&[&parts("", "MALFORMED_FUNCTION_CALL")]);
    let fault = heard.fault.unwrap();
    assert_eq!(fault.code, "MALFORMED_FUNCTION_CALL");
    assert_eq!(fault.severity, aileron_contract::transport::Severity::Retry);
}

#[test]
fn an_error_in_the_stream_is_told_after_what_came_before_it() {
    let error = r#"{"error":{"code":503,"message":"overloaded","status":"UNAVAILABLE"}}"#;
    let heard = heard(&[&parts(r#"{"text":"a"}"#, ""), error]);
    assert_eq!((heard.events.len(), heard.code()), (1, "UNAVAILABLE"));
}

#[test]
fn what_cannot_be_read_is_a_fault() {
    for (events, code) in [
        (&["{"][..], "unreadable"),
        (&["5"], "unreadable"),
        (&[r#"{"candidates":5}"#], "unreadable"),
        (
            &[r#"{"candidates":[{"content":{"parts":[{"functionCall":{"args":{}}}]}}]}"#],
            "unreadable",
        ),
        (&[], "cut_short"),
        (&["{}"], "cut_short"),
    ] {
        assert_eq!(heard(events).code(), code, "{events:?}");
    }
}

#[test]
fn a_stream_that_is_cut_off_is_a_fault_wherever_it_is_cut() {
    let stream = data(&[&parts(CALLS, ""), USAGE]);
    hear_cut_off(NAME, &stream, stream.trim_end().len());
}
