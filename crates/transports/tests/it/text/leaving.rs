//! A reading that is dropped closes its connection, wherever it was.

use super::server::{HELLO, STREAM, Server, begin};

#[tokio::test]
async fn leaving_before_the_answer_closes_the_connection() {
    let server = Server::new().await;
    let mut reading = begin(&server.model());
    let visit = tokio::select! {
        visit = server.visit() => visit,
        next = reading.next() => panic!("expected no answer, found {next:?}"),
    };
    drop(reading);
    visit.left().await;
}

#[tokio::test]
async fn leaving_in_the_middle_of_a_reply_closes_the_connection() {
    let server = Server::new().await;
    let model = server.model();
    let mut reading = begin(&model);
    let served = async {
        let mut visit = server.visit().await;
        visit.say(format!("{STREAM}{HELLO}")).await;
        visit
    };
    let (visit, first) = tokio::join!(served, reading.next());
    first.unwrap().unwrap();
    drop(reading);
    visit.left().await;
}

#[tokio::test]
async fn a_reply_that_nobody_reads_is_not_asked_for() {
    let server = Server::new().await;
    drop(begin(&server.model()));
    tokio::select! {
        biased;
        _ = server.tcp() => panic!("expected no connection, found one"),
        () = tokio::task::yield_now() => {}
    }
}
