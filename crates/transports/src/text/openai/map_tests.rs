//! Replies of OpenAI's Responses, and what is sent back of them.

use aileron_contract::Arguments;
use aileron_contract::text::{
    ChatMessage, FinishReason, ModelRequest, ReplyEvent, ReplyPart, Tools,
};
use aileron_contract::transport::Severity;
use serde_json::{Value, json};

use crate::text::samples::{
    CollectedReply, ask, hear, hear_cut_off, kept, named, of, person, sunny, text, tool_call,
};

const NAME: &str = "openai";

fn heard(events: &[&str]) -> CollectedReply {
    hear(NAME, &named(events))
}

const REASONING: &[&str] = &[
    r#"{"type":"response.created","sequence_number":0,"response":{"id":"resp_1","output":[]}}"#,
    r#"{"type":"response.output_item.added","output_index":0,"item":{"id":"rs_1","type":"reasoning","summary":[],"encrypted_content":"half"}}"#,
    r#"{"type":"response.reasoning_summary_part.added","output_index":0,"summary_index":0,"part":{"type":"summary_text","text":""}}"#,
    r#"{"type":"response.reasoning_summary_text.delta","output_index":0,"summary_index":0,"delta":"Hm.","obfuscation":"x7"}"#,
    r#"{"type":"response.reasoning_summary_part.added","output_index":0,"summary_index":1,"part":{"type":"summary_text","text":""}}"#,
    r#"{"type":"response.reasoning_summary_text.delta","output_index":0,"summary_index":1,"delta":"So."}"#,
    r#"{"type":"response.output_item.done","output_index":0,"item":{"id":"rs_1","type":"reasoning","summary":[],"encrypted_content":"whole"}}"#,
];

const CALL: &[&str] = &[
    r#"{"type":"response.output_item.added","output_index":1,"item":{"id":"fc_1","type":"function_call","status":"in_progress","call_id":"call_1","name":"get_weather","arguments":""}}"#,
    r#"{"type":"response.function_call_arguments.delta","item_id":"fc_1","output_index":1,"delta":"{\"city\":"}"#,
    r#"{"type":"response.function_call_arguments.delta","item_id":"fc_1","output_index":1,"delta":"\"Cluj\"}"}"#,
    r#"{"type":"response.function_call_arguments.done","item_id":"fc_1","output_index":1,"arguments":"{\"city\":\"Cluj\"}"}"#,
    r#"{"type":"response.output_item.done","output_index":1,"item":{"id":"fc_1","type":"function_call","status":"completed","call_id":"call_1","name":"get_weather","arguments":"{\"city\":\"Cluj\"}"}}"#,
];

const COMPLETED: &str = r#"{"type":"response.completed","response":{"id":"resp_1","status":"completed","output":[],"usage":{"input_tokens":9,"input_tokens_details":{"cached_tokens":4},"output_tokens":6,"output_tokens_details":{"reasoning_tokens":2},"total_tokens":15}}}"#;

fn whole() -> Vec<&'static str> {
    [REASONING, CALL, &[COMPLETED]].concat()
}

#[test]
fn reasoning_and_a_call_are_told_as_they_come() {
    let heard = heard(&whole());
    let call = tool_call("call_1", "get_weather", json!({ "city": "Cluj" }));
    let begun =
        ReplyEvent::CallBegun { call_id: call.call_id.clone(), tool_id: "get_weather".into() };
    let told = [
        ReplyEvent::Reasoning("Hm.".into()),
        ReplyEvent::Reasoning("\n\n".into()),
        ReplyEvent::Reasoning("So.".into()),
        begun,
        ReplyEvent::Call(call.clone()),
    ];
    assert_eq!(heard.events[..5], told);
    let reply = heard.reply();
    let parts = [ReplyPart::Reasoning { text: "Hm.\n\nSo.".into() }, ReplyPart::Call { call }];
    assert_eq!((reply.parts.as_slice(), reply.ending), (parts.as_slice(), FinishReason::Calls));
    let usage = reply.usage;
    assert_eq!((usage.input.total, usage.output.total, usage.total), (9, 6, 15));
    assert_eq!((usage.cached, usage.thoughts), (4, 2));
}

fn input(messages: &[ChatMessage]) -> Value {
    let request =
        ModelRequest { instructions: "", declarations: &[], messages, tools: Tools::Offered };
    of(NAME).body(&ask("gpt-5"), &request)["input"].take()
}

#[test]
fn items_go_back_as_they_were_when_they_were_done() {
    let reply = heard(&whole()).reply();
    let answers = vec![sunny("call_1")];
    insta::assert_json_snapshot!(input(&[
        person("hi"),
        kept(reply),
        ChatMessage::Results { answers }
    ]));
}

#[test]
fn reasoning_that_is_not_sealed_or_led_to_nothing_does_not_go_back() {
    let plain = r#"{"type":"response.output_item.done","output_index":0,"item":{"id":"rs_1","type":"reasoning","summary":[]}}"#;
    let sealed = r#"{"type":"response.output_item.done","output_index":2,"item":{"id":"rs_2","type":"reasoning","encrypted_content":"s"}}"#;
    let stream = [&[plain], CALL, &[sealed, COMPLETED]].concat();
    let sent = input(&[person("hi"), kept(heard(&stream).reply())]);
    let types: Vec<_> = sent.as_array().unwrap().iter().map(|item| item["type"].as_str()).collect();
    let expected = ["message", "function_call", "function_call_output"];
    assert_eq!(types, expected.map(Some));
    let only = heard(&[sealed, COMPLETED]).reply();
    assert_eq!(input(&[person("hi"), kept(only)]).as_array().unwrap().len(), 1);
}

#[test]
fn a_model_that_does_not_reason_is_not_asked_for_reasoning() {
    let request = ModelRequest {
        instructions: "",
        declarations: &[],
        messages: &[person("hi")],
        tools: Tools::Offered,
    };
    let include = |model| of(NAME).body(&ask(model), &request)["include"].take();
    assert_eq!(include("gpt-4.1-mini"), Value::Null);
    assert_eq!(include("gpt-5"), json!(["reasoning.encrypted_content"]));
    assert_eq!(include("o4-mini"), json!(["reasoning.encrypted_content"]));
}

const MESSAGE: &str = r#"{"type":"response.output_item.done","output_index":0,"item":{"id":"msg_1","type":"message","role":"assistant","content":[{"type":"output_text","text":"Hello","annotations":[]}]}}"#;

#[test]
fn words_are_told_once_however_often_they_are_sent() {
    let deltas = heard(&[
        r#"{"type":"response.output_text.delta","output_index":0,"content_index":0,"delta":"Hel"}"#,
        r#"{"type":"response.output_text.delta","output_index":0,"content_index":0,"delta":"lo"}"#,
        r#"{"type":"response.output_text.done","output_index":0,"content_index":0,"text":"Hello"}"#,
        MESSAGE,
        COMPLETED,
    ]);
    assert_eq!(deltas.events[..2], [ReplyEvent::Text("Hel".into()), ReplyEvent::Text("lo".into())]);
    assert_eq!(deltas.reply().parts, [text("Hello")]);
    assert_eq!(heard(&[MESSAGE, COMPLETED]).reply().parts, [text("Hello")]);
    let at_once = r#"{"type":"response.completed","response":{"output":[{"type":"message","content":[{"type":"output_text","text":"Hello"}]},{"type":"function_call","call_id":"call_1","name":"get_weather","arguments":"{}"}]}}"#;
    let reply = heard(&[at_once]).reply();
    assert_eq!((reply.parts.len(), reply.ending), (2, FinishReason::Calls));
}

#[test]
fn a_refusal_is_told_in_its_words_and_is_the_ending() {
    let delta = r#"{"type":"response.refusal.delta","output_index":0,"delta":"I can't."}"#;
    let reply = heard(&[delta, COMPLETED]).reply();
    assert_eq!(reply.parts, [text("I can't.")]);
    assert_eq!((reply.ending, reply.original), (FinishReason::Refused("refusal".into()), None));
}

fn incomplete(reason: &str) -> String {
    format!(
        r#"{{"type":"response.incomplete","response":{{"status":"incomplete","incomplete_details":{{"reason":"{reason}"}}}}}}"#
    )
}

#[test]
fn an_incomplete_reply_says_why_and_half_a_call_is_dropped() {
    let half = r#"{"type":"response.output_item.done","output_index":1,"item":{"id":"fc_1","type":"function_call","status":"incomplete","call_id":"call_1","name":"get_weather","arguments":"{\"ci"}}"#;
    let reply = heard(&[MESSAGE, CALL[0], half, &incomplete("max_output_tokens")]).reply();
    assert_eq!((reply.parts, reply.ending), (vec![text("Hello")], FinishReason::Length));
    assert_eq!(reply.original.unwrap().content.as_array().unwrap().len(), 1);
    let filtered = heard(&[MESSAGE, &incomplete("content_filter")]).reply();
    assert_eq!(filtered.ending, FinishReason::Refused("content_filter".into()));
}

#[test]
fn arguments_that_are_no_json_are_a_call_all_the_same() {
    let broken = CALL[4].replace(r#"{\"city\":\"Cluj\"}"#, "{oops");
    let reply = heard(&[CALL[0], &broken, COMPLETED]).reply();
    let args = &reply.calls().next().unwrap().args;
    assert!(matches!(args, Arguments::Unreadable(_)), "{args:?}");
}

#[test]
fn errors_are_found_wherever_they_stand() {
    let check = |event: &str, code: &str, severity| {
        let fault = heard(&[event]).fault.unwrap();
        assert_eq!((fault.code.as_str(), fault.severity), (code, severity));
    };
    check(
        r#"{"type":"error","code":"rate_limit_exceeded","message":"m","param":null,"sequence_number":1}"#,
        "rate_limit_exceeded",
        Severity::Retry,
    );
    check(
        r#"{"type":"error","error":{"type":"invalid_request_error","code":"context_length_exceeded","message":"m"}}"#,
        "context_length_exceeded",
        Severity::Fatal,
    );
    check(
        r#"{"type":"response.failed","response":{"error":{"code":"server_error","message":"m"}}}"#,
        "server_error",
        Severity::Retry,
    );
}

#[test]
fn what_cannot_be_read_is_a_fault() {
    let check = |stream: &str, code: &str| assert_eq!(hear(NAME, stream).code(), code, "{stream}");
    check("data: {\n\n", "unreadable");
    check("data: {\"type\":\"response.completed\",\"response\":7}\n\n", "unreadable");
    check(&named(&[CALL[1]]), "unreadable");
    check(&named(&[CALL[4].replace("call_1", "").as_str()]), "unreadable");
    check("", "cut_short");
    check("data: [DONE]\n\n", "cut_short");
    check(&named(&[MESSAGE]), "cut_short");
}

#[test]
fn a_stream_that_is_cut_off_is_a_fault_wherever_it_is_cut() {
    let stream = named(&whole());
    hear_cut_off(NAME, &stream, stream.trim_end().len());
}
