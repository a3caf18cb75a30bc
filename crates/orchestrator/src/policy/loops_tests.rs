//! What counts as an empty result.

use serde_json::json;

use super::*;

#[test]
fn notes_about_a_search_are_no_result() {
    for empty in [
        json!(null),
        json!(" "),
        json!([]),
        json!({}),
        json!({ "results": [] }),
        json!({ "results": [], "query_time_ms": 3, "ranking": "words", "missing": [] }),
    ] {
        assert!(is_empty(&empty), "{empty}");
    }
    for full in [
        json!(0),
        json!({ "results": [1] }),
        json!({ "results": [], "missing": [{ "id": "doc:none" }] }),
        json!({ "results": [], "by_type": { "doc": 4 } }),
        json!({ "query_time_ms": 3 }),
    ] {
        assert!(!is_empty(&full), "{full}");
    }
}
