//! A conversation that moves from writing to voice with a first sentence: the model says it before the
//! person says anything, and it is in the history as it was spoken.

use aileron_simulator::simulated_model::ModelAction;
use serde_json::{Value, json};

use super::client::{Client, Sent};
use crate::one_history::house::{House, Town, call, words};
use crate::one_history::line;

const OPENING: &str = "Here I am. Shall we begin?";

/// In writing: the person wants to talk, and the model has a first sentence.
async fn asks_for_voice(town: &mut Town, house: &House) {
    let answered = tokio::spawn(house.chat("talk-1", "Let us talk."));
    let start = call("start_voice_session", json!({ "opening_message": OPENING }));
    let (_, turn) = town.hand.call(vec![start]).await.unwrap();
    turn.does(vec![ModelAction::Say("Go ahead.".to_owned())]);
    answered.await.unwrap();
}

/// All that is said until the turn is complete: final words, and how much audio.
async fn spoken(client: &mut Client) -> (Vec<Value>, usize) {
    let (mut finals, mut audio) = (Vec::new(), 0);
    loop {
        match client.next().await {
            Sent::Audio(bytes) => audio += bytes,
            Sent::Message(message) if message["type"] == "turn_complete" => return (finals, audio),
            Sent::Message(message) if message["final"] == true => finals.push(message),
            Sent::Message(_) | Sent::Ping => {}
            other => panic!("unexpected {other:?}"),
        }
    }
}

async fn opens(provider: &str) {
    let mut town = Town::new().await;
    let house = town.house(&[]).await;
    asks_for_voice(&mut town, &house).await;
    let mut client = house.talk(provider, "talk-1").await;
    client.expect("ready").await;
    let (finals, audio) = spoken(&mut client).await;
    let said = json!({ "type": "transcript", "role": "assistant", "text": OPENING, "final": true });
    assert_eq!(finals, [said], "{provider}");
    assert!(audio > 0, "{provider}: it was spoken");
    // All of it was played.
    house.clock.advance(10_000);

    // The person's first words are answered once, and nothing is said in between.
    client.say(json!({ "type": "text", "text": "Who leads Atlas?" })).await;
    let scene = town.hand.say("Mira.").await.unwrap();
    let told = words(&scene);
    assert!(told.contains(&format!("said: {OPENING}")), "{provider}: {told:#?}");
    assert!(!told.iter().any(|line| line.contains("Say exactly")), "{provider}: {told:#?}");
    let (finals, _) = spoken(&mut client).await;
    assert_eq!(finals.len(), 1, "{finals:?}");
    client.say(json!({ "type": "stop" })).await;
    client.rest().await;

    let read = house.ada().get("/v1/conversations/talk-1/messages").await.json();
    let lines: Vec<_> = read["messages"].as_array().unwrap().iter().map(line).collect();
    let aloud = [
        format!("5 1 model: {OPENING}"),
        "6 2 person: Who leads Atlas?".to_owned(),
        "7 2 model: Mira.".to_owned(),
    ];
    assert_eq!(lines[4..], aloud, "{provider}: {lines:#?}");
}

#[tokio::test]
async fn gemini_speaks_the_opening_before_the_person_says_anything() {
    opens("gemini").await;
}

#[tokio::test]
async fn openai_speaks_the_opening_before_the_person_says_anything() {
    opens("openai").await;
}

#[tokio::test]
async fn an_opening_is_spoken_once_however_often_the_person_comes_back() {
    let mut town = Town::new().await;
    let house = town.house(&[]).await;
    asks_for_voice(&mut town, &house).await;
    let mut client = house.talk("gemini", "talk-1").await;
    client.expect("ready").await;
    spoken(&mut client).await;
    drop(client);
    let mut client = house.talk("gemini", "talk-1").await;
    client.expect("ready").await;
    client.say(json!({ "type": "text", "text": "Who leads Atlas?" })).await;
    town.hand.say("Mira.").await.unwrap();
    let (finals, _) = spoken(&mut client).await;
    assert_eq!(finals.len(), 1, "{finals:?}");
    assert_eq!(finals[0]["text"], "Mira.");
}
