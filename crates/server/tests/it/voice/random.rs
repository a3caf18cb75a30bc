//! A thousand conversations with a provider that misbehaves: as many answers as calls, every write
//! made once, and nothing left behind.

mod brain;
mod chance;

use aileron_contract::Backoff;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use std::time::Duration;

use aileron_capability::{Clock, SystemClock};
use aileron_server::voice::{ApiKey, Provider, Providers, VoiceProvider, VoiceSessionLimits};
use aileron_simulator::{InjectedFault, Observed, ObservedEvent, Options, Simulator};
use aileron_store::{AuditFilter, MemoryStore, Store};
use aileron_transports::session::Reconnect;
use aileron_transports::{gemini_live, openai_realtime, tls};
use rustls::RootCertStore;
use serde_json::{Value, json};
use tokio::net::TcpListener;
use tokio::task::JoinSet;

use self::brain::Whim;
use self::chance::Chance;
use super::client::{Client, Sent};
use super::ground::Ground;
use super::stage::assemble;

const CONVERSATIONS: u64 = 1000;
const AT_ONCE: usize = 24;

/// How long a task may take to end once nothing needs it.
const LINGERS: Duration = Duration::from_secs(20);

/// How long a turn that says nothing about its end is waited for.
const PATIENCE: Duration = Duration::from_secs(3);

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn as_many_answers_as_calls_over_a_thousand_conversations() {
    let mut running = JoinSet::new();
    let (mut calls, mut faulty, mut checked) = (0, 0, 0);
    for seed in 0..CONVERSATIONS {
        if running.len() == AT_ONCE {
            let done: Told = running.join_next().await.unwrap().unwrap();
            calls += done.calls;
            faulty += u64::from(done.reconnects > 0);
            checked += u64::from(done.checked);
        }
        running.spawn(converse(seed));
    }
    while let Some(done) = running.join_next().await {
        let done = done.unwrap();
        calls += done.calls;
        faulty += u64::from(done.reconnects > 0);
        checked += u64::from(done.checked);
    }
    // The test is worth nothing if nothing happened.
    assert!(calls > 2 * CONVERSATIONS && faulty > CONVERSATIONS / 10, "{calls} {faulty}");
    assert!(checked > CONVERSATIONS / 4, "{checked}");
    let here = tokio::runtime::Handle::current().metrics();
    all_end("in the end", || here.num_alive_tasks()).await;
}

/// Waits until no task is left.
async fn all_end(when: &str, tasks: impl Fn() -> usize) {
    let mut look = tokio::time::interval(Duration::from_millis(5));
    let ending = async {
        while tasks() > 0 {
            look.tick().await;
        }
    };
    let ended = tokio::time::timeout(LINGERS, ending).await;
    assert!(ended.is_ok(), "{when}: {} tasks are left", tasks());
}

/// The observations of a conversation.
struct Told {
    calls: u64,
    reconnects: u64,
    /// Whether the provider was looked at for every answer.
    checked: bool,
}

async fn converse(seed: u64) -> Told {
    let mut chance = Chance::new(seed);
    let options = Options {
        model: Arc::new(Whim::new(seed)),
        faults: faults(&mut chance),
        ..Options::default()
    };
    let is_tame = options.faults.is_empty();
    let simulator = Simulator::begin(options).await.unwrap();
    let mut watching = simulator.control.watch();
    let store: Arc<dyn Store> = Arc::new(MemoryStore::new());
    let clock: Arc<dyn Clock> = Arc::new(SystemClock);
    let limits = VoiceSessionLimits { settle_ms: 5000, ..VoiceSessionLimits::default() };
    let providers = providers(&format!("ws://{}", simulator.address));
    let app = assemble("", limits, clock, &store, providers);
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap().to_string();
    let (stop, stopped) = tokio::sync::oneshot::channel::<()>();
    let stopped = async move { drop(stopped.await) };
    let served = tokio::spawn(aileron_server::serve(app.clone(), listener, stopped));

    let (id, left) = talk(&address, &mut chance, seed).await;
    app.voice().drained().await;
    let figures = app.voice().figures();
    let (calls, answers) = (figures.calls.count(), figures.answers.count());
    assert_eq!(calls, answers, "seed {seed}: calls and answers");
    let records: Vec<_> =
        store.audit(AuditFilter::default()).map(|record| record.unwrap().entry).collect();
    let mut outcomes = BTreeMap::<_, Vec<_>>::new();
    for entry in &records {
        outcomes.entry(entry.call_id.as_str()).or_default().push(entry.outcome.to_string());
    }
    let twice: Vec<_> = outcomes.iter().filter(|(_, outcomes)| outcomes.len() > 1).collect();
    assert!(twice.is_empty(), "seed {seed}: one record a call, found {twice:?}");
    let done = |tool: &str| {
        let completed = records.iter().filter(|entry| entry.tool_id == tool);
        completed.filter(|entry| entry.outcome.word() == "completed").count()
    };
    let effects = Ground::of(&id).effects().len();
    assert_eq!(done("send") + done("pay"), effects, "seed {seed}: every write once");
    drop(stop);
    simulator.control.idle().await;
    let sightings: Vec<_> = std::iter::from_fn(|| watching.try_recv().ok()).collect();
    let rested = has_rested(&sightings);
    let answered = answered(sightings.into_iter(), seed);
    // Whatever went wrong, the model has every answer. Only one who leaves in the middle of a turn may
    // take a last one along that waited for a connection, or that the provider does not read any more.
    let is_calm = is_tame && figures.reconnects.count() == 0;
    let checked = is_calm || (rested && left == Left::AfterTheTurn);
    if checked {
        let asked = outcomes.keys().filter(|id| id.starts_with("call-"));
        let unanswered: Vec<_> = asked.filter(|id| !answered.contains(**id)).collect();
        assert_eq!(unanswered, Vec::<&&str>::new(), "seed {seed}: every call is answered");
    }
    served.await.unwrap().unwrap();
    all_end(&format!("seed {seed}"), || app.voice().tasks()).await;
    Told { calls, reconnects: figures.reconnects.count(), checked }
}

/// When somebody left.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Left {
    AfterTheTurn,
    InTheMiddle,
}

/// Whether the provider's last turn was over: a client cannot tell the end of one that comes late from
/// the end of the next.
fn has_rested(sightings: &[Observed]) -> bool {
    let mut last = sightings.iter().rev().filter_map(|sighting| match &sighting.seen {
        ObservedEvent::Sent(frame) if !frame["sessionResumptionUpdate"].is_null() => None,
        ObservedEvent::Sent(frame) if frame["type"] == "rate_limits.updated" => None,
        ObservedEvent::Sent(frame) => Some(is_end(frame)),
        ObservedEvent::Text { .. } | ObservedEvent::Results(_) => Some(false),
        _ => None,
    });
    last.next() == Some(true)
}

/// Whether a frame of the provider ends a turn. A reply of OpenAI that makes calls does not.
fn is_end(frame: &Value) -> bool {
    let output = frame["response"]["output"].as_array();
    let calls = output.is_some_and(|items| items.iter().any(|it| it["type"] == "function_call"));
    let done = frame["type"] == "response.done" && !calls;
    frame["serverContent"]["turnComplete"] == true || done
}

/// The calls whose answers the provider received, once over each connection, or cancelled. Answers
/// as text count too.
fn answered(sightings: impl Iterator<Item = Observed>, seed: u64) -> BTreeSet<String> {
    let (mut seen, mut taken_back) = (BTreeSet::new(), BTreeSet::new());
    for sighting in sightings {
        match sighting.seen {
            ObservedEvent::Results(results) => results.into_iter().for_each(|result| {
                let first = seen.insert((sighting.connection, result.id.to_string()));
                assert!(first, "seed {seed}: {} is answered twice", result.id);
            }),
            ObservedEvent::Text { text, .. } => taken_back.extend(call_in(&text)),
            // One that was talked over is taken back, and nobody waits for its answer.
            ObservedEvent::Sent(frame) => {
                let ids = frame["toolCallCancellation"]["ids"].as_array();
                let ids = ids.into_iter().flatten().filter_map(|id| id.as_str());
                taken_back.extend(ids.map(str::to_owned));
            }
            _ => {}
        }
    }
    taken_back.extend(seen.into_iter().map(|(_, id)| id));
    taken_back
}

/// The call whose answer is sent as text.
fn call_in(text: &str) -> Option<String> {
    let (_, rest) = text.split_once("Call: ")?;
    rest.split_once('.').map(|(call, _)| call.to_owned())
}

fn faults(chance: &mut Chance) -> Vec<InjectedFault> {
    let mut faults = Vec::new();
    let at = 2 + chance.below(25);
    match chance.below(16) {
        0 | 1 => faults.push(InjectedFault::Drop { at }),
        2 => faults.push(InjectedFault::GoAway { at }),
        3 => faults.push(InjectedFault::Malformed { at }),
        4 => faults.push(InjectedFault::Cancel { at }),
        5 => faults.push(InjectedFault::DuplicateCall),
        6 => faults.push(InjectedFault::CallTwice),
        7 => faults.push(InjectedFault::Close { code: 1011, at }),
        8 => faults.push(InjectedFault::LateTurnComplete { ms: 10 + chance.below(100) }),
        9 => faults.push(InjectedFault::Slow { ms: 1 + chance.below(5) }),
        10 if chance.below(2) == 0 => faults.push(InjectedFault::NoTurnComplete),
        11 if chance.below(3) == 0 => faults.push(InjectedFault::RateLimit),
        _ => {}
    }
    if chance.below(3) == 0 {
        faults.push(InjectedFault::Drop { at: 2 + chance.below(40) });
    }
    faults
}

fn providers(base: &str) -> Providers {
    let reconnect = Reconnect { backoff: Backoff::NONE, max_attempts: 20, ..Reconnect::default() };
    let at = |kind, base: String| {
        let mut provider = Provider::new(kind, "m", ApiKey::new("k"));
        provider.base_url = Some(base);
        provider.reconnect = reconnect;
        provider
    };
    let gemini =
        at(VoiceProvider::Gemini(gemini_live::GeminiLiveOptions::default()), base.to_owned());
    let openai = VoiceProvider::Openai(openai_realtime::OpenaiRealtimeOptions::default());
    let openai = at(openai, format!("{base}/v1"));
    let known = [("gemini".to_owned(), gemini), ("openai".to_owned(), openai)];
    Providers::trusting("gemini", known, tls(RootCertStore::empty()).unwrap()).unwrap()
}

/// A few turns, with clicks, interruptions and broken connections in between.
async fn talk(address: &str, chance: &mut Chance, seed: u64) -> (String, Left) {
    let provider = if chance.below(2) == 0 { "gemini" } else { "openai" };
    let mut client = Client::connect(address, None).await.unwrap();
    client.say(json!({ "type": "start", "provider": provider })).await;
    let id = client.expect("ready").await["conversationId"].as_str().unwrap().to_owned();
    let mut left = Left::InTheMiddle;
    for turn in 0..3 + chance.below(3) {
        if chance.below(10) == 0 {
            client = Client::connect(address, None).await.unwrap();
            let start = json!({ "type": "start", "provider": provider, "conversationId": id });
            client.say(start).await;
        }
        client.audio(640).await;
        client.say(json!({ "type": "text", "text": format!("turn {turn} of {seed}") })).await;
        if chance.below(6) == 0 {
            client.say(json!({ "type": "interrupt" })).await;
        }
        left = match turn_is_over(&mut client, chance).await {
            Over::Turn => Left::AfterTheTurn,
            Over::OldTurn | Over::Reconnect => Left::InTheMiddle,
            Over::Session => return (id, Left::InTheMiddle),
        };
    }
    match chance.below(3) {
        // The client vanishes.
        0 => drop(client),
        _ => {
            client.say(json!({ "type": "stop" })).await;
            client.rest().await;
        }
    }
    (id, left)
}

/// The thing that has ended.
enum Over {
    Turn,
    /// One that was cut short; another may have begun.
    OldTurn,
    Reconnect,
    Session,
}

/// Waits for the end of the model's turn, and clicks where it is asked.
async fn turn_is_over(client: &mut Client, chance: &mut Chance) -> Over {
    let mut over = Over::Turn;
    loop {
        let Ok(sent) = tokio::time::timeout(PATIENCE, client.next()).await else {
            return Over::Reconnect;
        };
        match sent {
            Sent::Message(message) if message["type"] == "turn_complete" => return over,
            Sent::Message(message) if message["type"] == "interrupted" => over = Over::OldTurn,
            Sent::Message(message) if message["type"] == "confirmation_request" => {
                let approve = chance.below(2) == 0;
                let confirm =
                    json!({"type": "confirm", "token": message["token"], "approve": approve});
                client.say(confirm).await;
            }
            Sent::Message(message) if message["type"] == "ended" => return Over::Session,
            Sent::Message(_) | Sent::Audio(_) | Sent::Ping => {}
            Sent::Closed(_) | Sent::Gone => return Over::Session,
        }
    }
}
