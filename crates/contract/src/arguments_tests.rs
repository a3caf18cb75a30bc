//! Which arguments are accepted, and the messages about refused ones.

use serde_json::{Value, json};

use super::*;

#[track_caller]
fn refused(text: &str, why: &str) {
    let (_, found) = Arguments::parse(text).object().unwrap_err();
    assert!(found.contains(why), "{found}");
}

#[test]
fn an_object_is_read_as_serde_reads_it() {
    let text = r#"{"a":[1,-2,2.5,true,null,"é\n"],"b":{"c":18446744073709551615},"__proto__":{},"constructor":1}"#;
    let expected: Value = serde_json::from_str(text).unwrap();
    assert_eq!(Arguments::parse(text).object(), Ok(expected));
}

#[test]
fn what_is_not_an_object_is_named() {
    refused("[1]", "found an array");
    refused("null", "found null");
    refused("\"{}\"", "found a string");
    refused("7", "found a number");
}

#[test]
fn what_is_not_json_is_said() {
    refused("", "EOF");
    refused("{a:1}", "key must be a string");
    refused("{} {}", "trailing characters");
    refused(r#"{"a":"\ud800"}"#, "hex escape");
    refused(r#"{"a":1e999}"#, "out of range");
}

#[test]
fn a_repeated_key_is_refused_at_any_depth() {
    refused(r#"{"a":1,"a":1}"#, "the key \"a\" twice");
    refused(r#"{"x":[{"a":1,"a":2}]}"#, "the key \"a\" twice");
    refused("{\"a\":1,\"\\u0061\":2}", "the key \"a\" twice");
}

#[test]
fn deep_text_and_deep_values_are_refused_alike() {
    let text = format!("{{\"a\":{}{}}}", "[".repeat(10_000), "]".repeat(10_000));
    refused(&text, "nested at most 64 deep");
    let deep = (0..10_000).fold(json!(1), |inner, _| Value::Array(vec![inner]));
    let object = Value::Object(Map::from_iter([("a".to_owned(), deep)]));
    let (_, found) = Arguments::from(object).object().unwrap_err();
    assert!(found.contains("nested at most 64 deep"), "{found}");
}

#[test]
fn what_is_too_large_is_refused_before_it_is_read() {
    refused(&format!("{{\"a\":\"{}\"}}", "x".repeat(10 << 20)), "at most 1048576 bytes");
    let large = Arguments::from(json!({ "a": "x".repeat(10 << 20) }));
    assert!(large.object().unwrap_err().1.contains("at most 1048576 bytes"));
}

#[test]
fn the_deepest_allowed_value_passes() {
    let nested = |levels| (1..levels).fold(json!({}), |inner, _| json!({ "a": inner }));
    let text = nested(MAX_DEPTH).to_string();
    assert!(Arguments::parse(&text).object().is_ok());
    assert!(Arguments::from(nested(MAX_DEPTH)).object().is_ok());
    refused(&nested(MAX_DEPTH + 1).to_string(), "nested at most 64 deep");
}
