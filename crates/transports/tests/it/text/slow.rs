//! Servers that take too long. Time is held: it moves on by itself when nothing
//! else can happen.

use std::time::Duration;

use aileron_contract::text::ReplyEvent;
use aileron_transports::{TextModel, TextOptions};
use tokio::time::{Instant, interval};

use super::server::{HELLO, STREAM, Server, all, begin, fault};

#[tokio::test(start_paused = true)]
async fn a_server_that_never_answers_is_given_up() {
    let server = Server::new().await;
    let model = TextModel::new(server.once()).unwrap();
    let begun = Instant::now();
    let (visit, fault) = tokio::join!(server.visit(), fault(&model));
    assert_eq!(fault.code, "timeout");
    assert_eq!(begun.elapsed().as_secs(), 180);
    visit.left().await;
}

#[tokio::test(start_paused = true)]
async fn a_server_that_falls_silent_is_given_up() {
    let server = Server::new().await;
    let model = TextModel::new(server.once()).unwrap();
    let served = async {
        let mut visit = server.visit().await;
        visit.say(format!("{STREAM}{HELLO}")).await;
        visit.left().await;
    };
    let ((), (events, fault)) = tokio::join!(served, all(begin(&model)));
    assert_eq!(events, [ReplyEvent::Text("Hello".into())]);
    let fault = fault.unwrap();
    assert_eq!(
        (fault.code.as_str(), fault.message.as_str()),
        ("timeout", "expected more within 30000 ms, found none")
    );
}

#[tokio::test(start_paused = true)]
async fn a_model_that_thinks_before_its_first_word_is_waited_for() {
    let server = Server::new().await;
    let model = TextModel::new(server.once()).unwrap();
    let served = async {
        let mut visit = server.visit().await;
        visit.say(STREAM).await;
        tokio::time::sleep(Duration::from_secs(170)).await;
        visit.say(HELLO).await;
        visit.left().await;
    };
    let begun = Instant::now();
    let ((), (events, fault)) = tokio::join!(served, all(begin(&model)));
    assert_eq!(events, [ReplyEvent::Text("Hello".into())]);
    assert_eq!(fault.unwrap().message, "expected more within 30000 ms, found none");
    assert_eq!(begun.elapsed().as_secs(), 200);
}

#[tokio::test(start_paused = true)]
async fn a_server_that_is_alive_and_says_nothing_is_given_up() {
    let server = Server::new().await;
    let mut options: TextOptions = server.once();
    options.timeouts.whole = Duration::from_secs(60);
    let model = TextModel::new(options).unwrap();
    let begun = Instant::now();
    let alive = async {
        let mut visit = server.visit().await;
        visit.say(STREAM).await;
        let mut second = interval(Duration::from_secs(1));
        loop {
            second.tick().await;
            visit.say(": still here\n\n").await;
        }
    };
    let fault = tokio::select! {
        () = alive => None,
        fault = fault(&model) => Some(fault),
    };
    assert_eq!(fault.unwrap().message, "expected the end within 60000 ms, found none");
    assert_eq!(begun.elapsed().as_secs(), 60);
}

#[tokio::test(start_paused = true)]
async fn a_reply_that_has_ended_needs_no_end_of_its_connection() {
    let server = Server::new().await;
    let model = TextModel::new(server.once()).unwrap();
    let served = async {
        let mut visit = server.visit().await;
        let last = r#"data: {"choices":[{"delta":{"content":"Hi"},"finish_reason":"stop"}]}"#;
        visit.say(format!("{STREAM}{last}\n\n")).await;
        visit.left().await;
    };
    let ((), (events, fault)) = tokio::join!(served, all(begin(&model)));
    assert_eq!((events.len(), fault), (2, None));
}
