//! Streams that break, readers that leave or stall, and answers that are stopped.

use std::time::Duration;

use aileron_server::ChatOptions;
use aileron_simulator::http::HttpFaults;

use super::http::{finish, read_until, send};
use super::world::{World, user};

async fn begin(world: &World, text: &str) -> tokio::net::TcpStream {
    let body = user("c", text).to_string();
    let mut socket = send(world.address, "POST /api/chat", "ada", body.as_bytes()).await;
    read_until(&mut socket, "start-step").await;
    socket
}

#[tokio::test]
async fn a_broken_stream_is_resumed_from_its_beginning() {
    let world = World::new().await;
    drop(begin(&world, "wait Here I am").await);
    let mut resumed = send(world.address, "GET /api/chat/c/stream", "ada", b"").await;
    let head = read_until(&mut resumed, "start-step").await;
    assert!(head.contains("\"type\":\"start\""), "{head}");
    world.brain.open("Here I am");
    let rest = finish_body(resumed).await;
    assert_eq!(words(&rest), "Here I am");
    assert!(rest.ends_with("data: [DONE]\n\n"), "{rest}");
    assert_eq!(world.get("ada", "c").await.status, 204);
}

/// The words in the rest of a stream.
fn words(rest: &str) -> String {
    let deltas = rest.split("\"delta\":\"").skip(1);
    deltas.filter_map(|delta| delta.split('"').next()).collect()
}

async fn finish_body(mut socket: tokio::net::TcpStream) -> String {
    let mut rest = String::new();
    tokio::io::AsyncReadExt::read_to_string(&mut socket, &mut rest).await.unwrap();
    rest
}

#[tokio::test]
async fn two_readers_read_the_same_and_others_nothing() {
    let world = World::new().await;
    let first = begin(&world, "wait Both of you").await;
    let second = send(world.address, "GET /api/chat/c/stream", "ada", b"").await;
    assert_eq!(world.get("bob", "c").await.status, 204);
    assert_eq!(world.get("bob", "d").await.status, 204);
    world.brain.open("Both of you");
    let (first, second) = (finish_body(first).await, finish(second).await);
    assert_eq!((words(&first).as_str(), second.text().as_str()), ("Both of you", "Both of you"));
}

#[tokio::test]
async fn an_answer_that_nobody_reads_is_called_off() {
    let options = ChatOptions { resume_within: Duration::ZERO, ..ChatOptions::default() };
    let world = World::with(HttpFaults::default(), options).await;
    let reading = begin(&world, "wait For ever").await;
    world.brain.reached("For ever").await;
    drop(reading);
    world.brain.left("For ever").await;
    assert_eq!(world.get("ada", "c").await.status, 204);
    let next = world.say("ada", "c", "say Next").await;
    assert_eq!(next.text(), "Next");
    let kept = world.kept("c").await;
    assert_eq!(kept.len(), 3, "{kept:?}");
}

#[tokio::test]
async fn whoever_writes_again_has_left_the_answer_before() {
    let world = World::new().await;
    drop(begin(&world, "wait For ever").await);
    let next = world.say("ada", "c", "say Next").await;
    assert_eq!(next.text(), "Next");
}

#[tokio::test]
async fn a_second_message_while_the_first_is_read_is_refused_after_a_while() {
    let world = World::new().await;
    let first = begin(&world, "wait One at a time").await;
    let second = world.say("ada", "c", "say Two").await;
    assert_eq!(second.status, 409);
    assert!(second.body.contains("still being answered"), "{second:?}");
    world.brain.open("One at a time");
    assert_eq!(words(&finish_body(first).await), "One at a time");
}

#[tokio::test]
async fn an_answer_can_be_stopped() {
    let world = World::new().await;
    let socket = begin(&world, "wait For ever").await;
    let stop = send(world.address, "DELETE /api/chat/c/stream", "ada", b"").await;
    assert_eq!(finish(stop).await.status, 204);
    let rest = finish_body(socket).await;
    assert!(rest.contains(r#"{"type":"abort","reason":"stopped"}"#), "{rest}");
    assert!(rest.ends_with("data: [DONE]\n\n"));
}

#[tokio::test]
async fn the_end_of_a_conversation_stops_its_answer() {
    let world = World::new().await;
    let socket = begin(&world, "wait For ever").await;
    let end = send(world.address, "DELETE /v1/conversations/c", "ada", b"").await;
    assert_eq!(finish(end).await.status, 204);
    let rest = finish_body(socket).await;
    assert!(rest.contains(r#"{"type":"abort","reason":"stopped"}"#), "{rest}");
}

#[tokio::test]
async fn a_reader_that_stops_reading_holds_nothing_up() {
    let options = ChatOptions { stalled_after: Duration::ZERO, ..ChatOptions::default() };
    let world = World::with(HttpFaults::default(), options).await;
    let stalled = begin(&world, "flood me").await;
    world.kept_with("c", "xxxx").await;
    let next = world.say("ada", "c", "say Next").await;
    assert_eq!(next.text(), "Next");
    assert!(finish_body(stalled).await.ends_with("data: [DONE]\n\n"));
}
