//! Values are shown as JSON and cut by characters, never by bytes.

use serde_json::json;

use super::*;

#[track_caller]
fn check(value: Value) {
    let whole = value.to_string();
    let cut = match whole.char_indices().nth(SHOWN_CHARS) {
        Some((end, _)) => format!("{}…", &whole[..end]),
        None => whole,
    };
    let mut message = String::new();
    FoundValue::Value.push_message(&mut message, "found ", &value);
    assert_eq!(message, format!("found {cut}"));
}

#[test]
fn values_are_shown_as_json() {
    for value in [
        json!(null),
        json!(true),
        json!(-1.5),
        json!(-1),
        json!(0),
        json!(u64::MAX),
        json!({"a": [1, "é"]}),
        json!("plain"),
    ] {
        check(value);
    }
    for text in ["", "\"", "\\", "\n", "\u{7f}", "\u{1f600}", "tab\there"] {
        check(json!(text));
    }
}

#[test]
fn long_values_are_cut_by_characters() {
    for length in 56..=62 {
        check(json!("x".repeat(length)));
        check(json!("é".repeat(length)));
        check(json!(["\"".repeat(length / 2)]));
    }
    check(json!((0..1_000).collect::<Vec<_>>()));
}
