//! Replies of servers of Chat Completions, in all the ways they write them.

use aileron_contract::text::{
    ChatMessage, FinishReason, ModelRequest, ReplyEvent, ReplyPart, Tools,
};
use aileron_contract::transport::Severity;
use serde_json::{Value, json};

use super::super::settings::{
    LastStepRule, LengthField, OpenaiChatOptions, ReasoningReplay, UsageChunk,
};
use super::OpenaiChat;
use crate::text::options::Reasoning;
use crate::text::protocol::{ProviderProtocol, RequestOptions};
use crate::text::samples::{
    CollectedReply, ask, data, hear, hear_cut_off, kept, of, person, sunny, text, tool_call,
};

const NAME: &str = "openai_chat";

fn heard(events: &[&str]) -> CollectedReply {
    hear(NAME, &data(events))
}

fn delta(delta: &str) -> String {
    format!(r#"{{"choices":[{{"index":0,"delta":{delta},"finish_reason":null}}]}}"#)
}

fn finish(reason: &str) -> String {
    format!(r#"{{"choices":[{{"index":0,"delta":{{}},"finish_reason":"{reason}"}}]}}"#)
}

/// The calls of a reply, by id, name and arguments.
fn calls(events: &[&str]) -> Vec<(String, String, String)> {
    let reply = heard(events).reply();
    let call = |call: &aileron_contract::ToolCall| {
        let args = call.args.clone().into_value().to_string();
        (call.call_id.to_string(), call.tool_id.clone(), args)
    };
    reply.calls().map(call).collect()
}

fn expected(calls: &[(&str, &str, &str)]) -> Vec<(String, String, String)> {
    calls.iter().map(|(id, name, args)| ((*id).into(), (*name).into(), (*args).into())).collect()
}

const DELTAS: &[&str] = &[
    r#"{"choices":[{"index":0,"delta":{"role":"assistant","content":null,"tool_calls":[{"index":0,"id":"call_1","type":"function","function":{"name":"get_weather","arguments":""}}]},"finish_reason":null}]}"#,
    r#"{"choices":[{"index":0,"delta":{"tool_calls":[{"index":0,"function":{"arguments":"{\"city\":"}}]},"finish_reason":null}]}"#,
    r#"{"choices":[{"index":0,"delta":{"tool_calls":[{"index":0,"function":{"arguments":"\"Cluj\"}"}}]},"finish_reason":null}]}"#,
    r#"{"choices":[{"index":0,"delta":{},"finish_reason":"tool_calls"}]}"#,
    r#"{"choices":[],"usage":{"prompt_tokens":3,"completion_tokens":2,"total_tokens":5,"prompt_tokens_details":{"cached_tokens":1}}}"#,
    "[DONE]",
];

#[test]
fn a_call_is_put_together_from_its_deltas() {
    let heard = heard(DELTAS);
    let call = tool_call("call_1", "get_weather", json!({ "city": "Cluj" }));
    let begun =
        ReplyEvent::CallBegun { call_id: call.call_id.clone(), tool_id: "get_weather".into() };
    assert_eq!(heard.events[..2], [begun, ReplyEvent::Call(call)]);
    let reply = heard.reply();
    assert_eq!(reply.ending, FinishReason::Calls);
    let usage = reply.usage;
    assert_eq!((usage.input.total, usage.output.total, usage.total, usage.cached), (3, 2, 5, 1));
}

#[test]
fn words_and_reasoning_are_told_under_each_of_their_names() {
    for name in ["reasoning_content", "reasoning"] {
        let thought = delta(&format!(r#"{{"{name}":"Hm."}}"#));
        let reply = heard(&[&thought, &delta(r#"{"content":"Hi"}"#), &finish("stop")]).reply();
        assert_eq!(reply.parts, [ReplyPart::Reasoning { text: "Hm.".into() }, text("Hi")]);
        assert_eq!(reply.ending, FinishReason::Answered);
    }
}

#[test]
fn calls_side_by_side_are_told_apart_by_index() {
    let events = [
        &delta(
            r#"{"tool_calls":[{"index":0,"id":"a","function":{"name":"one","arguments":""}},{"index":1,"id":"b","function":{"name":"two","arguments":"{"}}]}"#,
        ),
        &delta(
            r#"{"tool_calls":[{"index":1,"function":{"arguments":"}"}},{"index":0,"function":{"arguments":"{\"x\":1}"}}]}"#,
        ),
        "[DONE]",
    ];
    assert_eq!(calls(&events), expected(&[("a", "one", r#"{"x":1}"#), ("b", "two", "{}")]));
}

#[test]
fn whole_calls_without_index_or_id_are_calls_of_their_own() {
    let one = r#"{"function":{"name":"one","arguments":"{}"}}"#;
    let two = r#"{"function":{"name":"two","arguments":{"x":1}}}"#;
    let whole = delta(&format!(r#"{{"tool_calls":[{one},{two}]}}"#));
    let named = expected(&[("c0-0", "one", "{}"), ("c0-1", "two", r#"{"x":1}"#)]);
    assert_eq!(calls(&[&whole, &finish("stop")]), named);
}

#[test]
fn whole_calls_that_share_an_index_are_calls_of_their_own() {
    let same = |ids: [&str; 2]| {
        let call = |id: &str, name: &str| {
            delta(&format!(
                r#"{{"tool_calls":[{{"index":0,{id}"function":{{"name":"{name}","arguments":"{{}}"}}}}]}}"#
            ))
        };
        calls(&[&call(ids[0], "one"), &call(ids[1], "one"), "[DONE]"])
    };
    let given = same([r#""id":"a","#, r#""id":"b","#]);
    assert_eq!(given, expected(&[("a", "one", "{}"), ("b", "one", "{}")]));
    let none = same(["", ""]);
    assert_eq!(none, expected(&[("c0-0", "one", "{}"), ("c0-1", "one", "{}")]));
}

#[test]
fn a_name_that_is_repeated_in_every_delta_is_one_call() {
    let piece = |args: &str| {
        delta(&format!(
            r#"{{"tool_calls":[{{"index":0,"id":"a","function":{{"name":"one","arguments":"{args}"}}}}]}}"#
        ))
    };
    let found = calls(&[&piece("{"), &piece(r#"\"x\":"#), &piece("1}"), "[DONE]"]);
    assert_eq!(found, expected(&[("a", "one", r#"{"x":1}"#)]));
}

#[test]
fn a_server_may_end_without_done_but_not_without_a_reason() {
    let hello = delta(r#"{"content":"Hi"}"#);
    assert_eq!(heard(&[&hello, &finish("stop")]).reply().ending, FinishReason::Answered);
    assert_eq!(heard(&[&hello, "[DONE]"]).reply().ending, FinishReason::Answered);
    assert_eq!(heard(&[&hello]).code(), "cut_short");
    assert_eq!(heard(&[DELTAS[0], DELTAS[1], "[DONE]"]).code(), "cut_short");
    assert_eq!(
        heard(&[&hello, &finish("content_filter")]).reply().ending,
        FinishReason::Refused("content_filter".into())
    );
}

#[test]
fn a_reply_that_was_cut_off_drops_half_a_call_and_keeps_a_whole_one() {
    let half = heard(&[DELTAS[0], DELTAS[1], &finish("length"), "[DONE]"]).reply();
    assert_eq!((half.parts, half.ending, half.original), (Vec::new(), FinishReason::Length, None));
    let whole = heard(&[DELTAS[0], DELTAS[1], DELTAS[2], &finish("length")]).reply();
    assert_eq!((whole.calls().count(), whole.ending), (1, FinishReason::Calls));
}

#[test]
fn a_refusal_is_told_in_its_words() {
    let reply = heard(&[&delta(r#"{"refusal":"I can't."}"#), &finish("stop")]).reply();
    let refused = FinishReason::Refused("refusal".into());
    assert_eq!((reply.parts, reply.ending), (vec![text("I can't.")], refused));
}

#[test]
fn errors_are_found_in_every_form() {
    let check = |event: &str, code: &str, severity| {
        let fault = heard(&[event]).fault.unwrap();
        assert_eq!((fault.code.as_str(), fault.severity), (code, severity), "{fault}");
    };
    check(
        r#"{"error":{"message":"m","type":"server_error","code":null}}"#,
        "server_error",
        Severity::Retry,
    );
    check(
        r#"{"error":{"message":"m","type":"BadRequestError","code":400}}"#,
        "BadRequestError",
        Severity::Fatal,
    );
    check(r#"{"error":"model runner has stopped"}"#, "error", Severity::Retry);
    check("nonsense", "unreadable", Severity::Retry);
    check(
        r#"{"choices":[{"delta":{"tool_calls":[{"index":0,"function":{"arguments":"{}"}}]}}]}"#,
        "unreadable",
        Severity::Retry,
    );
    check(r#"{"choices":{}}"#, "unreadable", Severity::Retry);
}

#[test]
fn a_stream_that_is_cut_off_is_a_fault_wherever_it_is_cut() {
    let stream = data(DELTAS);
    hear_cut_off(NAME, &stream, stream.find("tool_calls\"}").unwrap());
}

fn request(messages: &[ChatMessage]) -> ModelRequest<'_> {
    ModelRequest { instructions: "", declarations: &[], messages, tools: Tools::Offered }
}

#[test]
fn what_a_server_adds_to_a_call_goes_back_and_reasoning_only_where_it_is_wanted() {
    let extra = delta(
        r#"{"reasoning_content":"Hm.","tool_calls":[{"index":0,"function":{"name":"get_weather","arguments":"{oops"},"extra_content":{"google":{"thought_signature":"c2ln"}}}]}"#,
    );
    let reply = heard(&[&extra, &finish("tool_calls"), "[DONE]"]).reply();
    let messages =
        [person("hi"), kept(reply), ChatMessage::Results { answers: vec![sunny("c0-0")] }];
    let sent = of(NAME).body(&ask("m"), &request(&messages))["messages"].take();
    let call = json!({
        "id": "c0-0", "type": "function",
        "function": { "name": "get_weather", "arguments": "{}" },
        "extra_content": { "google": { "thought_signature": "c2ln" } },
    });
    let message = json!({ "role": "assistant", "content": null, "tool_calls": [call] });
    assert_eq!(sent[1], message);
    assert_eq!(sent[2]["tool_call_id"], "c0-0");
    let shown = OpenaiChatOptions {
        reasoning_replay: ReasoningReplay::Shown,
        ..OpenaiChatOptions::default()
    };
    let sent = OpenaiChat(shown).body(&ask("m"), &request(&messages))["messages"].take();
    assert_eq!(sent[1]["reasoning_content"], "Hm.");
}

#[test]
fn settings_change_what_servers_differ_in() {
    let settings = OpenaiChatOptions {
        length_field: LengthField::MaxCompletionTokens,
        usage: UsageChunk::NotAsked,
        last_step: LastStepRule::OmitTools,
        reasoning_replay: ReasoningReplay::Withheld,
    };
    let declarations = [json!({ "type": "function", "name": "t", "parameters": {} })];
    let messages = [person("hi")];
    let request =
        ModelRequest { declarations: &declarations, tools: Tools::Withheld, ..request(&messages) };
    let ask = RequestOptions { model: "m", max_output_tokens: Some(9), reasoning: Reasoning::Low };
    let expected: Value = json!({
        "model": "m", "stream": true, "max_completion_tokens": 9, "reasoning_effort": "low",
        "messages": [{ "role": "user", "content": "hi" }],
    });
    assert_eq!(OpenaiChat(settings).body(&ask, &request), expected);
}
