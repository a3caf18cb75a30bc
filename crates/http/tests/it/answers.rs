//! Servers that behave.

use std::collections::BTreeMap;
use std::sync::Arc;

use aileron_capability::http::{HttpOptions, HttpRequest};

use super::server::{Server, ok, open, redirect, say, trusting};
use super::{ask, fetch, line};

fn trusting_localhost() -> HttpOptions {
    HttpOptions { allow_private: vec!["localhost".to_owned()], ..trusting() }
}

#[tokio::test]
async fn a_declared_host_answers_over_tls() {
    let server = Server::tls(|_, _| ok("hello")).await;
    let here = server.at("localhost");
    let request = HttpRequest::get(format!("https://{here}/a?b=c#d"));
    assert_eq!(line(fetch(trusting_localhost(), &[&here], request).await), "200 hello");
    let head = server.requests().remove(0);
    assert!(head.starts_with("GET /a?b=c HTTP/1.1\r\n"), "{head}");
    assert!(head.contains(&format!("host: {here}\r\n")), "{head}");
}

#[tokio::test]
async fn a_certificate_that_nobody_trusts_is_not_believed() {
    let server = Server::tls(|_, _| ok("hello")).await;
    let here = server.at("localhost");
    let other = rcgen::generate_simple_self_signed(["localhost".to_owned()]).unwrap();
    let options = HttpOptions { extra_roots: Some(other.cert.pem()), ..trusting_localhost() };
    let outcome = fetch(options, &[&here], HttpRequest::get(format!("https://{here}/"))).await;
    let fault = outcome.unwrap_err();
    assert_eq!(fault.code.as_str(), "UNAVAILABLE");
    assert!(fault.message.contains("invalid peer certificate"), "{fault}");
    assert_eq!(server.requests(), [""; 0]);
}

#[tokio::test]
async fn method_headers_and_body_arrive() {
    let server = Server::plain(|_, _| ok("")).await;
    let here = server.at("127.0.0.1");
    let request = HttpRequest {
        method: "post".to_owned(),
        headers: BTreeMap::from([("X-Api-Key".to_owned(), "sesame".to_owned())]),
        body: Some("{}".to_owned()),
        ..HttpRequest::get(format!("http://{here}/"))
    };
    assert_eq!(line(fetch(open(), &[&here], request).await), "200 ");
    let sent = server.requests().remove(0);
    assert!(sent.starts_with("POST / HTTP/1.1\r\nx-api-key: sesame\r\n"), "{sent}");
    assert!(sent.contains("content-length: 2\r\n"), "{sent}");
    assert!(sent.ends_with("\r\n\r\n{}"), "{sent}");
}

#[tokio::test]
async fn a_status_of_failure_is_a_response() {
    for status in [304, 401, 404, 409, 429, 500, 503] {
        let text = format!("HTTP/1.1 {status} No\r\nX-Why: because\r\nContent-Length: 0\r\n\r\n");
        let server = Server::plain(move |_, _| say(text.clone())).await;
        let response = ask(&server, "/").await.unwrap();
        assert_eq!((response.status, response.headers["x-why"].as_str()), (status, "because"));
    }
}

#[tokio::test]
async fn one_client_serves_many_at_once() {
    let server = Server::plain(|_, _| ok("hello")).await;
    let client = Arc::new(aileron_http::client(open()).unwrap());
    let here = server.at("127.0.0.1");
    let ask = || {
        let (client, here) = (client.clone(), here.clone());
        let request = HttpRequest::get(format!("http://{here}/"));
        tokio::spawn(async move { client.fetch(&[here], request).await })
    };
    let asked: Vec<_> = (0..8).map(|_| ask()).collect();
    for answer in asked {
        assert_eq!(line(answer.await.unwrap()), "200 hello");
    }
}

#[tokio::test]
async fn a_redirect_to_the_same_host_is_followed() {
    let server = Server::plain(|_, request| match request.split(' ').nth(1) {
        Some("/old") => redirect(302, "/new?x=1"),
        Some("/new?x=1") => ok("found"),
        other => ok(&format!("lost at {other:?}")),
    })
    .await;
    assert_eq!(line(ask(&server, "/old").await), "200 found");
}

#[tokio::test]
async fn a_redirect_to_another_declared_host_leaves_secrets_behind() {
    let other = Server::plain(|_, _| ok("there")).await;
    let there = other.at("127.0.0.1");
    let location = format!("http://{there}/");
    let server = Server::plain(move |_, _| redirect(307, &location)).await;
    let here = server.at("127.0.0.1");
    let request = HttpRequest {
        headers: BTreeMap::from([("X-Api-Key".to_owned(), "sesame".to_owned())]),
        ..HttpRequest::get(format!("http://{here}/"))
    };
    assert_eq!(line(fetch(open(), &[&here, &there], request).await), "200 there");
    assert!(server.requests()[0].contains("sesame"));
    assert!(!other.requests()[0].contains("sesame"));
}

#[tokio::test]
async fn a_redirect_loop_ends() {
    let server = Server::plain(|_, _| redirect(301, "/")).await;
    assert_eq!(line(ask(&server, "/").await), "REFUSED: more than 5 redirects");
    assert_eq!(server.requests().len(), 6);
}
