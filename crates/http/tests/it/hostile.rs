//! Servers that are slow, endless, broken or not servers at all. Each request ends, with a fault.

use std::net::Ipv4Addr;
use std::time::Duration;

use aileron_capability::http::{HttpOptions, HttpRequest};
use tokio::net::TcpSocket;

use super::server::{Script, Server, open, redirect, say};
use super::{Outcome, ask, fetch, line};

/// Checks the result of a server with this script, without its port.
async fn check(script: Script, expected: &str) {
    let server = Server::plain(move |_, _| script.clone()).await;
    let found = line(ask(&server, "/").await).replace(&format!(":{}", server.port), ":PORT");
    assert_eq!(found, expected);
}

/// The same for a server that is waited for only a little.
async fn check_timeout(script: impl Fn(u16, &str) -> Script + Send + 'static) {
    let server = Server::plain(script).await;
    let here = server.at("127.0.0.1");
    let request =
        HttpRequest { timeout_ms: Some(40), ..HttpRequest::get(format!("http://{here}/")) };
    let found = line(fetch(open(), &[&here], request).await);
    assert_eq!(found, "TIMEOUT: no whole answer within 40 ms");
}

/// Expects each of these answers to be as good as none.
async fn check_unavailable(answers: &[&'static str]) {
    for &answer in answers {
        let server = Server::plain(move |_, _| say(answer)).await;
        check_no_answer(ask(&server, "/").await, &server.at("127.0.0.1"));
    }
}

fn check_no_answer(outcome: Outcome, place: &str) {
    let fault = outcome.unwrap_err();
    assert_eq!(fault.code.as_str(), "UNAVAILABLE", "{fault}");
    assert!(fault.message.starts_with(&format!("`{place}` gave no usable answer: ")), "{fault}");
}

#[tokio::test]
async fn silence_times_out() {
    check_timeout(|_, _| Script::Hang("")).await;
    check_timeout(|_, _| Script::Hang("HTTP/1.1 200 OK\r\nContent-")).await;
    check_timeout(|_, _| Script::Hang("HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nhalf")).await;
}

#[tokio::test]
async fn an_endless_promise_to_continue_times_out() {
    check_timeout(|_, _| Script::Repeat("", "HTTP/1.1 100 Continue\r\n\r\n")).await;
}

#[tokio::test]
async fn a_redirect_to_silence_times_out() {
    check_timeout(|_, request| {
        if request.starts_with("GET / ") { redirect(302, "/slow") } else { Script::Hang("") }
    })
    .await;
}

#[tokio::test]
async fn no_request_outlives_the_longest_timeout() {
    let server = Server::plain(|_, _| Script::Hang("")).await;
    let here = server.at("127.0.0.1");
    let options = HttpOptions { longest_timeout: Duration::from_millis(30), ..open() };
    for asked in [None, Some(u64::MAX)] {
        let request =
            HttpRequest { timeout_ms: asked, ..HttpRequest::get(format!("http://{here}/")) };
        let found = line(fetch(options.clone(), &[&here], request).await);
        assert_eq!(found, "TIMEOUT: no whole answer within 30 ms");
    }
}

#[tokio::test]
async fn an_endless_body_is_cut_off() {
    let expected = "REFUSED: `127.0.0.1:PORT` answered with more than 1048576 bytes";
    check(Script::Repeat("HTTP/1.1 200 OK\r\n\r\n", "many words "), expected).await;
    let chunked = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n";
    check(Script::Repeat(chunked, "8\r\n12345678\r\n"), expected).await;
    let announced = "HTTP/1.1 200 OK\r\nContent-Length: 99999999999\r\n\r\n";
    check(Script::Repeat(announced, "many words "), expected).await;
}

#[tokio::test]
async fn a_body_up_to_the_limit_is_read() {
    let body = "a".repeat(1024 * 1024);
    check(say(format!("HTTP/1.1 200 OK\r\n\r\n{body}")), &format!("200 {body}")).await;
}

#[tokio::test]
async fn huge_headers_are_refused() {
    let large = "a".repeat(40_000);
    check(
        say(format!("HTTP/1.1 200 OK\r\nX-Large: {large}\r\nContent-Length: 0\r\n\r\n")),
        "REFUSED: the headers of the response have more than 32768 bytes",
    )
    .await;
    let many = "X-Many: a\r\n".repeat(101);
    check(
        say(format!("HTTP/1.1 200 OK\r\n{many}\r\n")),
        "REFUSED: the head of the answer of `127.0.0.1:PORT` is too large",
    )
    .await;
}

#[tokio::test]
async fn a_head_that_never_ends_is_cut_off() {
    let expected = "REFUSED: the head of the answer of `127.0.0.1:PORT` is too large";
    check(Script::Repeat("HTTP/1.1 200 OK\r\n", "X-More: words\r\n"), expected).await;
    check(Script::Repeat("HTTP/1.1 200 OK\r\nX-Long: ", "words "), expected).await;
    check(Script::Repeat("HTTP/1.1 200 ", "words "), expected).await;
}

#[tokio::test]
async fn a_server_that_closes_early_is_unavailable() {
    check_unavailable(&[
        "",
        "HTTP/1.1 200 OK\r\nConte",
        "HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nhalf",
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nab",
    ])
    .await;
}

#[tokio::test]
async fn what_is_not_http_is_unavailable() {
    check_unavailable(&[
        "SSH-2.0-OpenSSH_9.2\r\n",
        "\0\u{1}\u{2}\u{3}",
        "HTTP/1.1 abc Hm\r\n\r\n",
        "HTTP/1.1 200 OK\r\nno colon\r\n\r\n",
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nno size\r\n",
        "HTTP/1.1 200 OK\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nab",
    ])
    .await;
}

#[tokio::test]
async fn a_body_that_is_not_text_is_refused() {
    let server = Server::plain(|_, _| say(b"HTTP/1.1 200 OK\r\n\r\n\xff\xfe")).await;
    let found = line(ask(&server, "/").await);
    let here = server.at("127.0.0.1");
    assert_eq!(found, format!("REFUSED: `{here}` answered with what is not UTF-8 text"));
}

#[tokio::test]
async fn nobody_listening_is_unavailable() {
    let socket = TcpSocket::new_v4().unwrap();
    socket.bind((Ipv4Addr::LOCALHOST, 0).into()).unwrap();
    let here = socket.local_addr().unwrap().to_string();
    let outcome = fetch(open(), &[&here], HttpRequest::get(format!("http://{here}/"))).await;
    check_no_answer(outcome, &here);
}
