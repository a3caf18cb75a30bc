//! Requests and replies of every provider over a connection.

use aileron_contract::Provider;
use aileron_contract::text::ReplyEvent;
use aileron_transports::text::ApiKey;
use aileron_transports::{TextModel, TextOptions, tls};
use rustls::RootCertStore;
use serde_json::json;

use super::server::{DONE, HELLO, STREAM, Server, Visit, all, begin, fault, words};
use crate::tls::certificate;

#[tokio::test]
async fn pieces_are_told_while_the_reply_is_still_written() {
    let server = Server::new().await;
    let mut reading = begin(&server.model());
    let (mut visit, first) = tokio::join!(
        async {
            let mut visit = server.visit().await;
            visit.say(STREAM).await;
            visit.say(HELLO).await;
            visit
        },
        reading.next()
    );
    assert_eq!(first, Some(Ok(ReplyEvent::Text("Hello".into()))));
    visit.say(HELLO).await;
    assert_eq!(reading.next().await, Some(Ok(ReplyEvent::Text("Hello".into()))));
    visit.finish(DONE).await;
    assert!(matches!(reading.next().await, Some(Ok(ReplyEvent::Done(_)))));
    assert_eq!(reading.next().await, None);
}

#[tokio::test]
async fn a_wait_that_is_given_up_loses_nothing() {
    let server = Server::new().await;
    let mut reading = begin(&server.model());
    let mut visit = tokio::select! {
        biased;
        visit = server.visit() => visit,
        next = reading.next() => panic!("expected no answer, found {next:?}"),
    };
    assert_eq!(visit.body["messages"][1], json!({ "role": "user", "content": "hi" }));
    visit.say(STREAM).await;
    for _ in 0..3 {
        tokio::select! {
            biased;
            next = reading.next() => panic!("expected no event, found {next:?}"),
            () = tokio::task::yield_now() => {}
        }
    }
    visit.finish(format!("{HELLO}{DONE}")).await;
    assert_eq!(words(reading).await, "Hello");
}

#[tokio::test]
async fn a_connection_serves_one_request_after_another() {
    let server = Server::new().await;
    let model = server.model();
    let head =
        "HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\ntransfer-encoding: chunked\r\n\r\n";
    let reply = format!("{HELLO}{DONE}");
    let served = async {
        let mut visit = server.visit().await;
        visit.say(format!("{head}{:x}\r\n{reply}\r\n", reply.len())).await;
        visit
    };
    let (mut visit, first) = tokio::join!(served, words(begin(&model)));
    // The end of the body comes after the end of the reply.
    visit.say("0\r\n\r\n").await;
    // The client takes notice of it while nothing else is going on.
    let served = async {
        for _ in 0..100 {
            tokio::task::yield_now().await;
        }
        let second = words(begin(&model));
        let answered = async {
            let mut visit = visit.again().await;
            visit.say(format!("{head}{:x}\r\n{reply}\r\n0\r\n\r\n", reply.len())).await;
        };
        tokio::join!(answered, second).1
    };
    assert_eq!((first.as_str(), served.await.as_str()), ("Hello", "Hello"));
}

/// The request as the server sees it: the first line and the requested headers.
async fn seen(name: &str, headers: &[&str]) -> (String, Vec<bool>) {
    let server = Server::new().await;
    let options = TextOptions { key: Some(ApiKey::new("k-1")), ..server.options(name) };
    let model = TextModel::new(options).unwrap();
    let mut reading = begin(&model);
    let visit = tokio::select! {
        visit = server.visit() => visit,
        next = reading.next() => panic!("expected no answer, found {next:?}"),
    };
    let found = headers.iter().map(|header| visit.head.lines().any(|line| line == *header));
    (visit.head.lines().next().unwrap().to_owned(), found.collect())
}

#[tokio::test]
async fn each_provider_is_asked_in_its_own_way() {
    let common = ["content-type: application/json", "accept-encoding: identity"];
    for (name, line, key) in [
        (
            "gemini",
            "post /v1/models/m:streamgeneratecontent?alt=sse http/1.1",
            "x-goog-api-key: k-1",
        ),
        ("openai", "post /v1/responses http/1.1", "authorization: bearer k-1"),
        ("openai_chat", "post /v1/chat/completions http/1.1", "authorization: bearer k-1"),
        ("anthropic", "post /v1/messages http/1.1", "authorization: bearer k-1"),
    ] {
        let headers = [common[0], common[1], key];
        assert_eq!(seen(name, &headers).await, (line.to_owned(), vec![true; 3]), "{name}");
    }
}

#[tokio::test]
async fn each_provider_says_whose_messages_and_declarations_are_its_own() {
    let server = Server::new().await;
    let of = |name| {
        let model = TextModel::new(server.options(name)).unwrap();
        (model.name(), model.declarations(), model.model().to_owned())
    };
    assert_eq!(of("gemini"), ("gemini", Provider::GeminiJsonSchema, "m".into()));
    assert_eq!(of("openai"), ("openai", Provider::Openai, "m".into()));
    assert_eq!(of("openai_chat"), ("openai_chat", Provider::Openai, "m".into()));
    assert_eq!(of("anthropic"), ("anthropic", Provider::Anthropic, "m".into()));
}

#[tokio::test]
async fn each_provider_is_understood() {
    for (name, stream) in [
        (
            "gemini",
            r#"data: {"candidates":[{"content":{"parts":[{"text":"Hello"}]},"finishReason":"STOP"}]}"#,
        ),
        (
            "openai",
            "event: response.output_text.delta\ndata: {\"type\":\"response.output_text.delta\",\"output_index\":0,\"delta\":\"Hello\"}\n\ndata: {\"type\":\"response.completed\",\"response\":{}}",
        ),
        (
            "openai_chat",
            "data: {\"choices\":[{\"delta\":{\"content\":\"Hello\"},\"finish_reason\":\"stop\"}]}",
        ),
        (
            "anthropic",
            "data: {\"type\":\"content_block_start\",\"index\":0,\"content_block\":{\"type\":\"text\",\"text\":\"Hello\"}}\n\ndata: {\"type\":\"message_delta\",\"delta\":{\"stop_reason\":\"end_turn\"}}",
        ),
    ] {
        let server = Server::new().await;
        let model = TextModel::new(server.options(name)).unwrap();
        let answer = server.answer(format!("{STREAM}{stream}\n\n"));
        let ((), words) = tokio::join!(answer, words(begin(&model)));
        assert_eq!(words, "Hello", "{name}");
    }
}

#[tokio::test]
async fn a_trusted_server_is_asked_over_tls_and_another_is_not() {
    let (certificate, acceptor) = certificate();
    let server = Server::new().await;
    let mut options = server.once();
    let url = options.base_url.take().unwrap();
    options.base_url = format!("https://localhost:{}/v1", url.port().unwrap()).parse().ok();
    let mut roots = RootCertStore::empty();
    options.tls = tls(roots.clone()).ok();
    let stranger = TextModel::new(options.clone()).unwrap();
    let refused = async { acceptor.accept(server.tcp().await).await.is_err() };
    let (refused, fault) = tokio::join!(refused, fault(&stranger));
    assert!(refused);
    assert_eq!(fault.code, "certificate", "{fault}");
    roots.add(certificate).unwrap();
    let model = TextModel::new(TextOptions { tls: tls(roots).ok(), ..options }).unwrap();
    let peer = async {
        let stream = acceptor.accept(server.tcp().await).await.unwrap();
        Visit::read(stream).await.finish(format!("{STREAM}{HELLO}{DONE}")).await;
    };
    let ((), (events, fault)) = tokio::join!(peer, all(begin(&model)));
    assert_eq!((events.len(), fault), (2, None));
}
