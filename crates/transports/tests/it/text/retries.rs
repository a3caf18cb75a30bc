//! When a request is made again, and when it is not. Time is held, so that
//! waits cost nothing and can be measured.

use std::time::Duration;

use aileron_contract::text::ReplyEvent;
use aileron_contract::transport::Severity;
use aileron_transports::TextModel;
use tokio::time::Instant;

use super::server::{DONE, HELLO, STREAM, Server, all, begin, failed, fault, status, words};

fn busy(headers: &str) -> String {
    status("429 Too Many Requests", headers, r#"{"error":{"message":"slow down"}}"#)
}

fn whole() -> String {
    format!("{STREAM}{HELLO}{DONE}")
}

/// How long a reply takes that is answered like this at first and well in the end.
async fn waited(first: String) -> Duration {
    let server = Server::new().await;
    let begun = Instant::now();
    let served = async {
        server.answer(first).await;
        server.answer(whole()).await;
    };
    let ((), words) = tokio::join!(served, words(begin(&server.model())));
    assert_eq!(words, "Hello");
    begun.elapsed()
}

#[tokio::test(start_paused = true)]
async fn the_wait_that_is_asked_for_is_kept() {
    let close = |waited: Duration, asked: u64| {
        let asked = Duration::from_millis(asked);
        assert!(waited >= asked && waited < asked + Duration::from_millis(50), "{waited:?}");
    };
    close(waited(busy("retry-after: 7\r\n")).await, 7000);
    close(waited(busy("retry-after-ms: 1500\r\n")).await, 1500);
    close(waited(busy("retry-after: Sun, 06 Nov 1994 08:49:37 GMT\r\n")).await, 0);
}

#[tokio::test(start_paused = true)]
async fn without_a_wish_the_wait_is_short() {
    for first in [
        busy(""),
        status("503 Service Unavailable", "", "<html>busy</html>"),
        status("400 Bad Request", "x-should-retry: true\r\n", ""),
        // The connection is closed without a word.
        String::new(),
        // A head that breaks off, a stream that does, and one that fails before it says anything.
        "HTTP/1.1 200 O".to_owned(),
        STREAM.to_owned(),
        format!("{STREAM}data: {{\"error\":{{\"type\":\"server_error\"}}}}\n\n"),
    ] {
        let waited = waited(first.clone()).await.as_millis();
        assert!((250..=550).contains(&waited), "{waited} ms after {first:?}");
    }
}

#[tokio::test(start_paused = true)]
async fn patience_ends_after_four_attempts() {
    let server = Server::new().await;
    let served = async {
        for _ in 0..4 {
            server.answer(status("500 Oh", "", r#"{"error":{"message":"m"}}"#)).await;
        }
    };
    let ((), fault) = tokio::join!(served, failed(server.model()));
    assert_eq!((fault.code.as_str(), fault.message.as_str()), ("http 500", "m"));
    assert_eq!(fault.severity, Severity::Retry);
}

#[tokio::test(start_paused = true)]
async fn a_provider_that_wants_to_be_left_alone_for_long_is() {
    let server = Server::new().await;
    let begun = Instant::now();
    let served = server.answer(busy("retry-after: 3600\r\n"));
    let ((), fault) = tokio::join!(served, failed(server.model()));
    assert_eq!(fault.retry_after, Some(Duration::from_secs(3600)));
    assert!(begun.elapsed() < Duration::from_secs(1));
}

#[tokio::test(start_paused = true)]
async fn what_would_end_the_same_way_is_not_tried_again() {
    for (answer, code) in [
        (
            status("401 Unauthorized", "", r#"{"error":{"code":"invalid_api_key"}}"#),
            "invalid_api_key",
        ),
        (status("404 Not Found", "", "<!doctype html>"), "http 404"),
        (status("302 Found", "location: http://127.0.0.1:1/\r\n", ""), "http 302"),
        (
            status("429 Too Many", "", r#"{"error":{"code":"insufficient_quota"}}"#),
            "insufficient_quota",
        ),
        (status("503 No", "x-should-retry: false\r\n", ""), "http 503"),
    ] {
        let server = Server::new().await;
        let ((), fault) = tokio::join!(server.answer(answer), failed(server.model()));
        assert_eq!((fault.code.as_str(), fault.severity), (code, Severity::Fatal));
    }
}

#[tokio::test(start_paused = true)]
async fn a_reply_that_was_begun_is_not_asked_for_again() {
    let server = Server::new().await;
    let model = server.model();
    let served = server.answer(format!("{STREAM}{HELLO}"));
    let ((), (events, fault)) = tokio::join!(served, all(begin(&model)));
    assert_eq!(events, [ReplyEvent::Text("Hello".into())]);
    assert_eq!(fault.unwrap().code, "cut_short");
}

#[tokio::test(start_paused = true)]
async fn a_server_that_is_not_there_is_a_fault_in_the_end() {
    let options = Server::new().await.options("openai_chat");
    let begun = Instant::now();
    let fault = fault(&TextModel::new(options).unwrap()).await;
    assert_eq!((fault.code.as_str(), fault.severity), ("connection", Severity::Retry));
    let waited = begun.elapsed().as_millis();
    assert!((1750..=3600).contains(&waited), "{waited} ms over three waits");
}
