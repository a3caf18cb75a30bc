//! Whatever a conversation went through, each provider is sent what it accepts.

use aileron_contract::text::{
    ChatMessage, ModelRequest, ProviderMessage, ReplyPart, ToolResultMessage, Tools,
};
use aileron_contract::{Arguments, CallId, ToolCall};
use proptest::prelude::*;
use serde_json::{Value, json};

use super::rules;
use crate::text::TextProvider;
use crate::text::call_ids::CallIds;
use crate::text::decode::ReplyDecoder;
use crate::text::options::{ByteLimits, Reasoning};
use crate::text::protocol::RequestOptions;
use crate::text::samples::{answer, data, named, of, waiting};

/// A message before it is known which provider wrote it.
#[derive(Debug, Clone)]
#[expect(clippy::large_enum_variant, reason = "few are made, and boxes would hide them")]
enum Step {
    Message(ChatMessage),
    /// A reply that the provider itself gives at this point, of these parts.
    Reply(Vec<ReplyPart>),
}

fn words() -> impl Strategy<Value = String> {
    prop_oneof![Just(""), Just(" \n"), Just("Hello."), Just("ž 🐎")].prop_map(str::to_owned)
}

fn call_id() -> impl Strategy<Value = CallId> {
    let ids = prop_oneof![Just("c-1"), Just("c-2"), Just("call_123456789"), Just("a b/č")];
    ids.prop_map(|id| CallId::new(id).unwrap())
}

fn call() -> impl Strategy<Value = ToolCall> {
    let names = prop_oneof![
        Just("get_weather".to_owned()),
        Just("wéird name".to_owned()),
        Just(String::new()),
        Just("9x".to_owned()),
        Just("x".repeat(100)),
    ];
    let args = prop_oneof![
        Just(Arguments::default()),
        Just(Arguments::Value(json!({ "city": "Cluj" }))),
        Just(Arguments::Value(json!([1]))),
        Just(Arguments::Unreadable("no JSON".into())),
    ];
    (call_id(), names, args).prop_map(|(call_id, tool_id, args)| ToolCall {
        call_id,
        tool_id,
        args,
    })
}

pub(super) fn part() -> impl Strategy<Value = ReplyPart> {
    prop_oneof![
        words().prop_map(|text| ReplyPart::Text { text }),
        words().prop_map(|text| ReplyPart::Reasoning { text }),
        call().prop_map(|call| ReplyPart::Call { call }),
    ]
}

fn answered() -> impl Strategy<Value = ToolResultMessage> {
    (call_id(), any::<bool>()).prop_map(|(id, fine)| {
        if fine { answer(id.as_str(), json!({})) } else { waiting(id.as_str()) }
    })
}

/// Originals of another provider, and ones of the provider's name that are damaged.
fn original() -> impl Strategy<Value = Option<ProviderMessage>> {
    let damaged = |by, contents: Vec<Value>| {
        prop::sample::select(contents).prop_map(move |content| (by, content))
    };
    let foreign = json!({ "anything": 1 });
    let call = json!({ "role": "model", "parts": [{ "functionCall": {} }] });
    let unsealed = json!([{ "type": "reasoning", "id": "rs_1" }]);
    let nameless = json!([{ "type": "function_call", "name": "t" }]);
    let silent = json!({ "role": "assistant", "content": "" });
    let thoughts = json!([{ "type": "thinking", "thinking": "Hm." }]);
    let original = prop_oneof![
        damaged("offline", vec![foreign]),
        damaged("gemini", vec![json!(null), json!({ "parts": [] }), call]),
        damaged("openai", vec![json!(null), json!([]), unsealed, nameless]),
        damaged("openai_chat", vec![json!(null), silent]),
        damaged("anthropic", vec![json!(null), json!([]), thoughts]),
    ];
    let original = original.prop_map(|(by, content)| ProviderMessage::new(by, content));
    prop::option::of(original)
}

fn step() -> impl Strategy<Value = Step> {
    let parts = || prop::collection::vec(part(), 0..4);
    let results = prop::collection::vec(answered(), 0..4)
        .prop_map(|answers| ChatMessage::Results { answers });
    prop_oneof![
        words().prop_map(|text| Step::Message(ChatMessage::Person { text })),
        (parts(), original())
            .prop_map(|(parts, original)| Step::Message(ChatMessage::Model { parts, original })),
        results.prop_map(Step::Message),
        answered().prop_map(|answer| Step::Message(ChatMessage::Late { answer })),
        parts().prop_map(Step::Reply),
    ]
}

/// The stream of a provider that says these parts. `at` makes its ids differ from those of others.
pub(super) fn stream(name: &str, at: usize, parts: &[ReplyPart]) -> String {
    match name {
        "gemini" => gemini(at, parts),
        "openai" => openai(at, parts),
        "openai_chat" => chat(parts),
        _ => anthropic(at, parts),
    }
}

/// The reply of a provider that says these parts, read by its own decoder.
fn reply(
    name: &str,
    at: usize,
    parts: &[ReplyPart],
    before: &[ChatMessage],
) -> Option<ChatMessage> {
    let stream = stream(name, at, parts);
    let mut intake =
        ReplyDecoder::new(of(name).decoder(CallIds::after(before)), ByteLimits::default());
    let mut ready = Default::default();
    let progress = intake.take(stream.as_bytes(), &mut ready);
    if progress == Ok(crate::text::protocol::DecodeStatus::More) {
        intake.end(&mut ready).unwrap();
    }
    match ready.pop_back()? {
        aileron_contract::text::ReplyEvent::Done(reply) => {
            Some(ChatMessage::Model { parts: reply.parts, original: reply.original })
        }
        _ => None,
    }
}

/// The calls of a provider have names and arguments that it knows.
fn own(call: &ToolCall) -> Value {
    match call.args.clone().into_value() {
        args @ Value::Object(_) => args,
        _ => json!({}),
    }
}

fn gemini(at: usize, parts: &[ReplyPart]) -> String {
    let mut signed = false;
    let parts: Vec<_> = parts
        .iter()
        .enumerate()
        .map(|(place, part)| match part {
            ReplyPart::Text { text } => json!({ "text": text }),
            ReplyPart::Reasoning { text } => json!({ "text": text, "thought": true }),
            ReplyPart::Call { call } => {
                let mut call =
                    json!({ "functionCall": { "name": "get_weather", "args": own(call) } });
                if place % 2 == 0 {
                    call["functionCall"]["id"] = format!("g_{at}_{place}").into();
                }
                if !std::mem::replace(&mut signed, true) {
                    call["thoughtSignature"] = "c2ln".into();
                }
                call
            }
        })
        .collect();
    let content = json!({ "role": "model", "parts": parts });
    data(&[&json!({ "candidates": [{ "content": content, "finishReason": "STOP" }] }).to_string()])
}

fn openai(at: usize, parts: &[ReplyPart]) -> String {
    let items = parts.iter().enumerate().map(|(place, part)| match part {
        ReplyPart::Text { text } => json!({
            "type": "message", "role": "assistant",
            "content": [{ "type": "output_text", "text": text }],
        }),
        ReplyPart::Reasoning { text } if text.is_empty() => {
            json!({ "type": "reasoning", "id": "rs" })
        }
        ReplyPart::Reasoning { .. } => json!({ "type": "reasoning", "encrypted_content": "s" }),
        ReplyPart::Call { call } => json!({
            "type": "function_call", "call_id": format!("o_{at}_{place}"), "name": "get_weather",
            "arguments": own(call).to_string(),
        }),
    });
    let output: Vec<_> = items.collect();
    let event = json!({ "type": "response.completed", "response": { "output": output } });
    named(&[&event.to_string()])
}

fn chat(parts: &[ReplyPart]) -> String {
    let deltas = parts.iter().map(|part| match part {
        ReplyPart::Text { text } => json!({ "content": text }),
        ReplyPart::Reasoning { text } => json!({ "reasoning_content": text }),
        // The same id every time, as careless servers give it.
        ReplyPart::Call { call } => json!({ "tool_calls": [{
            "id": "call", "function": { "name": "get_weather", "arguments": own(call).to_string() },
        }]}),
    });
    let chunks = deltas.map(|delta| json!({ "choices": [{ "delta": delta }] }).to_string());
    let mut chunks: Vec<_> = chunks.collect();
    chunks.push("[DONE]".into());
    data(&chunks.iter().map(String::as_str).collect::<Vec<_>>())
}

fn anthropic(at: usize, parts: &[ReplyPart]) -> String {
    let mut events = Vec::new();
    for (index, part) in parts.iter().enumerate() {
        let block = match part {
            ReplyPart::Text { text } => json!({ "type": "text", "text": text }),
            ReplyPart::Reasoning { text } => {
                json!({ "type": "thinking", "thinking": text, "signature": "c2ln" })
            }
            ReplyPart::Call { call } => json!({
                "type": "tool_use", "id": format!("toolu_{at}_{index}"), "name": "get_weather",
                "input": own(call),
            }),
        };
        events
            .push(json!({ "type": "content_block_start", "index": index, "content_block": block }));
        events.push(json!({ "type": "content_block_stop", "index": index }));
    }
    events.push(json!({ "type": "message_delta", "delta": { "stop_reason": "end_turn" } }));
    events.push(json!({ "type": "message_stop" }));
    let events: Vec<_> = events.iter().map(ToString::to_string).collect();
    named(&events.iter().map(String::as_str).collect::<Vec<_>>())
}

/// The messages of a conversation in which a provider's own replies are its own. Half of their
/// answers follow at once, as they do when nothing goes wrong.
fn messages(name: &str, steps: &[Step]) -> Vec<ChatMessage> {
    let mut messages = Vec::new();
    for (at, step) in steps.iter().enumerate() {
        match step {
            Step::Message(message) => messages.push(message.clone()),
            Step::Reply(parts) => messages.extend(reply(name, at, parts, &messages)),
        }
        if let Some(ChatMessage::Model { parts, .. }) = messages.last()
            && at % 2 == 0
        {
            let calls = parts.iter().filter_map(|part| match part {
                ReplyPart::Call { call } => Some(answer(call.call_id.as_str(), json!([1]))),
                _ => None,
            });
            let answers: Vec<_> = calls.collect();
            if !answers.is_empty() {
                messages.push(ChatMessage::Results { answers });
            }
        }
    }
    messages
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]
    #[test]
    fn every_history_is_a_request_that_the_provider_accepts(
        steps in prop::collection::vec(step(), 0..8),
        declared in any::<bool>(),
        withheld in any::<bool>(),
    ) {
        let declarations = [json!({ "name": "get_weather" })];
        let declarations = if declared { declarations.as_slice() } else { &[] };
        let tools = if withheld { Tools::Withheld } else { Tools::Offered };
        for name in TextProvider::NAMES {
            let messages = messages(name, &steps);
            let request = ModelRequest { instructions: "i", declarations, messages: &messages, tools };
            let ask = RequestOptions { model: "m", max_output_tokens: None, reasoning: Reasoning::High };
            let body = of(name).body(&ask, &request);
            let checked = rules::check(name, &body);
            prop_assert!(checked.is_ok(), "{name}: {}\n{body:#}\n{messages:#?}", checked.unwrap_err());
        }
    }
}

#[test]
fn a_history_of_ten_thousand_messages_is_a_request() {
    let turn = |at: usize| {
        let id = format!("call_abc_{at}");
        let call = ToolCall {
            call_id: CallId::new(id.as_str()).unwrap(),
            tool_id: "get_weather".into(),
            args: Arguments::default(),
        };
        let said = |part| ChatMessage::Model { parts: vec![part], original: None };
        [
            ChatMessage::Person { text: "hi".into() },
            said(ReplyPart::Call { call }),
            ChatMessage::Results { answers: vec![answer(&id, json!({ "at": at }))] },
            said(ReplyPart::Text { text: "Done.".into() }),
        ]
    };
    let messages: Vec<_> = (0..2500).flat_map(turn).collect();
    for name in TextProvider::NAMES {
        let request = ModelRequest {
            instructions: "i",
            declarations: &[],
            messages: &messages,
            tools: Tools::Offered,
        };
        let ask =
            RequestOptions { model: "m", max_output_tokens: None, reasoning: Reasoning::High };
        assert_eq!(rules::check(name, &of(name).body(&ask, &request)), Ok(()), "{name}");
    }
}
