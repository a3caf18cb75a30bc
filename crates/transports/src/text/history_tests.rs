//! The order of turns, case by case.

use serde_json::json;

use super::*;
use crate::text::samples::{call, model, person, sunny, text};

/// The turns in short form: instructions, messages, results.
fn order(messages: &[ChatMessage]) -> Vec<String> {
    let short = |turn: &HistoryTurn<'_>| match turn {
        HistoryTurn::Told(texts) => format!("told {texts:?}"),
        HistoryTurn::Said(ModelTurn::Original(content)) => format!("original {content}"),
        HistoryTurn::Said(ModelTurn::Pieces(pieces)) => format!("said {}", pieces.len()),
        HistoryTurn::Returned(returned) => {
            let ids = returned.iter().map(|r| format!("{} {:?}", r.wire.id(), r.outcome));
            format!("returned {}", ids.collect::<Vec<_>>().join(", "))
        }
    };
    let read: ReadOriginal = |content| content.is_string().then(Vec::new);
    turns(messages, "us", read).iter().map(short).collect()
}

fn told(text: &str) -> String {
    format!("told [{text:?}]")
}

#[test]
fn a_conversation_that_is_in_order_stays_as_it_is() {
    let messages = [
        person("hi"),
        model(vec![text("a"), call("c-1", json!({})), call("c-2", json!({}))]),
        ChatMessage::Results { answers: vec![sunny("c-2"), sunny("c-1")] },
        model(vec![text("b")]),
        person("bye"),
    ];
    let expected = [
        &told("hi"),
        "said 3",
        "returned call_1_1 Success, call_1_2 Success",
        "said 1",
        &told("bye"),
    ];
    assert_eq!(order(&messages), expected);
}

#[test]
fn nothing_at_all_and_a_model_at_either_end_are_filled_up() {
    assert_eq!(order(&[]), [told(NOTHING_YET)]);
    let alone = [told(BEGINNING), "said 1".into(), told(GO_ON)];
    assert_eq!(order(&[model(vec![text("a")])]), alone);
    let twice = [person("hi"), model(vec![text("a")]), model(vec![text("b")]), person("bye")];
    let expected = [told("hi"), "said 1".into(), told(GO_ON), "said 1".into(), told("bye")];
    assert_eq!(order(&twice), expected);
}

#[test]
fn a_model_that_said_nothing_is_left_out() {
    let silent = model(vec![text(" "), ReplyPart::Reasoning { text: "Hm.".into() }]);
    assert_eq!(order(&[person("hi"), silent, person("bye")]), [r#"told ["hi", "bye"]"#]);
    assert_eq!(order(&[person(" ")]), [told(NO_WORDS)]);
}

#[test]
fn a_call_that_nobody_answered_is_answered_by_what_is_known() {
    let messages = [person("hi"), model(vec![call("c-1", json!({}))]), person("stop")];
    let expected = [&told("hi"), "said 1", "returned call_1_0 Failure", &told("stop")];
    assert_eq!(order(&messages), expected);
    let view = &returned(WireCall::given(None, "t".into()), None).view;
    assert_eq!(view["error"]["code"], "OUTCOME_UNKNOWN");
}

#[test]
fn an_answer_that_nothing_waits_for_is_told_in_words() {
    let late = order(&[person("hi"), ChatMessage::Late { answer: sunny("c-9") }]);
    assert!(late[0].contains("not from the person") && late[0].contains("c-9"), "{late:?}");
    let stray = order(&[person("hi"), ChatMessage::Results { answers: vec![sunny("c-9")] }]);
    assert_eq!(stray, late);
    let both = [
        person("hi"),
        model(vec![call("c-1", json!({}))]),
        ChatMessage::Results { answers: vec![sunny("c-9"), sunny("c-1")] },
    ];
    let both = order(&both);
    assert_eq!(both[2], "returned call_1_0 Success");
    assert!(both[3].contains("c-9"), "{both:?}");
}

#[test]
fn calls_with_one_id_take_one_answer_each() {
    let messages = [
        person("hi"),
        model(vec![call("c-1", json!({})), call("c-1", json!({}))]),
        ChatMessage::Results { answers: vec![sunny("c-1"), sunny("c-1")] },
    ];
    assert_eq!(order(&messages)[2], "returned call_1_0 Success, call_1_1 Success");
}

#[test]
fn an_original_is_used_if_it_is_ours_and_fits() {
    let said = |by: &str, content: Value, parts: Vec<ReplyPart>| {
        let original = Some(ProviderMessage::new(by, content));
        order(&[person("hi"), ChatMessage::Model { parts, original }])[1].clone()
    };
    assert_eq!(said("us", json!("o"), vec![text("a")]), r#"original "o""#);
    assert_eq!(said("them", json!("o"), vec![text("a")]), "said 1");
    assert_eq!(said("us", json!(5), vec![text("a")]), "said 1");
    assert_eq!(said("us", json!("o"), vec![call("c-1", json!({}))]), "said 1");
}

#[test]
fn names_are_made_to_fit() {
    for (written, expected) in
        [("kb_search", "kb_search"), ("a b.č", "a_b__"), ("", "unknown"), ("9", "unknown")]
    {
        assert_eq!(name(written), expected);
    }
    assert_eq!(name(&"x".repeat(100)).len(), 64);
}
