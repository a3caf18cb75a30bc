//! When a message without its intent is reported.

use aileron_contract::{ErrorType, Intent};
use serde_json::json;

use super::*;
use crate::{ToolError, success};

fn after(messages: &[&str], result: &ToolResult) -> Vec<String> {
    let announcements = Announcements::default();
    messages.iter().for_each(|message| announcements.note(message));
    announcements.warnings(result)
}

fn with(intents: Vec<Intent>) -> ToolResult {
    Ok(Success { data: json!({}), intents })
}

#[test]
fn a_timeout_without_a_block_is_reported_once() {
    let expected = "the message `timeout` was sent, but the handler returned no `BLOCK_USER` intent, so the person is not blocked";
    assert_eq!(after(&["timeout", "timeout"], &with(Vec::new())), [expected]);
    let failed = Err(ToolError::new(ErrorType::Permanent, "no"));
    assert_eq!(after(&["timeout"], &failed), [expected]);
}

#[test]
fn a_message_with_its_intent_and_any_other_message_are_not_reported() {
    assert_eq!(after(&["timeout"], &with(vec![Intent::BlockUser { until: 1 }])), [""; 0]);
    assert_eq!(after(&["startVoiceSession"], &with(vec![Intent::StartVoiceSession])), [""; 0]);
    assert_eq!(after(&["image", ""], &with(Vec::new())), [""; 0]);
}

#[test]
fn a_request_for_voice_in_a_message_or_in_data_is_reported() {
    let told = after(&["start_voice_session"], &with(Vec::new()));
    assert!(
        told[0].ends_with("`START_VOICE_SESSION` intent, so no voice session begins"),
        "{told:?}"
    );
    let told = after(&[], &success(json!({ "action": "start_voice" })));
    assert_eq!(told.len(), 1);
    assert!(told[0].starts_with("`data` asks for `start_voice`, but"), "{told:?}");
    assert_eq!(after(&[], &success(json!({ "type": "timeout" }))), [""; 0]);
}

#[test]
fn only_values_of_meta_that_are_lost_are_reported() {
    assert_eq!(dropped_meta(&json!({ "toolId": "t", "duration": 3 })), None);
    assert_eq!(dropped_meta(&json!(null)), None);
    let told = dropped_meta(&json!({ "source": "crm", "toolId": "t" }));
    assert_eq!(told.as_deref(), Some(META_DROPPED));
}
