//! Words and calls as they come, and what is left of them at the end.

use serde_json::json;

use super::*;

fn draft() -> (ReplyBuilder, Vec<ReplyEvent>) {
    (ReplyBuilder::new(CallIds::default()), Vec::new())
}

fn reply(
    draft: &mut ReplyBuilder,
    ending: FinishReason,
    out: &mut Vec<ReplyEvent>,
) -> CompletedReply {
    let ending = draft.settle(ending, out);
    match draft.done(None, ending, Usage::default()) {
        ReplyEvent::Done(reply) => reply,
        other => panic!("expected the end, found {other:?}"),
    }
}

fn call(id: &str, args: Arguments) -> ToolCall {
    ToolCall { call_id: CallId::new(id).unwrap(), tool_id: "t".into(), args }
}

#[test]
fn words_are_told_at_once_and_kept_together() {
    let (mut draft, mut out) = draft();
    draft.reasoning("Hm", &mut out);
    draft.reasoning("m.", &mut out);
    draft.text("", &mut out);
    draft.text("Hel", &mut out);
    draft.text("lo.", &mut out);
    assert_eq!(
        out,
        [
            ReplyEvent::Reasoning("Hm".into()),
            ReplyEvent::Reasoning("m.".into()),
            ReplyEvent::Text("Hel".into()),
            ReplyEvent::Text("lo.".into())
        ]
    );
    let reply = reply(&mut draft, FinishReason::Answered, &mut out);
    let parts =
        [ReplyPart::Reasoning { text: "Hmm.".into() }, ReplyPart::Text { text: "Hello.".into() }];
    assert_eq!((reply.parts.as_slice(), reply.ending), (parts.as_slice(), FinishReason::Answered));
}

#[test]
fn a_call_is_told_once_when_it_is_whole() {
    let (mut draft, mut out) = draft();
    let at = draft.begin(Some("call_abc"), "t", &mut out).unwrap();
    draft.write(at, r#"{"a":"#);
    draft.write(at, "1}");
    draft.complete(at, &mut out);
    draft.complete(at, &mut out);
    let whole = call("call_abc", json!({ "a": 1 }).into());
    assert_eq!(out.split_off(1), [ReplyEvent::Call(whole.clone())]);
    let reply = reply(&mut draft, FinishReason::Answered, &mut out);
    assert_eq!(
        (reply.parts, reply.ending),
        (vec![ReplyPart::Call { call: whole }], FinishReason::Calls)
    );
    assert_eq!(out.len(), 1);
}

#[test]
fn nothing_written_is_an_empty_object() {
    let (mut draft, mut out) = draft();
    let at = draft.begin(None, "t", &mut out).unwrap();
    draft.write(at, " ");
    draft.complete(at, &mut out);
    assert_eq!(out.pop(), Some(ReplyEvent::Call(call("c0-0", json!({}).into()))));
}

#[test]
fn arguments_that_cannot_be_read_are_the_gates_to_answer_unless_they_were_cut_off() {
    let half = |ending| {
        let (mut draft, mut out) = draft();
        let at = draft.begin(Some("call_abc"), "t", &mut out).unwrap();
        draft.write(at, r#"{"a":"#);
        draft.complete(at, &mut out);
        assert_eq!(out.len(), 1, "only that it has begun");
        let reply = reply(&mut draft, ending, &mut out);
        (out.len(), reply.calls().count(), reply.ending)
    };
    assert_eq!(half(FinishReason::Answered), (2, 1, FinishReason::Calls));
    assert_eq!(half(FinishReason::Length), (1, 0, FinishReason::Length));
}

#[test]
fn a_reply_that_was_cut_off_after_whole_calls_has_those() {
    let (mut draft, mut out) = draft();
    let whole = draft.begin(Some("call_one"), "t", &mut out).unwrap();
    draft.complete(whole, &mut out);
    let open = draft.begin(Some("call_two"), "t", &mut out).unwrap();
    let reply = reply(&mut draft, FinishReason::Length, &mut out);
    assert_eq!((reply.calls().count(), reply.ending), (1, FinishReason::Calls));
    assert_eq!((draft.is_kept(whole), draft.is_kept(open)), (true, false));
}

#[test]
fn nothing_is_to_be_done_of_a_reply_that_was_withheld() {
    let (mut draft, mut out) = draft();
    let at = draft.begin(None, "t", &mut out).unwrap();
    draft.complete(at, &mut out);
    let refused = FinishReason::Refused("safety".into());
    let reply = reply(&mut draft, refused.clone(), &mut out);
    assert_eq!((reply.parts, reply.ending), (Vec::new(), refused));
}

#[test]
fn calls_and_arguments_without_end_are_bounded() {
    let (mut draft, mut out) = draft();
    let at = draft.begin(None, "t", &mut out).unwrap();
    for _ in 0..64 {
        draft.write(at, &"x".repeat(MAX_BYTES / 16));
    }
    assert!(draft.written(at).len() <= MAX_BYTES + MAX_BYTES / 16);
    for _ in 1..MAX_CALLS {
        draft.begin(None, "t", &mut out).unwrap();
    }
    assert_eq!(draft.begin(None, "t", &mut out).unwrap_err().code, "unreadable");
}
