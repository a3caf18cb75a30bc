//! Frames as a hostile or broken server might send them.

use proptest::collection::{btree_map, vec};
use proptest::prelude::*;
use proptest::sample::{Index, select};
use serde_json::Value;

/// Any JSON, with the names and values of live protocols among its own.
pub(crate) fn any_json() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        any::<f64>().prop_map(Value::from),
        word().prop_map(Value::from),
    ];
    leaf.prop_recursive(5, 48, 6, |inner| {
        prop_oneof![
            vec(inner.clone(), 0..5).prop_map(Value::from),
            btree_map(word(), inner, 0..6).prop_map(|map| Value::Object(map.into_iter().collect())),
        ]
    })
}

const WORDS: &[&str] = &[
    "serverContent",
    "modelTurn",
    "parts",
    "inlineData",
    "mimeType",
    "audio/pcm",
    "data",
    "toolCall",
    "functionCalls",
    "id",
    "name",
    "args",
    "ids",
    "toolCallCancellation",
    "usageMetadata",
    "goAway",
    "timeLeft",
    "text",
    "type",
    "error",
    "response",
    "response.done",
    "response.created",
    "item",
    "item_id",
    "delta",
    "response.output_audio.delta",
    "response.output_item.done",
    "function_call",
    "call_id",
    "arguments",
    "status",
    "completed",
    "output",
    "usage",
    "rate_limits",
    "session",
    "session.updated",
    "rate_limits.updated",
    "event_id",
    "transcript",
    "conversation.item.added",
];

fn word() -> impl Strategy<Value = String> {
    prop_oneof![select(WORDS).prop_map(str::to_owned), ".{0,12}", "[A-Za-z0-9+/]{0,8}={0,2}"]
}

/// A good frame, or bytes that are none.
pub(crate) fn whole(frames: &'static [&'static str]) -> impl Strategy<Value = Vec<u8>> {
    prop_oneof![
        9 => select(frames).prop_map(|frame| frame.as_bytes().to_vec()),
        1 => vec(any::<u8>(), 0..80),
    ]
}

/// A good frame with some of it changed: bytes, or one value for any other.
pub(crate) fn damaged(frames: &'static [&'static str]) -> impl Strategy<Value = Vec<u8>> {
    prop_oneof![
        (select(frames), vec((any::<Index>(), any::<u8>()), 0..4), any::<Index>()).prop_map(bytes),
        (select(frames), any::<Index>(), any_json()).prop_map(value),
        select(frames).prop_map(|frame| frame.as_bytes().to_vec()),
    ]
}

fn bytes((frame, changes, end): (&str, Vec<(Index, u8)>, Index)) -> Vec<u8> {
    let mut bytes = frame.as_bytes().to_vec();
    for (at, byte) in changes {
        let at = at.index(bytes.len());
        bytes[at] = byte;
    }
    if end.index(3) == 0 {
        bytes.truncate(end.index(bytes.len()));
    }
    bytes
}

fn value((frame, at, other): (&str, Index, Value)) -> Vec<u8> {
    let mut json: Value = serde_json::from_str(frame).unwrap();
    let pointers = pointers(&json, String::new());
    let pointer = &pointers[at.index(pointers.len())];
    *json.pointer_mut(pointer).unwrap() = other;
    json.to_string().into_bytes()
}

/// Where every value is.
fn pointers(value: &Value, at: String) -> Vec<String> {
    let below: Vec<String> = match value {
        Value::Object(map) => {
            map.iter().flat_map(|(key, value)| pointers(value, format!("{at}/{key}"))).collect()
        }
        Value::Array(list) => list
            .iter()
            .enumerate()
            .flat_map(|(n, value)| pointers(value, format!("{at}/{n}")))
            .collect(),
        _ => Vec::new(),
    };
    [vec![at], below].concat()
}
