//! A conversation that outgrows the window goes on, by the stated rule.

use std::sync::Arc;

use aileron_agent::{Instructions, TurnLimits};
use aileron_contract::text::{ChatMessage, ReplyPart};
use aileron_contract::{Mode, tokens};
use aileron_store::MemoryStore;
use serde_json::json;

use crate::script::{Calls, Says, Script};
use crate::stage::{Stage, short};

/// A window with this much room beside the instructions.
async fn room(tokens: usize) -> TurnLimits {
    let stage = Stage::new(&Script::new([])).await;
    let instructions: Instructions = stage.agent.instructions(&stage.conversation);
    let declared = instructions.declarations(aileron_contract::Provider::Openai);
    let declared: usize = declared.iter().map(|one| tokens::of(&one.to_string())).sum();
    let taken = tokens::of(&instructions.text()) + declared;
    TurnLimits { window_tokens: taken + tokens, ..TurnLimits::default() }
}

async fn stage(script: &Arc<Script>, tokens: usize) -> Stage {
    Stage::over(Arc::new(MemoryStore::new()), script, room(tokens).await, Mode::Text).await
}

fn is_whole(messages: &[ChatMessage]) -> bool {
    let calls = |message: &ChatMessage| match message {
        ChatMessage::Model { parts, .. } => {
            parts.iter().filter(|part| matches!(part, ReplyPart::Call { .. })).count()
        }
        _ => 0,
    };
    messages.windows(2).all(|pair| match calls(&pair[0]) {
        0 => true,
        made => matches!(&pair[1], ChatMessage::Results { answers } if answers.len() == made),
    })
}

#[tokio::test]
async fn old_results_go_first_and_keep_a_note() {
    let script = Script::new([
        vec![Calls("call-00001", "look", json!({ "n": 4000 }))],
        vec![Says("Found.")],
        vec![Says("Yes.")],
    ]);
    let stage = stage(&script, 900).await;
    stage.say("who?").await;
    stage.say("sure?").await;
    let seen = script.seen();
    assert!(format!("{:?}", seen[1].messages).contains("xxxx"));
    let last = &seen[2].messages;
    assert!(is_whole(last));
    assert_eq!(last.len(), 5);
    let shown = format!("{last:?}");
    assert!(!shown.contains("xxxx") && shown.contains("left out to save room"), "{shown}");
    assert!(!seen[2].instructions.contains("turns of this conversation were left out"));
}

#[tokio::test]
async fn then_whole_turns_go_and_the_instructions_say_so() {
    let says: &'static str = Box::leak("word ".repeat(200).into_boxed_str());
    let script = Script::new((0..6).map(|_| vec![Says(says)]));
    let stage = stage(&script, 700).await;
    for n in 1..=6 {
        stage.say(&format!("message {n}")).await;
    }
    let last = script.seen().pop().unwrap();
    let shown: Vec<_> = last.messages.iter().map(short).collect();
    assert_eq!(shown.first().unwrap(), "person: message 4");
    assert_eq!(shown.last().unwrap(), "person: message 6");
    assert!(last.instructions.contains("The first 3 turns of this conversation were left out"));
    assert_eq!(stage.kept().await.len(), 12);
}

#[tokio::test]
async fn the_current_turn_is_always_there_and_its_last_results_are_whole() {
    let script = Script::new([
        vec![Calls("call-00001", "look", json!({ "n": 3000 }))],
        vec![Calls("call-00002", "look", json!({ "n": 3001 }))],
        vec![Says("Done.")],
    ]);
    let stage = stage(&script, 900).await;
    stage.say("look twice").await;
    let last = script.seen().pop().unwrap().messages;
    assert!(is_whole(&last));
    assert_eq!(last.len(), 5);
    let ChatMessage::Results { answers } = &last[4] else { panic!("{last:?}") };
    assert!(format!("{answers:?}").contains("xxxx"));
    assert!(!format!("{:?}", last[2]).contains("xxxx"));
}
