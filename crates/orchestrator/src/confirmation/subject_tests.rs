//! Which arguments name a draft.

use serde_json::json;

use super::{Subject, of_arguments};

#[test]
fn an_argument_names_a_draft_by_a_whole_word() {
    for name in ["draft", "draft_id", "event_draft_id", "eventDraftId", "proposal-id"] {
        let named = of_arguments(&json!({ name: "d1", "note": "x" }));
        assert!(matches!(named, Some(Subject::Argument(_))), "{name}");
    }
    for name in ["id", "thread_id", "aircraft", "draftsman", "overdraft_limit"] {
        assert_eq!(of_arguments(&json!({ name: "d1" })), None, "{name}");
    }
    assert_eq!(of_arguments(&json!({ "draft": { "title": "x" } })), None);
}

#[test]
fn another_draft_is_another_subject() {
    let of = |id: &str, note: &str| of_arguments(&json!({ "draft_id": id, "note": note }));
    assert_eq!(of("d1", "a"), of("d1", "b"));
    assert_ne!(of("d1", "a"), of("d2", "a"));
}
