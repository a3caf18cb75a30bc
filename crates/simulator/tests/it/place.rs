//! A script keeps its place whenever the connection is lost.

use std::sync::Arc;

use aileron_contract::transport::{Command, Protocol, ProviderEvent, Speaker, TranscriptStage};
use aileron_simulator::{InjectedFault, Options, RunningSimulator, ScriptBrain};
use aileron_transports::upstream::Output;
use serde_json::json;

use crate::agent::{self, Agent, simulator};

const SCRIPT: &str = r#"---
mode: voice
---
```script
person writes "Find Atlas"
model calls call-000001 find {"query": "Atlas"}
model says "Atlas is a film."
person writes "And Kite"
model says "One moment."
model calls call-000002 find {"query": "Kite"}
model says "Kite is a play."
person writes "Thanks"
model says "You are welcome."
```
"#;

const TURNS: [(&str, &str); 3] = [
    ("Find Atlas", "Atlas is a film."),
    ("And Kite", "Kite is a play."),
    ("Thanks", "You are welcome."),
];

async fn scripted(fault: InjectedFault) -> RunningSimulator {
    let script = aileron_script::parse("place", SCRIPT).unwrap();
    let model = Arc::new(ScriptBrain::new(&script));
    simulator(Options { model, faults: vec![fault], ..Options::default() }).await
}

/// The model's reply to the person's words, up to the end of the turn.
async fn reply<P: Protocol>(agent: &mut Agent<P>, words: &str) -> String {
    agent.tell(Command::Text(words));
    let mut said = String::new();
    loop {
        let event = agent.until(|output| match output {
            Output::Event(event) => Some(event.clone()),
            _ => None,
        });
        match event.await {
            ProviderEvent::ToolCalls(calls) => {
                calls.iter().for_each(|call| agent.answer(call, json!({ "found": 1 })));
            }
            ProviderEvent::Transcript {
                by: Speaker::Model,
                text,
                stage: TranscriptStage::Final,
            } => {
                said.push_str(&text);
            }
            ProviderEvent::TurnComplete(_) => return said,
            _ => {}
        }
    }
}

async fn keeps_its_place<P: Protocol>(mut agent: Agent<P>, fault: InjectedFault) {
    agent.ready().await;
    for (words, wanted) in TURNS {
        let said = reply(&mut agent, words).await;
        assert!(said.ends_with(wanted), "{fault}: {words:?} was answered with {said:?}");
    }
}

#[tokio::test]
async fn over_gemini_live() {
    for at in 3..30 {
        let fault = InjectedFault::Drop { at };
        let running = scripted(fault).await;
        keeps_its_place(agent::gemini(&running), fault).await;
    }
}

#[tokio::test]
async fn over_openai_realtime() {
    for at in 3..80 {
        let fault = InjectedFault::Drop { at };
        let running = scripted(fault).await;
        keeps_its_place(agent::realtime(&running), fault).await;
    }
}
