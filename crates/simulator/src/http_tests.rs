//! The interface between the model and the protocols.

use std::time::Duration;

use axum::body::Bytes;
use axum::http::HeaderMap;
use proptest::prelude::*;
use serde_json::{Map, Value, json};

use super::*;
use crate::anthropic::Anthropic;
use aileron_offline::decide;

use crate::gemini::Gemini;
use crate::openai::{Chat, Responses};
use crate::simulated_model::{ModelAction, Rules};

#[test]
fn text_is_sent_word_by_word_and_nothing_is_lost() {
    for text in ["", " ", "one", "one two", "  two  blanks ", "größer als 1\nzwei", "日本 語"]
    {
        assert_eq!(pieces(text).concat(), text);
        assert_eq!(fragments(text).concat(), text);
        assert!(pieces(text).iter().all(|piece| !piece.is_empty()));
    }
    assert_eq!(pieces("one two three"), ["one", " two", " three"]);
}

#[test]
fn what_stands_behind_calls_waits_for_their_results() {
    let question = samples::question();
    let reply = samples::reply(&question);
    assert_eq!(reply.parts.len(), 4);
    assert_eq!(reply.ending, ReplyEnding::Calls);
    assert_eq!(reply.text(), "Let me see.");
}

#[test]
fn thoughts_are_left_out_unless_they_are_asked_for() {
    let question = ProviderRequest { thoughts: Thoughts::Hidden, ..samples::question() };
    assert_eq!(samples::reply(&question).parts.len(), 3);
}

/// Names that requests are made of.
const NAMES: &[&str] = &[
    "model",
    "messages",
    "contents",
    "input",
    "role",
    "content",
    "parts",
    "text",
    "type",
    "tools",
    "tool_calls",
    "tool_call_id",
    "function",
    "functionCall",
    "functionResponse",
    "functionDeclarations",
    "name",
    "arguments",
    "args",
    "id",
    "call_id",
    "output",
    "parameters",
    "properties",
    "items",
    "max_tokens",
    "system",
    "stream",
    "tool_use_id",
    "response",
    "thoughtSignature",
];

const WORDS: &[&str] = &[
    "user",
    "model",
    "assistant",
    "tool",
    "system",
    "text",
    "tool_use",
    "tool_result",
    "function",
    "function_call",
    "function_call_output",
    "message",
    "object",
    "item_reference",
    "hello",
    "{}",
    "call_1",
    "",
];

fn value() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        6 => prop::sample::select(WORDS).prop_map(Value::from),
        1 => Just(Value::Null),
        1 => any::<bool>().prop_map(Value::from),
        1 => any::<i64>().prop_map(Value::from),
        1 => any::<String>().prop_map(Value::from),
    ];
    leaf.prop_recursive(6, 64, 5, |inner| {
        let fields = prop::collection::btree_map(prop::sample::select(NAMES), inner.clone(), 0..6);
        prop_oneof![
            2 => prop::collection::vec(inner, 0..4).prop_map(Value::from),
            3 => fields.prop_map(|fields| {
                let fields = fields.into_iter().map(|(name, value)| (name.to_owned(), value));
                Value::Object(fields.collect::<Map<_, _>>())
            }),
        ]
    })
}

/// A body with the required fields of every protocol, and random others.
fn body() -> impl Strategy<Value = Value> {
    (value(), value(), any::<bool>()).prop_map(|(history, more, whole)| {
        let fields = json!({ "model": "m", "max_tokens": 1, "messages": history, "contents": history, "input": history });
        let mut body = if whole { fields } else { json!({}) };
        if let (Value::Object(body), Value::Object(more)) = (&mut body, more) {
            body.extend(more);
        }
        body
    })
}

fn handled(dialect: &dyn HttpProtocol, body: &Value) {
    let mut headers = HeaderMap::new();
    for (name, value) in [
        ("authorization", "Bearer k"),
        ("x-goog-api-key", "k"),
        ("anthropic-version", "2023-06-01"),
    ] {
        headers.insert(name, value.parse().unwrap());
    }
    let mut incoming = IncomingRequest::new(headers, Bytes::from(body.to_string()));
    incoming.action = "g:generateContent".to_owned();
    let shared = HttpWorld::with(Arc::new(Rules(decide)), HttpFaults::default(), Duration::ZERO);
    match dialect.read(&incoming, &shared) {
        Err(refusal) => assert!(dialect.refusal(&refusal)["error"]["message"].is_string()),
        Ok(question) => {
            let steps: Vec<ModelAction> = decide(&question.scene);
            let reply = ModelReply::new("stem".to_owned(), &question, steps);
            assert!(!dialect.frames(&question, &reply).is_empty());
            assert!(dialect.whole(&question, &reply).is_object());
            dialect.remember(&question, &reply, &shared);
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, ..ProptestConfig::default() })]

    #[test]
    fn any_body_is_answered_or_refused(body in body()) {
        let dialects: [&dyn HttpProtocol; 4] = [&Gemini, &Chat, &Responses, &Anthropic];
        dialects.into_iter().for_each(|dialect| handled(dialect, &body));
    }
}
