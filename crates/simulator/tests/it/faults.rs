//! Faults on demand, as a client meets them.

use aileron_contract::transport::{Command, ProviderEvent, TranscriptStage, TurnEnd};
use aileron_simulator::simulated_model::ModelAction;
use aileron_simulator::{InjectedFault, ObservedEvent, Options};
use aileron_transports::session::ConnectionNotice;
use aileron_transports::upstream::Output;

use crate::agent::{self, find, simulator};

fn with(faults: &str) -> Options {
    let faults = faults.split(',').map(|fault| fault.parse::<InjectedFault>().unwrap()).collect();
    Options { faults, ..Options::default() }
}

fn restored(output: &Output) -> Option<()> {
    matches!(output, Output::Notice(ConnectionNotice::Restored)).then_some(())
}

#[tokio::test]
async fn a_connection_that_is_cut_is_made_again() {
    let running = simulator(with("drop@6")).await;
    let mut agent = agent::gemini(&running);
    agent.ready().await;
    agent.tell(Command::Text("hi"));
    agent.until(restored).await;
    agent.tell(Command::Text("again"));
    agent.turn_end().await;
}

#[tokio::test]
async fn several_faults_happen_together() {
    let running = simulator(with(
        "malformed@3,duplicate-call,call-twice-in-server-content,slow=1,close=1011@12",
    ))
    .await;
    let mut agent = agent::gemini(&running);
    agent.ready().await;
    running.control.act(vec![ModelAction::Call(vec![find("call-000001", "a")])]).unwrap();
    agent.until(|output| matches!(output, Output::Malformed(_)).then_some(())).await;
    let calls = agent.calls().await;
    agent.answer(&calls[0], 1.into());
    agent.until(restored).await;
    let calls =
        agent.outputs.iter().filter(|it| matches!(it, Output::Event(ProviderEvent::ToolCalls(_))));
    assert_eq!(calls.count(), 1);
}

#[tokio::test]
async fn calls_are_taken_back() {
    let running = simulator(with("cancel@1")).await;
    let mut agent = agent::gemini(&running);
    agent.ready().await;
    running.control.act(vec![ModelAction::Call(vec![find("call-000001", "a")])]).unwrap();
    agent
        .until(|output| {
            matches!(output, Output::Event(ProviderEvent::CallsCancelled(_))).then_some(())
        })
        .await;
    agent.turn_end().await;
}

#[tokio::test]
async fn an_end_is_announced_before_it_comes() {
    let running = simulator(with("goaway@2")).await;
    let mut agent = agent::gemini(&running);
    agent.ready().await;
    agent
        .until(|output| {
            matches!(output, Output::Event(ProviderEvent::GoingAway { .. })).then_some(())
        })
        .await;
    agent.until(restored).await;
}

#[tokio::test]
async fn a_used_up_quota_is_told_in_the_words_of_each_protocol() {
    let running = simulator(with("rate-limit")).await;
    let mut agent = agent::gemini(&running);
    agent.ready().await;
    agent.tell(Command::Text("hi"));
    let code = agent.until(|output| match output {
        Output::Event(ProviderEvent::Closed(fault)) => Some(fault.code.clone()),
        _ => None,
    });
    assert_eq!(code.await, "close 1008");
    let mut agent = agent::realtime(&running);
    agent.ready().await;
    agent.tell(Command::Text("hi"));
    let code = agent.until(|output| match output {
        Output::Event(ProviderEvent::Fault(fault)) => Some(fault.code.clone()),
        _ => None,
    });
    assert_eq!(code.await, "rate_limit_exceeded");
}

#[tokio::test]
async fn a_reply_in_several_turns_ends_with_the_last() {
    let running = simulator(with("several-turns")).await;
    let mut watching = running.control.watch();
    let mut agent = agent::gemini(&running);
    agent.ready().await;
    running.control.act(vec![ModelAction::Say("One. Two. Three.".to_owned())]).unwrap();
    agent.turn_end().await;
    let said = agent.outputs.iter().find_map(|output| match output {
        Output::Event(ProviderEvent::Transcript {
            text, stage: TranscriptStage::Final, ..
        }) => Some(text.as_str()),
        _ => None,
    });
    assert_eq!(said, Some("One. Two. Three."));
    let statuses =
        std::iter::from_fn(|| watching.try_recv().ok()).filter_map(|one| match one.seen {
            ObservedEvent::Sent(frame) => {
                frame["serverContent"]["interactionStatus"].as_str().map(str::to_owned)
            }
            _ => None,
        });
    assert_eq!(statuses.collect::<Vec<_>>(), ["IN_PROGRESS", "IN_PROGRESS", "IDLE"]);
}

#[tokio::test]
async fn an_end_of_a_turn_may_never_come() {
    let running = simulator(with("no-turn-complete")).await;
    let mut agent = agent::gemini(&running);
    agent.ready().await;
    agent.tell(Command::Text("hi"));
    agent
        .until(|output| {
            matches!(output, Output::Event(ProviderEvent::GenerationComplete)).then_some(())
        })
        .await;
    agent.tell(Command::Text("still there?"));
    agent
        .until(|output| {
            matches!(output, Output::Event(ProviderEvent::GenerationComplete)).then_some(())
        })
        .await;
    // The text that was sent ends the turn before it.
    let ends = agent.outputs.iter().filter_map(|it| match it {
        Output::Event(ProviderEvent::TurnComplete(end)) => Some(end),
        _ => None,
    });
    assert_eq!(ends.collect::<Vec<_>>(), [&TurnEnd::Interrupted]);
}
