//! Calls are put together from any of the events that tell of them.

use super::*;

fn item(json: &str) -> Item<'_> {
    serde_json::from_str(json).unwrap()
}

fn arguments(json: &str) -> CallArguments<'_> {
    serde_json::from_str(json).unwrap()
}

fn finished(drafts: &mut Drafts) -> Vec<String> {
    let calls = drafts.finish();
    calls
        .into_iter()
        .map(|call| format!("{} {}({})", call.call_id, call.name, call.arguments))
        .collect()
}

#[test]
fn pieces_of_several_calls_are_put_together_by_item() {
    let mut drafts = Drafts::default();
    drafts.begun(&item(r#"{"id":"a","type":"function_call","status":"in_progress","call_id":"c1","name":"f","arguments":""}"#));
    drafts.begun(&item(
        r#"{"id":"b","type":"function_call","status":"in_progress","call_id":"c2","name":"g"}"#,
    ));
    drafts.more(&arguments(r#"{"item_id":"a","call_id":"c1","delta":"{\"x\""}"#));
    drafts.more(&arguments(r#"{"item_id":"b","delta":"{"}"#));
    drafts.more(&arguments(r#"{"item_id":"a","delta":":1}"}"#));
    drafts.more(&arguments(r#"{"item_id":"b","delta":"}"}"#));
    for id in ["a", "b"] {
        drafts.done(&item(&format!(
            r#"{{"id":"{id}","type":"function_call","status":"completed"}}"#
        )));
    }
    assert_eq!(finished(&mut drafts), [r#"c1 f({"x":1})"#, "c2 g({})"]);
    assert_eq!(finished(&mut drafts), [""; 0]);
}

#[test]
fn the_finished_text_counts_and_not_its_pieces() {
    let mut drafts = Drafts::default();
    drafts.more(&arguments(r#"{"item_id":"a","call_id":"c1","delta":"{\"x\":"}"#));
    drafts.all(&arguments(r#"{"item_id":"a","call_id":"c1","name":"f","arguments":"{\"x\":2}"}"#));
    assert_eq!(finished(&mut drafts), [r#"c1 f({"x":2})"#]);
}

#[test]
fn a_call_that_is_told_of_only_at_the_end_is_known() {
    let mut drafts = Drafts::default();
    drafts.done(&item(r#"{"id":"a","type":"function_call","status":"completed","call_id":"c1","name":"f","arguments":"{}"}"#));
    drafts.done(&item(r#"{"id":"m","type":"message","status":"completed"}"#));
    assert_eq!(finished(&mut drafts), ["c1 f({})"]);
}

#[test]
fn a_finished_call_without_a_status_is_a_call() {
    let mut drafts = Drafts::default();
    let call = r#"{"id":"a","type":"function_call","call_id":"c1","name":"f","arguments":"{}"}"#;
    drafts.begun(&item(call));
    assert_eq!(finished(&mut drafts), [""; 0]);
    drafts.done(&item(call));
    assert_eq!(finished(&mut drafts), ["c1 f({})"]);
}

#[test]
fn what_was_not_finished_is_no_call() {
    let mut drafts = Drafts::default();
    drafts.more(&arguments(r#"{"item_id":"a","call_id":"c1","name":"f","delta":"{\"x"}"#));
    drafts.all(&arguments(r#"{"item_id":"b","call_id":"c2","name":"g","arguments":"{}"}"#));
    drafts.done(&item(r#"{"id":"b","type":"function_call","status":"incomplete"}"#));
    assert_eq!(finished(&mut drafts), [""; 0]);
}

#[test]
fn a_flood_is_bounded() {
    let mut drafts = Drafts::default();
    for n in 0..1_000 {
        drafts.more(&arguments(&format!(r#"{{"item_id":"i{n}","delta":"x"}}"#)));
    }
    assert_eq!(drafts.calls.len(), MAX_CALLS);
    let piece = format!(r#"{{"item_id":"i0","delta":"{}"}}"#, "x".repeat(100_000));
    for _ in 0..40 {
        drafts.more(&arguments(&piece));
    }
    assert!(drafts.calls[0].arguments.len() < MAX_BYTES + 100_000);
}
