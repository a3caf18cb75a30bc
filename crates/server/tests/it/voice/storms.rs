//! Providers that end each connection as soon as it is made: few connections are made, the person's
//! words are sent a few times, and the client is notified of the failure.

use serde_json::{Value, json};

use super::client::Client;
use super::provider::Peer;
use super::stage::Stage;

/// How a provider treats a connection that is set up.
#[derive(Debug, Clone, Copy)]
enum Fate {
    /// `goAway` with this much time left, which is not used.
    GoAway(&'static str),
    Close(u16),
    /// It begins to speak, and leaves.
    SpeakAndGo,
}

async fn meet(peer: &mut Peer, fate: Fate) {
    match fate {
        Fate::GoAway(left) => peer.say(json!({ "goAway": { "timeLeft": left } })).await,
        Fate::Close(code) => {
            let frame = tungstenite::protocol::CloseFrame { code: code.into(), reason: "".into() };
            peer.0.close(Some(frame)).await.unwrap();
        }
        Fate::SpeakAndGo => {
            peer.speak().await;
            peer.say(json!({ "goAway": { "timeLeft": "0s" } })).await;
        }
    }
}

/// The number of connections until the failure, how often the question was sent, and all messages
/// to the client.
async fn storm(fate: Fate) -> (usize, usize, Vec<Value>) {
    let stage = Stage::new().await;
    let mut client: Client = stage.client().await;
    client.start().await;
    let (mut connections, mut asked) = (0, 0);
    let provider = async {
        loop {
            let (mut peer, setup) = stage.upstream.gemini().await;
            connections += 1;
            // The history comes first, and requests no reply.
            let history = &setup["setup"]["historyConfig"]["initialHistoryInClientContent"];
            if *history == json!(true) {
                assert!(peer.read().await["clientContent"].is_object());
            }
            if connections == 1 {
                // The person's words are there before the connection ends.
                asked += usize::from(peer.read().await["clientContent"].is_object());
            }
            meet(&mut peer, fate).await;
            while let Some(frame) = peer.try_read().await {
                asked += usize::from(frame["clientContent"].is_object());
            }
        }
    };
    let told = async {
        client.expect("ready").await;
        client.say(json!({ "type": "text", "text": "what is Atlas?" })).await;
        client.rest().await.0
    };
    let told = tokio::select! { told = told => told, () = provider => unreachable!() };
    (connections, asked, told)
}

fn codes(told: &[Value]) -> Vec<&str> {
    told.iter().filter_map(|one| one["code"].as_str()).collect()
}

#[track_caller]
fn check((connections, asked, told): (usize, usize, Vec<Value>)) {
    // Three attempts after the first connection are all that this server makes.
    assert_eq!(connections, 4);
    assert!(asked <= 3, "asked {asked} times");
    let codes = codes(&told);
    assert!(codes.contains(&"reconnecting"), "{told:?}");
    assert_eq!(codes.iter().filter(|code| **code == "reply_failed").count(), 1, "{told:?}");
    assert_eq!(codes.last(), Some(&"upstream_lost"), "{told:?}");
    assert_eq!(told.last().unwrap()["reason"], "upstream_lost");
}

#[tokio::test]
async fn a_provider_that_leaves_each_fresh_connection_is_given_up() {
    check(storm(Fate::GoAway("0s")).await);
}

#[tokio::test]
async fn a_provider_that_closes_each_fresh_connection_is_given_up() {
    check(storm(Fate::Close(1011)).await);
}

#[tokio::test]
async fn a_provider_that_begins_to_speak_and_leaves_is_given_up() {
    check(storm(Fate::SpeakAndGo).await);
}

#[tokio::test]
async fn the_time_that_a_leaving_provider_gives_is_used_for_the_reply() {
    let stage = Stage::new().await;
    let mut client = stage.client().await;
    client.start().await;
    let (mut peer, _) = stage.upstream.gemini().await;
    client.expect("ready").await;
    peer.say(json!({ "goAway": { "timeLeft": "2s" } })).await;
    let (mut peer, _) = stage.upstream.gemini().await;
    peer.say(json!({ "goAway": { "timeLeft": "20s" } })).await;
    client.say(json!({ "type": "text", "text": "what is Atlas?" })).await;
    assert!(peer.read().await["clientContent"].is_object());
    peer.speak().await;
    peer.turn_complete().await;
    let next = client.expect("turn_complete").await;
    assert_eq!(next, json!({ "type": "turn_complete" }));
    // It was of use, so the next is made at once.
    stage.upstream.gemini().await;
}
