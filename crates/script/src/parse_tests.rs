//! Valid lines, and the messages about invalid ones.

use aileron_contract::{CallId, Mode};
use serde_json::json;

use super::*;
use crate::script::{ConfirmationRef, ScriptCall, ScriptClaim};

const FRONT: &str = "---\nmode: voice\ncovers: policy budgets, row mode\n---\n";

fn steps(lines: &str) -> Result<Vec<ScriptStep>, ParseError> {
    let text = format!("{FRONT}Prose, and\n```json\n{{}}\n```\n```script\n{lines}\n```\n");
    parse("test", &text).map(|script| script.steps)
}

fn what(line: &str) -> StepKind {
    steps(line).unwrap().remove(0).what
}

fn check_unreadable(line: &str, why: &str) {
    let found = steps(line).unwrap_err();
    assert_eq!(found.line, 10, "{found:?}");
    assert!(found.why.contains(why), "{found:?}");
}

fn id(text: &str) -> CallId {
    CallId::new(text).unwrap()
}

#[test]
fn the_front_says_who_talks_and_what_is_claimed() {
    let script = parse("test", FRONT).unwrap();
    assert_eq!(script.mode, Mode::Voice);
    assert_eq!(script.person.id.unwrap().as_str(), "ada");
    assert_eq!(
        script.covers,
        [ScriptClaim::Policy("budgets".into()), ScriptClaim::Row("mode".into())]
    );
    assert_eq!(parse("test", "# No front").unwrap_err().line, 1);
    assert_eq!(parse("test", "---\nmood: bad\n---").unwrap_err().line, 2);
}

#[test]
fn calls_of_one_message_are_one_step_with_their_answers() {
    let lines = "model calls call-1 echo {\"n\": 1}\n  -> ok {\"n\": 1}\nand call-2 echo\n  -> AUTH by permission says \"no\"\n# remark";
    let found = steps(lines).unwrap();
    let call =
        |name, args: &str| ScriptCall { id: id(name), tool: "echo".into(), args: args.into() };
    assert_eq!(found.len(), 1);
    assert_eq!(
        found[0].what,
        StepKind::Calls(vec![call("call-1", "{\"n\": 1}"), call("call-2", "{}")])
    );
    let [first, second] = &found[0].expected[..] else { panic!("{found:?}") };
    assert_eq!((first.line, first.part.clone()), (11, Some(json!({ "n": 1 }))));
    assert_eq!((second.by.as_deref(), &second.says[..]), (Some("permission"), &["no".into()][..]));
}

#[test]
fn an_answer_may_be_a_replay_with_meta() {
    let found = steps("model gets\n-> ok again meta {\"attempts\": 3}").unwrap();
    let expected = &found[0].expected[0];
    assert!(expected.again);
    assert_eq!(expected.meta, Some(json!({ "attempts": 3 })));
}

#[test]
fn steps_are_sentences() {
    let said = |ms| StepKind::Says { text: "yes".into(), begun_ms_ago: ms };
    assert_eq!(what("person says \"yes\""), said(0));
    assert_eq!(what("person says \"yes\" begun 2s ago"), said(2000));
    assert_eq!(what("person writes \"hi\""), StepKind::Writes { text: "hi".into() });
    assert_eq!(what("model says \"Hello.\""), StepKind::ModelSays("Hello.".into()));
    assert_eq!(what("model thinks \"Hm.\""), StepKind::ModelThinks("Hm.".into()));
    let click = |who: Option<&str>, question| StepKind::Clicks {
        who: who.map(str::to_owned),
        approve: false,
        question,
    };
    assert_eq!(what("person clicks decline"), click(None, ConfirmationRef::Newest));
    assert_eq!(
        what("bob clicks decline call-1"),
        click(Some("bob"), ConfirmationRef::Of(id("call-1")))
    );
    assert_eq!(what("clock +5m"), StepKind::Clock(300_000));
    let another = Some("another".to_owned());
    let opens = |id| StepKind::Opens { who: "bob".into(), mode: Mode::Text, id };
    assert_eq!(what("bob opens in text"), opens(None));
    assert_eq!(what("bob opens another conversation in text"), opens(another));
    assert_eq!(what("records: a completed, b denied"), {
        StepKind::Records(vec!["a completed".into(), "b denied".into()])
    });
}

#[test]
fn a_line_that_cannot_be_read_is_named_with_the_reason() {
    check_unreadable("model sings", "calls, starts, gets, says or thinks");
    check_unreadable("model says hello", "expected JSON");
    check_unreadable("model calls call-1", "a call id, a tool");
    check_unreadable("-> ok", "after a step");
    check_unreadable("and call-1 echo", "same message");
    check_unreadable("clock +5 parsecs", "a time such as 61s");
    check_unreadable("person says yes", "expected JSON");
    check_unreadable("person clicks maybe", "approve and decline");
    check_unreadable("ada dances", "writes, says, moves, clicks or opens");
}
