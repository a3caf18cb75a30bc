//! Which tags and metadata are searched.

use serde_json::json;

use super::*;
use crate::search::fixture::record;

fn with(tags: &[&str], metadata: Value) -> Record {
    let tags = tags.iter().map(|tag| (*tag).to_owned()).collect();
    let metadata = metadata.as_object().cloned().unwrap();
    Record { tags, metadata, ..record("a", "", "") }
}

#[test]
fn names_and_values_are_searched_wherever_they_are() {
    let metadata = json!({
        "role": "lighting lead", "floor": 3, "former": null, "remote": true, "retired": false,
        "contact": { "languages": ["Finnish", "German"] },
    });
    let mut found = texts(&with(&["team", "Night Shift"], metadata));
    found.sort();
    let expected = [
        "3",
        "Finnish",
        "German",
        "Night Shift",
        "contact",
        "floor",
        "languages",
        "lighting lead",
        "remote",
        "role",
        "team",
    ];
    assert_eq!(found, expected);
}

#[test]
fn much_metadata_is_searched_as_far_as_the_limit() {
    let metadata = json!({ "a": "x".repeat(MOST_CHARS), "b": "late" });
    assert_eq!(texts(&with(&["tag"], metadata)), ["tag", "a", &"x".repeat(MOST_CHARS)]);
}
