//! Known digests.

use serde_json::json;

use super::*;

#[test]
fn known_vectors() {
    assert_eq!(
        ContentHash::of_bytes(b"").as_str(),
        "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"
    );
    assert_eq!(ContentHash::of_bytes(b"abc").short(), "ba7816bf");
}

#[test]
fn a_value_hashes_as_its_canonical_text() {
    let value = json!({"b": 1.0, "a": [true]});
    assert_eq!(ContentHash::of_value(&value), ContentHash::of_bytes(br#"{"a":[true],"b":1}"#));
}
