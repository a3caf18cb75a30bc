//! Control of the provider by tests, and observed events.

use std::sync::Arc;
use std::time::Duration;

use aileron_contract::CallId;
use aileron_contract::transport::{Command, Protocol, ProviderEvent, TurnEnd};
use aileron_simulator::simulated_model::ModelAction;
use aileron_simulator::{Control, ManualModel, NotConnected, ObservedEvent, Options};
use aileron_transports::session::ConnectionNotice;
use aileron_transports::upstream::Output;
use serde_json::json;
use tokio::sync::mpsc::UnboundedReceiver;

use crate::agent::{self, Agent, TIMEOUT, find, simulator};

fn event<T>(find: impl Fn(&ProviderEvent) -> Option<T>) -> impl Fn(&Output) -> Option<T> {
    move |output| match output {
        Output::Event(event) => find(event),
        _ => None,
    }
}

async fn seen<T>(
    watch: &mut UnboundedReceiver<aileron_simulator::Observed>,
    find: impl Fn(&ObservedEvent) -> Option<T>,
) -> T {
    loop {
        let next = tokio::time::timeout(TIMEOUT, watch.recv()).await;
        if let Some(found) = find(&next.unwrap().unwrap().seen) {
            return found;
        }
    }
}

async fn hears_and_is_cut_short<P: Protocol>(mut agent: Agent<P>, control: Control) {
    agent.ready().await;
    control.withhold_turn_complete().unwrap();
    control.hear("What is Atlas?").unwrap();
    let words = agent.until(event(|event| match event {
        ProviderEvent::Transcript { text, .. } => Some(text.clone()),
        _ => None,
    }));
    assert_eq!(words.await, "What is Atlas?");
    agent
        .until(event(|event| {
            matches!(event, ProviderEvent::GenerationComplete | ProviderEvent::Audio { .. })
                .then_some(())
        }))
        .await;
    control.interrupt().unwrap();
    let end = agent.until(event(|event| match event {
        ProviderEvent::TurnComplete(end) => Some(end.clone()),
        _ => None,
    }));
    assert_eq!(end.await, TurnEnd::Interrupted);
}

#[tokio::test]
async fn a_person_can_be_made_to_speak_and_to_cut_in_over_gemini_live() {
    let running = simulator(Options::default()).await;
    hears_and_is_cut_short(agent::gemini(&running), running.control.clone()).await;
}

#[tokio::test]
async fn a_person_can_be_made_to_speak_and_to_cut_in_over_openai_realtime() {
    let running = simulator(Options::default()).await;
    hears_and_is_cut_short(agent::realtime(&running), running.control.clone()).await;
}

#[tokio::test]
async fn calls_can_be_made_unasked_taken_back_and_sent_twice() {
    let running = simulator(Options::default()).await;
    let control = running.control.clone();
    let mut agent = agent::gemini(&running);
    agent.ready().await;
    control
        .act(vec![ModelAction::Call(vec![find("call-000001", "a"), find("call-000002", "b")])])
        .unwrap();
    assert_eq!(agent.calls().await.len(), 2);
    control.duplicate_last_call().unwrap();
    let id = CallId::new("call-000001").unwrap();
    control.cancel(std::slice::from_ref(&id)).unwrap();
    let cancelled = agent.until(event(|event| match event {
        ProviderEvent::CallsCancelled(ids) => Some(ids.clone()),
        _ => None,
    }));
    assert_eq!(cancelled.await, [id]);
    let calls =
        agent.outputs.iter().filter(|it| matches!(it, Output::Event(ProviderEvent::ToolCalls(_))));
    assert_eq!(calls.count(), 1, "a call that comes twice is reported once");
}

#[tokio::test]
async fn results_are_seen_as_they_were_sent() {
    let running = simulator(Options::default()).await;
    let mut watch = running.control.watch();
    let mut agent = agent::gemini(&running);
    agent.ready().await;
    assert_eq!(
        seen(&mut watch, |seen| match seen {
            ObservedEvent::Setup(setup) => Some(setup["model"].clone()),
            _ => None,
        })
        .await,
        "models/m"
    );
    running.control.act(vec![ModelAction::Call(vec![find("call-000001", "a")])]).unwrap();
    let calls = agent.calls().await;
    agent.answer(&calls[0], json!({ "n": 1 }));
    agent.turn_end().await;
    let result = seen(&mut watch, |seen| match seen {
        ObservedEvent::Results(results) => Some(results[0].result.clone()),
        _ => None,
    });
    assert_eq!(result.await, json!({ "output": { "n": 1 } }));
}

#[tokio::test]
async fn what_was_heard_of_an_utterance_is_seen() {
    let running = simulator(Options::default()).await;
    let mut watch = running.control.watch();
    let mut agent = agent::realtime(&running);
    agent.ready().await;
    agent.tell(Command::Text("Say something long enough"));
    let utterance = agent.until(event(|event| match event {
        ProviderEvent::Audio { utterance, .. } => Some(*utterance),
        _ => None,
    }));
    let utterance = utterance.await;
    agent.turn_end().await;
    agent.tell(Command::Truncate { utterance, played_ms: 60 });
    let truncated = async {
        seen(&mut watch, |seen| match seen {
            ObservedEvent::Truncate { audio_end_ms, .. } => Some(*audio_end_ms),
            _ => None,
        })
        .await
    };
    let more = async { while agent.upstream.next().await.is_some() {} };
    let heard = tokio::select! { heard = truncated => heard, () = more => 0 };
    assert_eq!(heard, 60);
}

/// A conversation outlives its connection, and the model remembers it.
#[tokio::test]
async fn a_conversation_resumes_by_its_handle() {
    let (model, mut hand) = ManualModel::new();
    let running = simulator(Options { model: Arc::new(model), ..Options::default() }).await;
    let mut agent = agent::gemini(&running);
    agent.ready().await;
    agent.tell(Command::Text("My name is Ada"));
    tokio::join!(hand.say("Hello Ada."), agent.turn_end());
    agent
        .until(event(|event| {
            matches!(event, ProviderEvent::Resumption { handle: Some(_) }).then_some(())
        }))
        .await;
    running.control.drop_connection().unwrap();
    agent
        .until(|output| matches!(output, Output::Notice(ConnectionNotice::Restored)).then_some(()))
        .await;
    agent.tell(Command::Text("Who am I?"));
    let (scene, ()) = tokio::join!(hand.say("You are Ada."), agent.turn_end());
    assert_eq!(scene.unwrap().items.len(), 3);
}

#[tokio::test]
async fn a_provider_that_goes_away_is_left_in_time() {
    let running = simulator(Options::default()).await;
    let mut agent = agent::gemini(&running);
    agent.ready().await;
    running.control.go_away(Duration::from_secs(60)).unwrap();
    agent
        .until(event(|event| matches!(event, ProviderEvent::GoingAway { .. }).then_some(())))
        .await;
    agent
        .until(|output| matches!(output, Output::Notice(ConnectionNotice::Restored)).then_some(()))
        .await;
}

#[tokio::test]
async fn a_frame_that_cannot_be_read_and_a_close_code_reach_the_client() {
    let running = simulator(Options::default()).await;
    let mut agent = agent::gemini(&running);
    agent.ready().await;
    running.control.malformed().unwrap();
    agent.until(|output| matches!(output, Output::Malformed(_)).then_some(())).await;
    running.control.close(1011, "out of order").unwrap();
    let code = agent.until(event(|event| match event {
        ProviderEvent::Closed(fault) => Some((fault.code.clone(), fault.message.clone())),
        _ => None,
    }));
    assert_eq!(code.await, ("close 1011".into(), "out of order".into()));
}

#[tokio::test]
async fn without_a_client_there_is_nothing_to_control() {
    let running = simulator(Options::default()).await;
    assert_eq!(running.control.hear("hi"), Err(NotConnected));
    running.shutdown().await;
}
