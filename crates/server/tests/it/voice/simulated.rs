//! The server against the simulated providers, with the real clock.

use std::sync::Arc;
use std::time::{Duration, Instant};

use aileron_capability::{Clock, SystemClock};
use aileron_contract::{CallId, models};
use aileron_server::voice::{ApiKey, Provider, Providers, VoiceProvider, VoiceSessionLimits};
use aileron_simulator::manual_model::{ManualModel, ManualModelHandle};
use aileron_simulator::simulated_model::{ModelAction, PlannedCall};
use aileron_simulator::{InjectedFault, Options, RunningSimulator, Simulator, SpeechPace};
use aileron_store::{AuditFilter, MemoryStore, Store};
use aileron_transports::{gemini_live, openai_realtime, tls};
use rustls::RootCertStore;
use serde_json::{Value, json};
use tokio::net::TcpListener;
use tokio::sync::oneshot;

use super::client::{Client, Sent};
use super::ground::Ground;
use super::stage::assemble;

/// How long the end of a turn may be waited for that a provider leaves out.
const BOUND: Duration = Duration::from_secs(10);

struct House {
    simulator: RunningSimulator,
    hand: ManualModelHandle,
    store: Arc<dyn Store>,
    address: String,
    _stop: oneshot::Sender<()>,
}

impl House {
    async fn new(fault: Option<InjectedFault>, pace: SpeechPace) -> Self {
        let (brain, hand) = ManualModel::new();
        let faults = Vec::from_iter(fault);
        let options = Options { model: Arc::new(brain), faults, pace, ..Options::default() };
        let simulator = Simulator::begin(options).await.unwrap();
        let store: Arc<dyn Store> = Arc::new(MemoryStore::new());
        let clock: Arc<dyn Clock> = Arc::new(SystemClock);
        let app = assemble("", VoiceSessionLimits::default(), clock, &store, providers(&simulator));
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap().to_string();
        let (stop, stopped) = oneshot::channel::<()>();
        tokio::spawn(aileron_server::serve(app, listener, async { drop(stopped.await) }));
        Self { simulator, hand, store, address, _stop: stop }
    }

    async fn talk(&self, provider: &str) -> Client {
        let mut client = Client::connect(&self.address, None).await.unwrap();
        client.say(json!({ "type": "start", "provider": provider })).await;
        client.expect("ready").await;
        client
    }

    fn records(&self) -> Vec<String> {
        let records = self.store.audit(AuditFilter::default()).map(|record| record.unwrap().entry);
        records.map(|entry| format!("{} {}", entry.call_id, entry.outcome)).collect()
    }
}

fn providers(simulator: &RunningSimulator) -> Providers {
    let at = |kind, base: String| {
        let mut provider = Provider::new(kind, "m", ApiKey::new("k"));
        provider.base_url = Some(base);
        provider
    };
    let address = simulator.address;
    let gemini = at(
        VoiceProvider::Gemini(gemini_live::GeminiLiveOptions::default()),
        format!("ws://{address}"),
    );
    let openai = at(
        VoiceProvider::Openai(openai_realtime::OpenaiRealtimeOptions::default()),
        format!("ws://{address}/v1"),
    );
    let newest = gemini_live::GeminiLiveOptions::for_model(models::GEMINI_VOICE);
    let mut newest = at(VoiceProvider::Gemini(newest), format!("ws://{address}"));
    newest.model = models::GEMINI_VOICE.to_owned();
    let known = [("gemini", gemini), ("openai", openai), ("newest gemini", newest)];
    let known = known.map(|(name, provider)| (name.to_owned(), provider));
    Providers::trusting("gemini", known, tls(RootCertStore::empty()).unwrap()).unwrap()
}

fn asked(id: &str, tool: &str) -> PlannedCall {
    let id = Some(CallId::new(id).unwrap());
    PlannedCall { id, name: tool.to_owned(), args: json!({ "n": 5 }).as_object().unwrap().clone() }
}

/// Waits for the end of the turn, within bounds.
async fn turn_ends(client: &mut Client, provider: &str) {
    let begun = Instant::now();
    client.expect("turn_complete").await;
    assert!(begun.elapsed() < BOUND, "{provider}: after {:?}", begun.elapsed());
}

/// How the person approves.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Approval {
    /// Before the turn of the question is over.
    ClickAtOnce,
    Click,
    Aloud,
    /// The model has nothing to say to the yes itself.
    AloudToSilence,
}

async fn approves(house: &mut House, client: &mut Client, question: &Value, approval: Approval) {
    match approval {
        Approval::ClickAtOnce | Approval::Click => {
            let token = &question["token"];
            client.say(json!({ "type": "confirm", "token": token, "approve": true })).await;
        }
        Approval::Aloud | Approval::AloudToSilence => {
            house.simulator.control.hear("yes").unwrap();
            let words =
                (approval == Approval::Aloud).then(|| ModelAction::Say("Very well.".to_owned()));
            house.hand.turn().await.unwrap().does(Vec::from_iter(words));
        }
    }
    client.expect("confirmation_closed").await;
}

async fn a_turn_after(approval: Approval) {
    for provider in ["gemini", "openai"] {
        let mut house = House::new(Some(InjectedFault::NoTurnComplete), SpeechPace::Fast).await;
        let mut client = house.talk(provider).await;
        client.say(json!({ "type": "text", "text": "pay it" })).await;
        let (_, turn) = house.hand.call(vec![asked("call-pay-0001", "pay")]).await.unwrap();
        turn.does(vec![ModelAction::Say("Shall I pay five?".to_owned())]);
        let question = client.expect("confirmation_request").await;
        if approval != Approval::ClickAtOnce {
            turn_ends(&mut client, provider).await;
        }
        approves(&mut house, &mut client, &question, approval).await;
        house.hand.say("It is paid.").await.unwrap();
        loop {
            let words = client.expect("transcript").await;
            if words["final"] == true && words["text"].as_str().unwrap().ends_with("It is paid.") {
                break;
            }
        }
        turn_ends(&mut client, provider).await;
    }
}

#[tokio::test]
async fn a_turn_after_an_approval_at_once_ends_although_no_provider_says_so() {
    a_turn_after(Approval::ClickAtOnce).await;
}

#[tokio::test]
async fn a_turn_after_an_approval_ends_although_no_provider_says_so() {
    a_turn_after(Approval::Click).await;
}

#[tokio::test]
async fn a_turn_after_a_spoken_approval_ends_although_no_provider_says_so() {
    a_turn_after(Approval::Aloud).await;
}

#[tokio::test]
async fn a_turn_after_a_spoken_approval_that_met_silence_ends_although_no_provider_says_so() {
    a_turn_after(Approval::AloudToSilence).await;
}

#[tokio::test]
async fn a_call_whose_response_never_ends_is_made_and_recorded() {
    let mut house = House::new(Some(InjectedFault::NoTurnComplete), SpeechPace::Fast).await;
    let mut client = house.talk("openai").await;
    client.say(json!({ "type": "text", "text": "look it up" })).await;
    let (results, turn) = house.hand.call(vec![asked("call-look-0001", "look")]).await.unwrap();
    assert_eq!(results.len(), 1);
    assert_eq!(house.records(), ["call-look-0001 completed"]);
    turn.does(vec![ModelAction::Say("It is five.".to_owned())]);
    turn_ends(&mut client, "openai").await;
}

#[tokio::test]
async fn the_interrupt_button_stops_audio_and_words_and_the_history_has_what_was_heard() {
    for provider in ["gemini", "openai"] {
        let mut house = House::new(None, SpeechPace::RealTime).await;
        let mut client = house.talk(provider).await;
        client.say(json!({ "type": "text", "text": "count" })).await;
        let long = "one two three four five six seven eight nine ten eleven twelve thirteen \
                    fourteen fifteen sixteen seventeen eighteen nineteen twenty";
        house.hand.say(long).await.unwrap();
        let mut shown = String::new();
        while !shown.contains("three") {
            let words = client.expect("transcript").await;
            shown.push_str(words["text"].as_str().unwrap());
        }
        client.say(json!({ "type": "interrupt" })).await;
        client.expect("interrupted").await;
        let mut after = Vec::new();
        let end = loop {
            match client.next().await {
                Sent::Message(message) if message["type"] == "turn_complete" => break message,
                Sent::Message(message) if message["type"] == "transcript" => after.push(message),
                Sent::Message(_) | Sent::Ping => {}
                Sent::Audio(bytes) => panic!("{provider}: {bytes} bytes after the interruption"),
                other => panic!("unexpected {other:?}"),
            }
        };
        assert_eq!(end["type"], "turn_complete");
        let finals: Vec<_> = after.iter().filter(|words| words["final"] == true).collect();
        assert!(finals.len() == after.len() && finals.len() <= 1, "{provider}: {after:#?}");
        let heard = finals.first().map_or("", |words| words["text"].as_str().unwrap());
        assert!(long.starts_with(heard) && heard.len() <= shown.len(), "{provider}: {heard:?}");
        assert!(!heard.contains("seven"), "{provider}: {heard:?}");

        // The next question is answered, and the model knows only the part of its reply that was
        // heard.
        client.say(json!({ "type": "text", "text": "and then?" })).await;
        house.hand.say("Nothing.").await.unwrap();
        loop {
            let words = client.expect("transcript").await;
            if words["final"] == true {
                assert_eq!(words["text"], "Nothing.", "{provider}");
                break;
            }
        }
    }
}

#[tokio::test]
async fn a_yes_in_writing_is_told_how_to_approve() {
    for provider in ["gemini", "openai"] {
        let mut house = House::new(None, SpeechPace::Fast).await;
        let mut client = house.talk(provider).await;
        client.say(json!({ "type": "text", "text": "pay it" })).await;
        let (_, turn) = house.hand.call(vec![asked("call-pay-0001", "pay")]).await.unwrap();
        turn.does(vec![ModelAction::Say("Shall I pay five?".to_owned())]);
        let question: Value = client.expect("confirmation_request").await;
        turn_ends(&mut client, provider).await;
        for (text, is_a_yes) in [("yes", true), ("why?", false), ("Yes please.", true)] {
            client.say(json!({ "type": "text", "text": text })).await;
            house.hand.say("Please use the button.").await.unwrap();
            let (mut again, mut told) = (0, 0);
            loop {
                let message = client.message().await;
                match message["type"].as_str() {
                    Some("turn_complete") => break,
                    Some("confirmation_request") => {
                        assert_eq!(
                            (&message["again"], &message["token"]),
                            (&json!(true), &question["token"])
                        );
                        again += 1;
                    }
                    Some("error") => {
                        assert_eq!(message["code"], "confirmation_pending", "{message}");
                        told += 1;
                    }
                    _ => {}
                }
            }
            let wanted = usize::from(is_a_yes);
            assert_eq!((again, told), (wanted, wanted), "{provider}: {text}");
        }
        let records = house.records();
        assert!(!records.iter().any(|line| line.ends_with("completed")), "{records:?}");
    }
}

#[tokio::test]
async fn a_slow_read_does_not_silence_the_conversation() {
    let mut house = House::new(None, SpeechPace::Fast).await;
    let mut client = Client::connect(&house.address, None).await.unwrap();
    client.say(json!({ "type": "start", "provider": "newest gemini" })).await;
    let ready = client.expect("ready").await;
    let ground = Ground::of(ready["conversationId"].as_str().unwrap());
    client.say(json!({ "type": "text", "text": "look it up" })).await;
    let call = vec![asked("call-look-0001", "look_slowly")];
    house.hand.turn().await.unwrap().does(vec![ModelAction::Call(call)]);
    ground.arrival().await;
    turn_ends(&mut client, "the call's turn").await;

    // The person goes on talking, and is answered while the tool runs.
    house.simulator.control.hear("and how are you?").unwrap();
    house.hand.say("Very well.").await.unwrap();
    turn_ends(&mut client, "the talk").await;
    assert_eq!(house.records(), [""; 0]);

    // The result comes when the model is silent, and is spoken about.
    ground.open_gate();
    let turn = house.hand.turn().await.unwrap();
    assert_eq!(turn.results().len(), 1);
    turn.does(vec![ModelAction::Say("It is five.".to_owned())]);
    turn_ends(&mut client, "the result").await;
    assert_eq!(house.records(), ["call-look-0001 completed"]);

    // The model waits for a write.
    client.say(json!({ "type": "text", "text": "send it" })).await;
    let (results, turn) = house.hand.call(vec![asked("call-send-0001", "send")]).await.unwrap();
    assert_eq!((results.len(), ground.effects().len()), (1, 1));
    turn.does(vec![ModelAction::Say("Sent.".to_owned())]);
    turn_ends(&mut client, "the write").await;
}
