//! A whole conversation through each protocol: words, a call, its result, speech.

use std::sync::Arc;

use aileron_contract::transport::{Command, Protocol, ProviderEvent, Speaker};
use aileron_simulator::simulated_model::{HistoryItem, ModelAction};
use aileron_simulator::{ManualModel, ManualModelHandle, Options, ScriptBrain};
use aileron_transports::upstream::Output;
use serde_json::json;

use crate::agent::{self, Agent, find, simulator};

const SCRIPT: &str = r#"---
mode: voice
---
```script
person says "Find Atlas"
model calls call-000001 find {"query": "Atlas"}
  -> ok
model says "Atlas is a film."
```
"#;

fn puppet() -> (Options, ManualModelHandle) {
    let (model, hand) = ManualModel::new();
    (Options { model: Arc::new(model), ..Options::default() }, hand)
}

/// Text, a call, its result, and words about it.
async fn converse<P: Protocol>(mut agent: Agent<P>, mut hand: ManualModelHandle) {
    agent.ready().await;
    agent.tell(Command::Text("Find Atlas"));
    let model = async {
        let (results, turn) = hand.call(vec![find("call-000001", "Atlas")]).await.unwrap();
        let heard = turn.heard().map(str::to_owned);
        turn.does(vec![ModelAction::Say("Atlas is a film.".into())]);
        (results, heard)
    };
    let client = async {
        let calls = agent.calls().await;
        agent.answer(&calls[0], json!({ "title": "Atlas" }));
        agent.turn_end().await;
        calls
    };
    let ((results, heard), calls) = tokio::join!(model, client);
    assert_eq!(calls[0].call_id.as_str(), "call-000001");
    assert_eq!(heard.as_deref(), Some("Find Atlas"));
    let shown = results[0].result.to_string().replace('\\', "");
    assert!(shown.contains(r#"{"output":{"title":"Atlas"}}"#), "{shown}");
    assert_eq!(agent.audio(), (60 * 2 + 60 + 60 + 60) * 48);
}

#[tokio::test]
async fn a_call_is_made_and_answered_over_gemini_live() {
    let (options, hand) = puppet();
    let running = simulator(options).await;
    converse(agent::gemini(&running), hand).await;
    running.shutdown().await;
}

#[tokio::test]
async fn a_call_is_made_and_answered_over_openai_realtime() {
    let (options, hand) = puppet();
    let running = simulator(options).await;
    converse(agent::realtime(&running), hand).await;
    running.shutdown().await;
}

/// Sound is all that is sent; the words are the script's.
async fn speak<P: Protocol>(mut agent: Agent<P>) {
    agent.ready().await;
    let loud: Vec<u8> =
        (0..16_000i32).flat_map(|at| ((at % 40 * 400 - 8_000) as i16).to_le_bytes()).collect();
    agent.tell(Command::Audio(&loud));
    agent.tell(Command::Audio(&vec![0; 32 * 700]));
    let calls = agent.calls().await;
    agent.answer(&calls[0], json!(1));
    agent.turn_end().await;
    let said = |speaker| {
        let texts = agent.outputs.iter().filter_map(|output| match output {
            Output::Event(ProviderEvent::Transcript { by, text, .. }) if *by == speaker => {
                Some(text.as_str())
            }
            _ => None,
        });
        texts.collect::<String>()
    };
    assert!(said(Speaker::Person).contains("Find Atlas"));
    assert!(said(Speaker::Model).contains("Atlas is a film."));
}

fn scripted() -> Options {
    let script = aileron_script::parse("test", SCRIPT).unwrap();
    Options { model: Arc::new(ScriptBrain::new(&script)), ..Options::default() }
}

#[tokio::test]
async fn a_script_gives_the_words_of_what_is_spoken_over_gemini_live() {
    let running = simulator(scripted()).await;
    speak(agent::gemini(&running)).await;
}

#[tokio::test]
async fn a_script_gives_the_words_of_what_is_spoken_over_openai_realtime() {
    let running = simulator(scripted()).await;
    speak(agent::realtime(&running)).await;
}

#[tokio::test]
async fn instructions_and_tools_reach_the_model() {
    let (options, mut hand) = puppet();
    let running = simulator(options).await;
    let mut agent = agent::gemini(&running);
    agent.ready().await;
    agent.tell(Command::Text("hi"));
    let turn = tokio::select! {
        turn = hand.turn() => turn,
        () = agent.until(|_| None) => None,
    };
    let scene = turn.unwrap().scene;
    assert_eq!(scene.instructions, "Be brief.");
    assert_eq!(scene.tools[0].name, "find");
    assert!(matches!(&scene.items[..], [HistoryItem::Heard { text, .. }] if text == "hi"));
}
