//! What is said, and when.

use super::*;

fn id(id: &str) -> CallId {
    CallId::new(id).unwrap()
}

fn speech(preamble: Option<&str>, filler: Option<&str>, after: Option<u64>) -> Speech {
    Speech {
        preamble: preamble.map(str::to_owned),
        filler: filler.map(str::to_owned),
        filler_after_ms: after,
    }
}

#[test]
fn a_preamble_is_said_at_once_and_a_filler_after_its_time() {
    let mut fillers = Fillers::default();
    let speech = speech(Some("Let me see."), Some("One moment."), Some(300));
    assert_eq!(fillers.started(&id("a"), &speech, 1000), Some("Let me see.".into()));
    assert_eq!((fillers.due(), fillers.on_time(1299)), (Some(1300), None));
    assert_eq!(fillers.on_time(1300), Some("One moment.".into()));
    assert_eq!((fillers.due(), fillers.on_time(9999)), (None, None));
}

#[test]
fn a_call_that_was_quick_has_no_filler() {
    let mut fillers = Fillers::default();
    assert_eq!(fillers.started(&id("a"), &speech(None, Some("One moment."), None), 0), None);
    assert_eq!(fillers.due(), Some(FILLER_AFTER_MS));
    fillers.answered(&id("a"));
    assert_eq!((fillers.due(), fillers.on_time(9999)), (None, None));
}

#[test]
fn of_several_fillers_that_are_due_one_is_said() {
    let mut fillers = Fillers::default();
    fillers.started(&id("a"), &speech(None, Some("One."), None), 0);
    fillers.started(&id("b"), &speech(None, Some("Two."), None), 0);
    assert_eq!((fillers.on_time(1000), fillers.on_time(1000)), (Some("One.".into()), None));
}

#[test]
fn a_tool_without_words_is_silent() {
    let mut fillers = Fillers::default();
    assert_eq!(fillers.started(&id("a"), &Speech::default(), 0), None);
    assert_eq!(fillers.due(), None);
}
