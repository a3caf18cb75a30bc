//! Model, calls, gate, results, model: until it answers.

use aileron_contract::Mode;
use aileron_contract::text::Tools;
use aileron_store::MemoryStore;
use serde_json::json;
use std::sync::Arc;

use aileron_agent::TurnLimits;

use crate::script::{Calls, Says, Script, Thinks};
use crate::stage::{Stage, short, told};

#[tokio::test]
async fn an_answer_without_calls_is_one_step() {
    let script = Script::new([vec![Thinks("hm"), Says("Hel"), Says("lo.")]]);
    let stage = Stage::new(&script).await;
    let events = stage.say("hi").await;
    assert_eq!(
        told(&events),
        [
            "began 1",
            "step",
            "reasoning hm",
            "text Hel",
            "text lo.",
            "usage",
            "step ended",
            "finished Answered"
        ]
    );
    assert_eq!(stage.kept().await, ["1 person: hi", "1 model: (hm) | Hel | lo."]);
    let seen = &script.seen()[0];
    assert_eq!((seen.declared, seen.tools), (6, Tools::Offered));
    assert!(seen.instructions.contains("# Available Tools (v1.0."));
}

#[tokio::test]
async fn results_go_back_to_the_model_and_evidence_becomes_sources() {
    let script = Script::new([
        vec![Says("Looking. "), Calls("call-00001", "look", json!({}))],
        vec![Says("Ask Mira [person:mira], not [person:nobody].")],
    ]);
    let stage = Stage::new(&script).await;
    let events = stage.say("who?").await;
    assert_eq!(
        told(&events),
        [
            "began 1",
            "step",
            "text Looking. ",
            "usage",
            "called call-00001 {}",
            "started call-00001",
            "progress call-00001 \"half way\"",
            "answered call-00001 ok",
            "step ended",
            "step",
            "text Ask Mira [person:mira], not [person:nobody].",
            "usage",
            "step ended",
            "sources person:mira",
            "finished Answered",
        ]
    );
    let second = &script.seen()[1].messages;
    assert_eq!(
        second.iter().map(short).collect::<Vec<_>>(),
        ["person: who?", "model: Looking.  | call-00001:look", "results: call-00001=ok"]
    );
}

#[tokio::test]
async fn the_steps_of_a_turn_have_the_same_instructions_although_time_passes() {
    let looks = || vec![Calls("call-00001", "look", json!({}))];
    let script = Script::new([looks(), vec![Says("Mira.")], vec![Says("Still Mira.")]]);
    let stage = Stage::new(&script).await;
    *script.slowness.lock().unwrap() = Some(stage.clock.clone());
    stage.say("who?").await;
    stage.say("and now?").await;
    let [first, second, next_turn] = &script.seen()[..] else { panic!("three requests") };
    assert_eq!(first.instructions, second.instructions);
    assert_ne!(second.instructions, next_turn.instructions);
}

#[tokio::test]
async fn evidence_of_an_earlier_turn_is_no_source() {
    let script = Script::new([
        vec![Calls("call-00001", "look", json!({}))],
        vec![Says("person:mira")],
        vec![Says("Still person:mira.")],
    ]);
    let stage = Stage::new(&script).await;
    assert!(told(&stage.say("who?").await).contains(&"sources person:mira".to_owned()));
    let second = told(&stage.say("sure?").await);
    assert!(!second.iter().any(|line| line.starts_with("sources")), "{second:?}");
}

#[tokio::test]
async fn calls_of_one_message_are_answered_together_and_in_order() {
    let calls = vec![
        Calls("call-00001", "look", json!({})),
        Calls("call-00002", "nothing", json!({})),
        Calls("call-00003", "look", json!({ "n": "x" })),
    ];
    let script = Script::new([calls, vec![Says("Done.")]]);
    let stage = Stage::new(&script).await;
    stage.say("go").await;
    assert_eq!(
        stage.kept().await[2],
        "1 results: call-00001=ok call-00002=NOT_FOUND call-00003=VALIDATION"
    );
}

#[tokio::test]
async fn a_model_that_calls_for_ever_is_asked_to_answer_without_tools() {
    for (mode, steps, refused) in
        [(Mode::Text, 12, "LOOP_DETECTED"), (Mode::Voice, 5, "BUDGET_EXCEEDED")]
    {
        let script = Script::forever(|n| {
            let id: &'static str = Box::leak(format!("call-{n:05}").into_boxed_str());
            vec![Calls(id, "look", json!({}))]
        });
        let store = Arc::new(MemoryStore::new());
        let stage = Stage::over(store, &script, TurnLimits::default(), mode).await;
        let events = told(&stage.say("go").await);
        let seen = script.seen();
        assert_eq!(seen.len(), steps);
        assert_eq!(seen.last().unwrap().tools, Tools::Withheld);
        assert_eq!(events.last().unwrap(), "finished StepLimit");
        let kept = stage.kept().await;
        assert_eq!(
            kept.last().unwrap(),
            "1 model: (I stopped here: this took more steps than one message may.)"
        );
        assert!(kept[kept.len() - 2].contains(refused), "{kept:?}");
    }
}

#[tokio::test]
async fn what_a_tool_wants_hidden_is_in_no_event_and_still_told_to_the_model() {
    let script =
        Script::new([vec![Calls("call-00001", "hide", json!({ "n": 77 }))], vec![Says("Ok.")]]);
    let stage = Stage::new(&script).await;
    let events = stage.say("go").await;
    assert!(!format!("{events:?}").contains("77"), "{events:?}");
    assert!(format!("{:?}", script.seen()[1].messages).contains("77"));
}
