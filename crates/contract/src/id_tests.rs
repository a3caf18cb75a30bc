//! Valid and invalid ids.

use super::*;

#[test]
fn tool_ids_are_lower_snake_case_of_at_most_64() {
    let longest = format!("a{}", "b".repeat(63));
    for good in ["a", "kb_search", "a1_2", longest.as_str()] {
        assert!(ToolId::new(good).is_ok(), "{good}");
    }
    let too_long = format!("a{}", "b".repeat(64));
    for bad in [
        "",
        "1a",
        "_a",
        "Kb",
        "kb-search",
        "kb search",
        "kb.search",
        "kb/../x",
        "ä",
        too_long.as_str(),
    ] {
        assert!(ToolId::new(bad).is_err(), "{bad}");
    }
}

#[test]
fn directories_and_ids_map_onto_each_other() {
    let id = ToolId::from_directory("kb-search").unwrap();
    assert_eq!(id.as_str(), "kb_search");
    assert_eq!(id.directory(), "kb-search");
    assert!(ToolId::from_directory("kb_search").is_err());
    assert!(ToolId::from_directory("..").is_err());
}

#[test]
fn the_error_says_what_was_expected_and_found() {
    let message = ToolId::new("Kb-Search").unwrap_err().to_string();
    assert_eq!(
        message,
        "a tool id must be a lower-case letter, then at most 63 of a-z, 0-9 and _, found \"Kb-Search\""
    );
}

#[test]
fn serde_checks_ids_too() {
    assert!(serde_json::from_str::<ToolId>("\"kb_search\"").is_ok());
    assert!(serde_json::from_str::<ToolId>("\"KB\"").is_err());
    assert!(serde_json::from_str::<CallId>("\"\"").is_err());
    assert!(serde_json::from_str::<ConversationId>("\"a\\nb\"").is_err());
    assert_eq!(serde_json::to_string(&UserId::new("ada").unwrap()).unwrap(), "\"ada\"");
}

#[test]
fn strangers_of_two_conversations_are_two_however_long_and_alike_the_ids() {
    let stranger = |end: &str| {
        let id = ConversationId::new(format!("{}{end}", "c".repeat(255))).unwrap();
        UserId::stranger(&id)
    };
    assert_ne!(stranger("a"), stranger("b"));
    assert_eq!(UserId::new(stranger("a").as_str()), Ok(stranger("a")));
}

#[test]
fn the_ids_of_approved_calls_are_reserved() {
    assert!(CallId::chosen_outside("call-1").is_ok());
    let error = CallId::chosen_outside("confirmed-call-1").unwrap_err().to_string();
    assert!(error.contains("reserved"), "{error}");
    assert!(CallId::new("confirmed-call-1").is_ok());
}
