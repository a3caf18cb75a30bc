//! Tests of reading the JSON of a sandbox.

use serde_json::json;

use super::*;

#[test]
fn plain_text_is_read() {
    assert_eq!(read(r#"{"a":[1,"x"]}"#, 100), Ok(json!({ "a": [1, "x"] })));
}

#[test]
fn lone_surrogates_become_replacement_characters() {
    assert_eq!(read(r#""a\ud800b\udfffc""#, 100), Ok(json!("a\u{fffd}b\u{fffd}c")));
}

#[test]
fn an_escaped_backslash_before_ud800_is_left_alone() {
    assert_eq!(read(r#""\\ud800 \n \u0001 \ud800""#, 100), Ok(json!("\\ud800 \n \u{1} \u{fffd}")));
}

#[test]
fn a_private_use_escape_is_left_alone() {
    assert_eq!(read(r#""\ud7ff \ud800""#, 100), Ok(json!("\u{d7ff} \u{fffd}")));
}

#[test]
fn a_long_text_is_refused_before_it_is_read() {
    assert_eq!(read("[1,2,3]", 6), Err(TextFault::TooLong));
}

#[test]
fn a_deep_text_is_refused_by_name() {
    let text = "[".repeat(500) + &"]".repeat(500);
    assert_eq!(read(&text, 10_000), Err(TextFault::Unreadable(TOO_DEEP.into())));
}
