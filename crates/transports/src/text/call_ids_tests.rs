//! Ids that are given, missing, taken or of no use.

use aileron_contract::ToolCall;

use super::*;

fn with(ids: &[&str]) -> CallIds {
    let call = |id: &&str| ReplyPart::Call {
        call: ToolCall {
            call_id: CallId::new(*id).unwrap(),
            tool_id: "t".into(),
            args: Default::default(),
        },
    };
    let parts = ids.iter().map(call).collect();
    CallIds::after(&[
        ChatMessage::Person { text: "hi".into() },
        ChatMessage::Model { parts, original: None },
    ])
}

fn name(names: &mut CallIds, wire: Option<&str>) -> String {
    names.name(wire).unwrap().into()
}

#[test]
fn the_providers_id_is_taken_where_it_can_be() {
    let mut names = with(&["call_1"]);
    assert_eq!(name(&mut names, Some("call_2")), "call_2");
    for wire in [Some("call_2"), Some("call_1"), Some(""), Some("a\nb"), None] {
        assert!(name(&mut names, wire).starts_with("c2-"), "{wire:?}");
    }
    assert!(name(&mut names, Some(&"x".repeat(300))).starts_with("c2-"));
}

#[test]
fn ids_of_ours_are_all_different_and_short() {
    let mut names = with(&["c2-0", "c2-2"]);
    let made: Vec<_> = (0..3).map(|_| name(&mut names, None)).collect();
    assert_eq!(made, ["c2-1", "c2-3", "c2-4"]);
    let mut last = CallIds { message: MESSAGES - 1, made: 127, ..CallIds::default() };
    assert!(name(&mut last, None).len() <= 8);
}
