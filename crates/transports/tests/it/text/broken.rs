//! Answers that are not what was asked for: each a clear fault, none a hang or
//! a memory that grows.

use aileron_contract::text::ReplyEvent;
use aileron_contract::transport::Severity;
use aileron_transports::text::ByteLimits;
use aileron_transports::{TextModel, TextOptions};

use super::server::{HELLO, STREAM, Server, all, begin, fault, status};

const SMALL: ByteLimits = ByteLimits { event: 1 << 20, reply: 2 << 20 };

async fn check(answer: impl AsRef<[u8]>, code: &str, message: &str, severity: Severity) {
    let server = Server::new().await;
    let model = TextModel::new(server.once()).unwrap();
    let ((), fault) = tokio::join!(server.answer(answer), fault(&model));
    assert_eq!(
        (fault.code.as_str(), fault.message.as_str(), fault.severity),
        (code, message, severity)
    );
}

#[tokio::test]
async fn a_page_is_no_reply() {
    let message = "expected a stream of events, found an HTML page";
    let page = status("200 OK", "content-type: text/html; charset=utf-8\r\n", "<html>Welcome");
    check(page, "not_a_stream", message, Severity::Fatal).await;
    let unmarked = format!("{STREAM}<!DOCTYPE html><html>Welcome");
    check(unmarked, "not_a_stream", message, Severity::Fatal).await;
    let gateway = status("502 Bad Gateway", "content-type: text/html\r\n", "<html>nginx");
    check(gateway, "http 502", "an HTML page", Severity::Retry).await;
}

#[tokio::test]
async fn json_in_place_of_a_stream_is_told_apart_from_an_error_in_it() {
    let kind = "content-type: application/json\r\n";
    let whole = status("200 OK", kind, r#"{"choices":[{"message":{"content":"Hello"}}]}"#);
    let message = "expected a stream of events, found JSON in one piece";
    check(whole, "not_a_stream", message, Severity::Fatal).await;
    let error = status("200 OK", kind, r#"{"error":{"type":"server_error","message":"m"}}"#);
    check(error, "server_error", "m", Severity::Retry).await;
}

#[tokio::test]
async fn a_body_that_nobody_asked_to_compress_is_refused() {
    let zipped = status("200 OK", "content-encoding: gzip\r\n", "\u{1f}\u{8b}");
    check(zipped, "compressed", "expected no compression, found gzip", Severity::Fatal).await;
}

#[tokio::test]
async fn bytes_that_are_not_text_are_a_fault() {
    let bytes = [STREAM.as_bytes(), b"data: \xff\xfe\n\n"].concat();
    check(bytes, "not_utf8", "expected events in UTF-8, found other bytes", Severity::Retry).await;
}

#[tokio::test]
async fn half_a_call_is_a_fault() {
    let server = Server::new().await;
    let model = TextModel::new(server.once()).unwrap();
    let half = r#"data: {"choices":[{"delta":{"tool_calls":[{"index":0,"id":"a","function":{"name":"t","arguments":"{\"x"}}]}}]}"#;
    let served = server.answer(format!("{STREAM}{half}\n\n"));
    let ((), (events, fault)) = tokio::join!(served, all(begin(&model)));
    assert!(matches!(events.as_slice(), [ReplyEvent::CallBegun { .. }]), "{events:?}");
    assert_eq!(fault.unwrap().code, "cut_short");
}

/// A server that repeats itself for ever after `head`; how many bytes it got rid of.
async fn for_ever(limits: ByteLimits, head: &str, piece: Vec<u8>, message: &str) -> usize {
    let server = Server::new().await;
    let model = TextModel::new(TextOptions { limits, ..server.once() }).unwrap();
    let served = async {
        let mut visit = server.visit().await;
        visit.say(format!("{STREAM}{head}")).await;
        visit.say_for_ever(&piece).await
    };
    let (written, (_, fault)) = tokio::join!(served, all(begin(&model)));
    let fault = fault.unwrap();
    assert_eq!((fault.code.as_str(), fault.message.as_str()), ("too_large", message));
    written
}

#[tokio::test]
async fn a_line_without_end_is_cut_off_at_its_limit() {
    let message = "expected a shorter event, found one without end";
    let written = for_ever(ByteLimits::default(), "data: ", vec![b'x'; 64 << 10], message).await;
    // The limit, and what the two ends of the connection hold for each other.
    assert!(written < 24 << 20, "{written} bytes were taken");
}

#[tokio::test]
async fn an_event_of_lines_without_end_is_cut_off_at_its_limit() {
    let message = "expected a shorter event, found one without end";
    for_ever(
        SMALL,
        "",
        b"data: a line of no great length, and there are many of them\n".repeat(1 << 10),
        message,
    )
    .await;
}

#[tokio::test]
async fn a_reply_without_end_is_cut_off_at_its_limit() {
    let message = "expected at most 2097152 bytes, found more";
    for_ever(SMALL, "", b": still here\n\n".repeat(4 << 10), message).await;
    for_ever(SMALL, "", HELLO.repeat(1 << 10).into_bytes(), message).await;
}

#[tokio::test]
async fn an_error_without_end_is_told_by_its_beginning() {
    let server = Server::new().await;
    let model = TextModel::new(server.once()).unwrap();
    let served = async {
        let mut visit = server.visit().await;
        visit.say("HTTP/1.1 400 Bad\r\nconnection: close\r\n\r\n").await;
        visit.say_for_ever(&[b'x'; 4096]).await
    };
    let (_, fault) = tokio::join!(served, fault(&model));
    assert_eq!((fault.code.as_str(), fault.message.len()), ("http 400", 300));
}
