//! How a server stops: what is under way comes to its end, and nobody new is let in.

use std::time::Duration;

use aileron_server::Limits;
use tokio::io::AsyncWriteExt;
use tokio::net::TcpStream;

use crate::client::read;
use crate::stage::{Plan, Stage};

#[tokio::test]
async fn a_request_under_way_is_answered_and_nobody_else_is_let_in() {
    let mut stage = Stage::usual().await;
    let ada = stage.ada();
    let body = b"{\"mode\":\"text\"}";
    let mut stream = ada.connect().await;
    stream.write_all(ada.head("POST", "/v1/conversations", Some(body)).as_bytes()).await.unwrap();
    stream.write_all(&body[..4]).await.unwrap();
    // Another request on its way shows that the first has been taken up.
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
    let limits = Limits { grace: Duration::from_millis(100), ..Plan::default().limits };
    let mut stage = Plan { limits, ..Plan::default() }.start().await;
    let ada = stage.ada();
    let mut stream = ada.connect().await;
    let head = ada.head("POST", "/v1/conversations", Some(b"{\"mode\":\"text\"}"));
    stream.write_all(head.as_bytes()).await.unwrap();
    assert_eq!(ada.get("/health").await.status, 200);
    stage.ask_to_stop();
    stage.stopped().await;
}
