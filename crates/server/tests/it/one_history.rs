//! One conversation in writing, aloud and in writing again: one history, one registry.

pub(crate) mod house;

use aileron_simulator::ObservedEvent;
use aileron_simulator::simulated_model::{HistoryItem, ModelAction, ModelInput};
use serde_json::{Value, json};

use self::house::{House, Town, call, words};

const QUESTION: &str = "Who leads Atlas?";
const ANSWER: &str = "Mira leads it [project:atlas].";

/// In writing: a search and an answer, then the person wants to talk.
async fn write(town: &mut Town, house: &House) {
    let answered = tokio::spawn(house.chat("talk-1", QUESTION));
    let search = call("kb_search", json!({ "query": "Atlas" }));
    let (results, turn) = town.hand.call(vec![search]).await.unwrap();
    assert_eq!(results.len(), 1);
    turn.does(vec![ModelAction::Say(ANSWER.to_owned())]);
    assert!(answered.await.unwrap().contains("Mira leads it"));
    let answered = tokio::spawn(house.chat("talk-1", "Let us talk."));
    let (_, turn) = town.hand.call(vec![call("start_voice_session", json!({}))]).await.unwrap();
    turn.does(vec![ModelAction::Say("Go ahead.".to_owned())]);
    answered.await.unwrap();
}

/// Checks that a model was given these, in this order, among others.
fn assert_told(scene: &ModelInput, wanted: &[&str]) {
    let told = words(scene);
    let mut rest = told.iter();
    for wanted in wanted {
        assert!(rest.any(|line| line.contains(wanted)), "{wanted:?} in order in {told:#?}");
    }
}

const WRITTEN: [&str; 6] = [
    "heard: Who leads Atlas?",
    "project:atlas",
    "said: Mira leads it",
    "heard: Let us talk.",
    "start_voice_session",
    "said: Go ahead.",
];

const SPOKEN: [&str; 5] = [
    "heard: What did I ask first?",
    "said: Who leads Atlas.",
    "heard: Search once more",
    "project:atlas",
    "said: It is still Mira.",
];

/// Aloud: an answer from what was written, and a search.
async fn talk(town: &mut Town, client: &mut crate::voice::client::Client) {
    client.say(json!({ "type": "text", "text": "What did I ask first?" })).await;
    let scene = town.hand.say("Who leads Atlas.").await.unwrap();
    assert_told(&scene, &WRITTEN);
    client.expect("turn_complete").await;
    town.simulator.control.hear("Search once more").unwrap();
    let search = call("kb_search", json!({ "query": "Atlas project" }));
    let (results, turn) = town.hand.call(vec![search]).await.unwrap();
    assert_eq!(results.len(), 1);
    turn.does(vec![ModelAction::Say("It is still Mira.".to_owned())]);
    client.expect("turn_complete").await;
}

async fn moves(provider: &str) {
    let mut town = Town::new().await;
    let house = town.house(&[]).await;
    write(&mut town, &house).await;
    let version = house.show("talk-1").await["registryVersion"].clone();
    house.install_another();
    let mut client = house.talk(provider, "talk-1").await;
    let ready = client.expect("ready").await;
    assert_eq!(ready["registryVersion"], version, "the registry it began with");
    talk(&mut town, &mut client).await;

    // The person loses the connection and comes back over another.
    drop(client);
    let mut client = house.talk(provider, "talk-1").await;
    client.expect("ready").await;
    client.say(json!({ "type": "text", "text": "I am back." })).await;
    let scene = town.hand.say("Welcome.").await.unwrap();
    assert_told(&scene, &[&WRITTEN[..], &SPOKEN[..], &["heard: I am back."]].concat());
    client.expect("turn_complete").await;
    client.say(json!({ "type": "stop" })).await;
    client.rest().await;

    // Back in writing, in the form that writing has.
    let answered = tokio::spawn(house.chat("talk-1", "Write it down."));
    let scene = town.hand.say("Written.").await.unwrap();
    assert_eq!(answered.await.unwrap(), "Written.");
    assert_told(
        &scene,
        &[&WRITTEN[..], &SPOKEN[..], &["heard: I am back.", "said: Welcome."]].concat(),
    );
    let calls = scene.items.iter().filter(|item| matches!(item, HistoryItem::Called(_))).count();
    let results =
        scene.items.iter().filter(|item| matches!(item, HistoryItem::Returned(_))).count();
    assert_eq!(
        (calls, results),
        (3, 3),
        "calls made aloud are calls in writing, each with its result"
    );
    assert_eq!(house.show("talk-1").await["registryVersion"], version);
}

#[tokio::test]
async fn a_conversation_moves_to_gemini_live_and_back_with_its_history() {
    moves("gemini").await;
}

#[tokio::test]
async fn a_conversation_moves_to_openai_realtime_and_back_with_its_history() {
    moves("openai").await;
}

#[tokio::test]
async fn a_session_that_is_stopped_while_its_turn_is_being_saved_ends() {
    let mut town = Town::new().await;
    let house = town.house(&[]).await;
    write(&mut town, &house).await;
    let mut client = house.talk("openai", "talk-1").await;
    client.expect("ready").await;
    let blocked = town.block_writes();
    client.say(json!({ "type": "text", "text": "Hello." })).await;
    town.hand.say("Welcome.").await.unwrap();
    client.expect("turn_complete").await;
    client.say(json!({ "type": "stop" })).await;
    house.show("talk-1").await;
    drop(blocked);
    let (messages, code) = client.rest().await;
    assert_eq!((&messages.last().unwrap()["reason"], code), (&json!("stopped"), 1000));
    let answered = tokio::spawn(house.chat("talk-1", "Write it down."));
    let scene = town.hand.say("Written.").await.unwrap();
    assert_eq!(answered.await.unwrap(), "Written.");
    assert_told(&scene, &[&WRITTEN[..], &["heard: Hello.", "said: Welcome."]].concat());
}

#[tokio::test]
async fn a_process_that_comes_after_goes_on_in_both_modes() {
    let mut town = Town::new().await;
    let first = town.house(&[]).await;
    write(&mut town, &first).await;
    let version = first.show("talk-1").await["registryVersion"].clone();
    first.stop().await;

    let second = town.house(&[house::another()]).await;
    let mut client = second.talk("gemini", "talk-1").await;
    assert_eq!(client.expect("ready").await["registryVersion"], version);
    talk(&mut town, &mut client).await;
    // The process dies with the session.
    second.stop().await;

    let third = town.house(&[house::another()]).await;
    let answered = tokio::spawn(third.chat("talk-1", "Still there?"));
    let scene = town.hand.say("Yes.").await.unwrap();
    assert_eq!(answered.await.unwrap(), "Yes.");
    assert_told(&scene, &[&WRITTEN[..], &SPOKEN[..], &["heard: Still there?"]].concat());
    assert_eq!(third.show("talk-1").await["registryVersion"], version);
}

#[tokio::test]
async fn everything_that_was_said_can_be_read_back() {
    let mut town = Town::new().await;
    let house = town.house(&[]).await;
    write(&mut town, &house).await;
    let mut client = house.talk("gemini", "talk-1").await;
    client.expect("ready").await;
    talk(&mut town, &mut client).await;
    client.say(json!({ "type": "stop" })).await;
    client.rest().await;

    let read = house.ada().get("/v1/conversations/talk-1/messages").await.json();
    let lines: Vec<_> = read["messages"].as_array().unwrap().iter().map(line).collect();
    assert_eq!(
        lines,
        [
            "1 1 person: Who leads Atlas?",
            "2 1 model: + kb_search",
            "3 1 tools: kb_search",
            "4 1 model: Mira leads it [project:atlas].",
            "5 2 person: Let us talk.",
            "6 2 model: + start_voice_session",
            "7 2 tools: start_voice_session",
            "8 2 model: Go ahead.",
            "9 3 person: What did I ask first?",
            "10 3 model: Who leads Atlas.",
            "11 4 person: Search once more",
            "12 4 model: + kb_search",
            "13 4 tools: kb_search",
            "14 4 model: It is still Mira.",
        ]
    );
    let entries = read["messages"].as_array().unwrap().iter();
    let spoken: Vec<_> = entries.filter(|entry| entry["spoken"] == true).map(line).collect();
    assert_eq!(
        spoken,
        [
            "10 3 model: Who leads Atlas.",
            "11 4 person: Search once more",
            "14 4 model: It is still Mira."
        ]
    );
    let last = house.ada().get("/v1/conversations/talk-1/messages?limit=2").await.json();
    assert_eq!(last["messages"].as_array().unwrap().len(), 2);
    let before = last["before"].as_u64().unwrap();
    let path = format!("/v1/conversations/talk-1/messages?limit=12&before={before}");
    let earlier = house.ada().get(&path).await.json();
    assert_eq!((earlier["messages"].as_array().unwrap().len(), earlier.get("before")), (12, None));
    assert_eq!(house.bob().get("/v1/conversations/talk-1/messages").await.status, 404);
    assert_eq!(house.ada().get("/v1/conversations/talk-1/messages?limit=0").await.status, 400);
    assert_eq!(house.ada().get("/v1/conversations/none/messages").await.status, 404);
}

/// A message of the log: its number, its turn, whose it is and what it says.
pub(crate) fn line(entry: &Value) -> String {
    let calls = entry["calls"].as_array().into_iter().flatten();
    let calls = calls.map(|call| format!("+ {}", call["toolId"].as_str().unwrap()));
    let answers = entry["answers"].as_array().into_iter().flatten();
    let answers =
        answers.map(|answer| answer["response"]["meta"]["toolId"].as_str().unwrap().to_owned());
    let text = entry["text"].as_str().filter(|text| !text.is_empty()).map(str::to_owned);
    let what: Vec<_> = text.into_iter().chain(calls).chain(answers).collect();
    let from = entry["from"].as_str().unwrap();
    format!("{} {} {from}: {}", entry["number"], entry["turn"], what.join(" "))
}

#[tokio::test]
async fn openai_knows_what_was_heard_of_a_reply_that_was_written_over() {
    let mut town = Town::new().await;
    let house = town.house(&[]).await;
    write(&mut town, &house).await;
    let mut client = house.talk("openai", "talk-1").await;
    client.expect("ready").await;
    let control = town.simulator.control.clone();
    let mut watching = control.watch();
    control.withhold_generation_complete().unwrap();
    client.say(json!({ "type": "text", "text": "Tell me about Atlas" })).await;
    town.hand.say("It was made in Reykjavik.").await.unwrap();
    while client.expect("transcript").await["text"] != " Reykjavik." {}
    client.say(json!({ "type": "text", "text": "Stop please" })).await;
    let turn = town.hand.turn().await.unwrap();
    control.release_turn_complete().unwrap();
    let scene = turn.does(vec![ModelAction::Say("As you wish.".to_owned())]);
    assert!(!words(&scene).join(" ").contains("Reykjavik"), "nothing of it was heard: {scene:?}");
    client.expect("turn_complete").await;
    let mut orders = Vec::new();
    while let Ok(sighting) = watching.try_recv() {
        match sighting.seen {
            ObservedEvent::Interrupt => orders.push("cut short".to_owned()),
            ObservedEvent::Truncate { audio_end_ms, .. } => {
                orders.push(format!("heard {audio_end_ms} ms"));
            }
            ObservedEvent::Refused { code, .. } => orders.push(code),
            _ => {}
        }
    }
    assert_eq!(orders, ["cut short", "heard 0 ms"]);
}

#[tokio::test]
async fn a_person_who_says_that_it_goes_on_in_writing_ends_the_voice() {
    let mut town = Town::new().await;
    let house = town.house(&[]).await;
    write(&mut town, &house).await;
    let mut client = house.talk("gemini", "talk-1").await;
    client.expect("ready").await;
    talk(&mut town, &mut client).await;
    let moved = house.ada().put("/v1/conversations/talk-1/mode", json!({ "mode": "text" })).await;
    assert_eq!((moved.status, &moved.json()["mode"]), (200, &json!("text")));
    assert_eq!(client.expect("ended").await["reason"], "taken_over");
    let answered = tokio::spawn(house.chat("talk-1", "In writing, please."));
    let scene = town.hand.say("Sure.").await.unwrap();
    assert_eq!(answered.await.unwrap(), "Sure.");
    assert_told(&scene, &[&WRITTEN[..], &SPOKEN[..]].concat());
}

#[tokio::test]
async fn somebody_who_talks_before_the_answer_is_written_waits_for_it() {
    let mut town = Town::new().await;
    let house = town.house(&[]).await;
    let answered = tokio::spawn(house.chat("talk-1", "Let us talk."));
    let (_, turn) = town.hand.call(vec![call("start_voice_session", json!({}))]).await.unwrap();
    let mut client = house.talk("gemini", "talk-1").await;
    turn.does(vec![ModelAction::Say("Go ahead.".to_owned())]);
    client.expect("ready").await;
    assert_eq!(answered.await.unwrap(), "Go ahead.");
    client.say(json!({ "type": "text", "text": "Here I am." })).await;
    let scene = town.hand.say("Good.").await.unwrap();
    assert_told(&scene, &["heard: Let us talk.", "said: Go ahead.", "heard: Here I am."]);
}

#[tokio::test]
async fn a_conversation_whose_registry_is_gone_is_refused_in_both_modes() {
    let mut town = Town::new().await;
    let first = town.house(&[]).await;
    write(&mut town, &first).await;
    first.stop().await;

    let house = town.house_of(&[house::another()]).await;
    let message = json!({ "id": "talk-1", "message": "Still there?" });
    let refused = house.ada().post("/api/chat", message).await;
    let sentence = String::from_utf8(refused.body.clone()).unwrap();
    assert_eq!(refused.status, 409, "{sentence}");
    assert!(sentence.starts_with("the conversation began with registry "), "{sentence}");
    let mut client = house.talk("gemini", "talk-1").await;
    assert_eq!(client.expect("error").await["code"], "registry_gone");
    let read = house.ada().get("/v1/conversations/talk-1/messages").await.json();
    assert_eq!(read["messages"][0]["text"], QUESTION, "what was said can be read all the same");
    let answered = &read["messages"][2]["answers"][0]["response"]["data"];
    assert_eq!(answered, "[redacted]", "what its tools want hidden is not known any more");
}

#[tokio::test]
async fn a_person_who_ends_the_conversation_ends_its_voice() {
    let mut town = Town::new().await;
    let house = town.house(&[]).await;
    write(&mut town, &house).await;
    let mut client = house.talk("gemini", "talk-1").await;
    client.expect("ready").await;
    assert_eq!(house.ada().delete("/v1/conversations/talk-1").await.status, 204);
    assert_eq!(client.expect("ended").await["reason"], "stopped");
}
