//! How a server stops: requests in flight are completed, and new clients are refused.

use std::time::Duration;

use aileron_server::RequestLimits;
use aileron_simulator::manual_model::ManualTurn;
use aileron_simulator::simulated_model::ModelAction;
use serde_json::json;
use tokio::io::AsyncWriteExt;
use tokio::net::TcpStream;

use crate::client::{Answer, read};
use crate::one_history::house::{House, Rules, Town};
use crate::stage::{Plan, Stage};

#[tokio::test]
async fn a_request_under_way_is_answered_and_nobody_else_is_let_in() {
    let mut stage = Stage::usual().await;
    let ada = stage.ada();
    let body = b"{\"mode\":\"text\"}";
    let mut stream = ada.connect().await;
    stream.write_all(ada.head("POST", "/v1/conversations", Some(body)).as_bytes()).await.unwrap();
    stream.write_all(&body[..4]).await.unwrap();
    // A second request shows that the first was accepted.
    assert_eq!(ada.get("/health").await.status, 200);
    stage.ask_to_stop();
    stage.app.stopping().cancelled().await;
    assert!(TcpStream::connect(stage.address).await.is_err(), "the door is shut");
    stream.write_all(&body[4..]).await.unwrap();
    assert_eq!(read(&mut stream).await.status, 201);
    stage.stopped().await;
}

#[tokio::test]
async fn an_idle_connection_does_not_hold_up_the_end() {
    let mut stage = Stage::usual().await;
    let idle = stage.ada().connect().await;
    assert_eq!(stage.ada().get("/health").await.status, 200);
    stage.ask_to_stop();
    stage.stopped().await;
    drop(idle);
}

#[tokio::test]
async fn the_end_is_waited_for_only_so_long() {
    let limits = RequestLimits { grace: Duration::from_millis(100), ..Plan::default().limits };
    let mut stage = Plan { limits, ..Plan::default() }.start().await;
    let ada = stage.ada();
    let mut stream = ada.connect().await;
    let head = ada.head("POST", "/v1/conversations", Some(b"{\"mode\":\"text\"}"));
    stream.write_all(head.as_bytes()).await.unwrap();
    assert_eq!(ada.get("/health").await.status, 200);
    stage.ask_to_stop();
    stage.stopped().await;
}

/// A stream of chat, and the model in the middle of its answer.
async fn in_the_middle(
    town: &mut Town,
    house: &House,
) -> (tokio::task::JoinHandle<Answer>, ManualTurn) {
    let ada = house.ada();
    let body = json!({ "id": "c", "message": "Take your time." });
    let reading = tokio::spawn(async move { ada.post("/api/chat", body).await });
    (reading, town.hand.turn().await.unwrap())
}

#[tokio::test]
async fn an_answer_in_the_middle_comes_to_its_end() {
    let mut town = Town::new().await;
    let house = town.house(&[]).await;
    let (reading, turn) = in_the_middle(&mut town, &house).await;
    let stopping = house.stopping().await;
    turn.does(vec![ModelAction::Say("I took it.".to_owned())]);
    let stream = String::from_utf8(reading.await.unwrap().body).unwrap();
    assert!(stream.contains(" took"), "{stream}");
    assert!(stream.contains(r#""type":"finish""#) && !stream.contains("abort"), "{stream}");
    stopping.await.unwrap().unwrap();
}

#[tokio::test]
async fn an_answer_that_takes_longer_than_the_grace_is_cut_short_and_says_so() {
    let mut town = Town::new().await;
    let limits = RequestLimits { grace: Duration::from_millis(300), ..Rules::default().limits };
    let house = town.house_with(Rules { limits, ..Rules::default() }).await;
    let (reading, turn) = in_the_middle(&mut town, &house).await;
    house.stopping().await.await.unwrap().unwrap();
    let stream = String::from_utf8(reading.await.unwrap().body).unwrap();
    assert!(stream.contains(r#"{"type":"abort","reason":"the server stops"}"#), "{stream}");
    assert!(stream.contains("[DONE]"), "{stream}");
    drop(turn);
}
