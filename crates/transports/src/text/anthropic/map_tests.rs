//! Replies of Anthropic, and what is sent back of them.

use aileron_contract::text::{
    ChatMessage, FinishReason, ModelRequest, ReplyEvent, ReplyPart, Tools,
};
use aileron_contract::transport::Severity;
use serde_json::{Value, json};

use crate::text::options::Reasoning;
use crate::text::protocol::RequestOptions;
use crate::text::samples::{
    CollectedReply, ask, call, hear, hear_cut_off, kept, model, named, of, person, sunny, text,
    tool_call, waiting,
};

const NAME: &str = "anthropic";

fn heard(events: &[&str]) -> CollectedReply {
    hear(NAME, &named(events))
}

const START: &str = r#"{"type":"message_start","message":{"id":"msg_1","type":"message","role":"assistant","model":"m","content":[],"stop_reason":null,"usage":{"input_tokens":5,"cache_read_input_tokens":7,"output_tokens":1}}}"#;
const THINKING: &[&str] = &[
    r#"{"type":"content_block_start","index":0,"content_block":{"type":"thinking","thinking":"","signature":""}}"#,
    r#"{"type":"content_block_delta","index":0,"delta":{"type":"thinking_delta","thinking":"Hm."}}"#,
    r#"{"type":"content_block_delta","index":0,"delta":{"type":"signature_delta","signature":"c2ln"}}"#,
    r#"{"type":"content_block_stop","index":0}"#,
];
const WORDS: &[&str] = &[
    r#"{"type":"content_block_start","index":1,"content_block":{"type":"text","text":""}}"#,
    r#"{"type":"ping"}"#,
    r#"{"type":"content_block_delta","index":1,"delta":{"type":"text_delta","text":"Checking."}}"#,
    r#"{"type":"content_block_stop","index":1}"#,
];
const CALL: &[&str] = &[
    r#"{"type":"content_block_start","index":2,"content_block":{"type":"tool_use","id":"toolu_1","name":"get_weather","input":{},"caller":{"type":"direct"}}}"#,
    r#"{"type":"content_block_delta","index":2,"delta":{"type":"input_json_delta","partial_json":""}}"#,
    r#"{"type":"content_block_delta","index":2,"delta":{"type":"input_json_delta","partial_json":"{\"city\": "}}"#,
    r#"{"type":"content_block_delta","index":2,"delta":{"type":"input_json_delta","partial_json":"\"Cluj\"}"}}"#,
    r#"{"type":"content_block_stop","index":2}"#,
];
const STOP: &str = r#"{"type":"message_stop"}"#;

fn end(reason: &str) -> String {
    format!(
        r#"{{"type":"message_delta","delta":{{"stop_reason":"{reason}","stop_sequence":null}},"usage":{{"output_tokens":20}}}}"#
    )
}

fn stream(blocks: &[&[&str]], reason: &str) -> String {
    let end = end(reason);
    named(&[&[START], blocks.concat().as_slice(), &[&end, STOP]].concat())
}

#[test]
fn thoughts_words_and_a_call_are_told_as_they_come() {
    let heard = hear(NAME, &stream(&[THINKING, WORDS, CALL], "tool_use"));
    let call = tool_call("toolu_1", "get_weather", json!({ "city": "Cluj" }));
    let begun =
        ReplyEvent::CallBegun { call_id: call.call_id.clone(), tool_id: "get_weather".into() };
    let told = [
        ReplyEvent::Reasoning("Hm.".into()),
        ReplyEvent::Text("Checking.".into()),
        begun,
        ReplyEvent::Call(call.clone()),
    ];
    assert_eq!(heard.events[..4], told);
    let reply = heard.reply();
    let parts = vec![
        ReplyPart::Reasoning { text: "Hm.".into() },
        text("Checking."),
        ReplyPart::Call { call },
    ];
    assert_eq!((reply.parts, reply.ending), (parts, FinishReason::Calls));
    let usage = reply.usage;
    assert_eq!((usage.input.total, usage.cached, usage.output.total), (12, 7, 20));
}

fn body(messages: &[ChatMessage], tools: Tools) -> Value {
    let request = ModelRequest { instructions: "", declarations: &[], messages, tools };
    of(NAME).body(&ask("m"), &request)
}

#[test]
fn blocks_go_back_as_they_came_with_answers_before_words() {
    let reply = hear(NAME, &stream(&[THINKING, WORDS, CALL], "tool_use")).reply();
    let answers = ChatMessage::Results { answers: vec![waiting("toolu_1")] };
    let late = ChatMessage::Late { answer: sunny("toolu_1") };
    let messages = [person("hi"), kept(reply), answers, late];
    insta::assert_json_snapshot!(body(&messages, Tools::Offered)["messages"]);
}

#[test]
fn a_conversation_with_calls_has_tools_though_none_is_offered() {
    let messages = [
        person("hi"),
        model(vec![call("c-1", json!({}))]),
        ChatMessage::Results { answers: vec![sunny("c-1")] },
    ];
    for tools in [Tools::Offered, Tools::Withheld] {
        let body = body(&messages, tools);
        assert_eq!(body["tools"][0]["name"], "get_weather");
        assert_eq!(body["tool_choice"], json!({ "type": "none" }));
    }
    assert_eq!(body(&[person("hi")], Tools::Withheld).get("tools"), None);
}

#[test]
fn thinking_is_asked_for_only_where_the_provider_allows_it() {
    let body = |model, messages: &[ChatMessage], most| {
        let request =
            ModelRequest { instructions: "", declarations: &[], messages, tools: Tools::Offered };
        let ask = RequestOptions { model, max_output_tokens: most, reasoning: Reasoning::Medium };
        of(NAME).body(&ask, &request)
    };
    let thinking = |messages: &[ChatMessage], most| {
        body("claude-opus-4-1", messages, most)["thinking"]["budget_tokens"].as_u64()
    };
    let results = || ChatMessage::Results { answers: vec![sunny("toolu_1")] };
    let thought = || kept(hear(NAME, &stream(&[THINKING, CALL], "tool_use")).reply());
    let foreign = || model(vec![call("toolu_1", json!({}))]);
    assert_eq!(thinking(&[person("hi")], None), Some(4096));
    assert_eq!(thinking(&[person("hi")], Some(1500)), Some(1024));
    assert_eq!(thinking(&[person("hi")], Some(1024)), None);
    assert_eq!(thinking(&[person("hi"), thought(), results()], None), Some(4096));
    assert_eq!(thinking(&[person("hi"), foreign(), results()], None), None);
    let later = [person("hi"), foreign(), results(), model(vec![text("a")]), person("b")];
    assert_eq!(thinking(&later, None), Some(4096));
    // A model that always thinks takes an effort, and an unknown one neither.
    let always = body("claude-opus-5-5", &[person("hi")], None);
    let (none, effort) = (always.get("thinking"), &always["output_config"]["effort"]);
    assert_eq!((none, effort, &always["max_tokens"]), (None, &json!("medium"), &json!(32_000)));
    let unknown = body("m", &[person("hi")], None);
    assert_eq!((unknown.get("thinking"), unknown.get("output_config")), (None, None));
}

#[test]
fn blocks_of_other_kinds_are_kept_and_empty_words_are_not() {
    let other = [
        r#"{"type":"content_block_start","index":0,"content_block":{"type":"redacted_thinking","data":"x"}}"#,
        r#"{"type":"content_block_stop","index":0}"#,
        r#"{"type":"content_block_start","index":1,"content_block":{"type":"text","text":""}}"#,
        r#"{"type":"content_block_delta","index":1,"delta":{"type":"text_delta","text":"\n"}}"#,
        r#"{"type":"content_block_stop","index":1}"#,
        r#"{"type":"content_block_start","index":2,"content_block":{"type":"server_tool_use","id":"s","name":"web","input":{}}}"#,
        r#"{"type":"content_block_delta","index":2,"delta":{"type":"input_json_delta","partial_json":"{\"q\":1}"}}"#,
        r#"{"type":"content_block_stop","index":2}"#,
        r#"{"type":"content_block_start","index":3,"content_block":{"type":"text","text":"Hi"}}"#,
        r#"{"type":"content_block_delta","index":3,"delta":{"type":"citations_delta","citation":{"cited_text":"c"}}}"#,
        r#"{"type":"content_block_delta","index":3,"delta":{"type":"brand_new_delta"}}"#,
        r#"{"type":"content_block_stop","index":3}"#,
        r#"{"type":"brand_new_event"}"#,
    ];
    let reply = hear(NAME, &stream(&[&other], "end_turn")).reply();
    let expected = json!([
        { "type": "redacted_thinking", "data": "x" },
        { "type": "server_tool_use", "id": "s", "name": "web", "input": { "q": 1 } },
        { "type": "text", "text": "Hi", "citations": [{ "cited_text": "c" }] },
    ]);
    assert_eq!(reply.original.unwrap().content, expected);
    assert_eq!(reply.ending, FinishReason::Answered);
}

#[test]
fn every_ending_has_a_meaning() {
    let ending = |reason| hear(NAME, &stream(&[WORDS], reason)).reply().ending;
    assert_eq!(ending("end_turn"), FinishReason::Answered);
    assert_eq!(ending("max_tokens"), FinishReason::Length);
    assert_eq!(ending("model_context_window_exceeded"), FinishReason::Length);
    assert_eq!(ending("refusal"), FinishReason::Refused("refusal".into()));
}

#[test]
fn half_a_call_at_the_longest_length_is_dropped() {
    let half = [CALL[0], CALL[2], CALL[4]];
    let reply = hear(NAME, &stream(&[WORDS, &half], "max_tokens")).reply();
    assert_eq!((reply.parts, reply.ending), (vec![text("Checking.")], FinishReason::Length));
    let blocks = reply.original.unwrap().content;
    assert_eq!(blocks, json!([{ "type": "text", "text": "Checking." }]));
}

#[test]
fn a_call_without_arguments_has_an_empty_object() {
    let reply = hear(NAME, &stream(&[&[CALL[0], CALL[1], CALL[4]]], "tool_use")).reply();
    assert_eq!(reply.calls().next().unwrap().args, json!({}).into());
}

#[test]
fn an_error_event_is_told_after_what_came_before_it() {
    let error = r#"{"type":"error","error":{"type":"overloaded_error","message":"Overloaded"}}"#;
    let heard = heard(&[START, WORDS[0], WORDS[2], error]);
    assert_eq!(heard.events, [ReplyEvent::Text("Checking.".into())]);
    let fault = heard.fault.unwrap();
    assert_eq!((fault.code.as_str(), fault.severity), ("overloaded_error", Severity::Retry));
}

#[test]
fn what_cannot_be_read_is_a_fault() {
    let nameless =
        r#"{"type":"content_block_start","index":0,"content_block":{"type":"tool_use","id":"a"}}"#;
    for (events, code) in [
        (&[THINKING[1]][..], "unreadable"),
        (&[nameless], "unreadable"),
        (&[r#"{"type":"content_block_delta","index":"x"}"#], "unreadable"),
        (&[START, STOP], "cut_short"),
        (&[START], "cut_short"),
    ] {
        assert_eq!(heard(events).code(), code, "{events:?}");
    }
    assert_eq!(hear(NAME, "data: {\n\n").code(), "unreadable");
}

#[test]
fn a_stream_that_is_cut_off_is_a_fault_wherever_it_is_cut() {
    let stream = stream(&[THINKING, WORDS, CALL], "tool_use");
    // The last brace of the stop reason's event ends what has to be known.
    let known = stream.find("\n\nevent: message_stop").unwrap();
    hear_cut_off(NAME, &stream, known);
}
