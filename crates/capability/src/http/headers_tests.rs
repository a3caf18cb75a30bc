//! Which request headers are allowed, and how response headers are returned.

use std::collections::BTreeMap;

use http::header::{HeaderMap, HeaderValue};

use super::{HttpOptions, incoming, outgoing};

fn small() -> HttpOptions {
    HttpOptions { max_headers: 2, max_header_bytes: 20, ..HttpOptions::default() }
}

fn check(written: &[(&str, &str)], refusal: &str) {
    let written: BTreeMap<_, _> =
        written.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect();
    let message = outgoing(&written, &small()).unwrap_err().message;
    assert_eq!(message, refusal);
}

#[test]
fn ordinary_headers_go_out() {
    let written = BTreeMap::from([("Authorization".to_owned(), "Bearer ü".to_owned())]);
    let headers = outgoing(&written, &HttpOptions::default()).unwrap();
    assert_eq!(headers.get("authorization").unwrap().as_bytes(), "Bearer ü".as_bytes());
}

#[test]
fn headers_that_steer_the_connection_are_refused() {
    for name in ["Host", "content-LENGTH", "Transfer-Encoding", "Connection", "TE", "Upgrade"] {
        let lower = name.to_ascii_lowercase();
        check(&[(name, "a")], &format!("the header `{lower}` may not be set"));
    }
    check(&[("Proxy-Foo", "a")], "the header `proxy-foo` may not be set");
}

#[test]
fn what_is_no_header_is_refused() {
    check(&[("", "a")], r#""" is no name of a header"#);
    check(&[("a b", "c")], r#""a b" is no name of a header"#);
    check(&[("a\r\nb", "c")], r#""a\r\nb" is no name of a header"#);
    check(&[("Host ", "c")], r#""Host " is no name of a header"#);
    check(&[("a", "b\r\nHost: c")], "the value of `a` is not one line of text");
    check(&[("a", "\0")], "the value of `a` is not one line of text");
}

#[test]
fn many_or_large_headers_are_refused() {
    check(&[("a", ""), ("b", ""), ("c", "")], "the request has more than 2 headers");
    let refusal = "the headers of the request have more than 20 bytes";
    check(&[("a", "12345678901234567890")], refusal);
}

#[test]
fn repeated_headers_come_in_joined() {
    let mut received = HeaderMap::new();
    received.append("set-cookie", HeaderValue::from_static("a=1"));
    received.append("set-cookie", HeaderValue::from_static("b=2"));
    received.append("x", HeaderValue::from_bytes(b"\xff").unwrap());
    let expected = [("set-cookie", "a=1, b=2"), ("x", "\u{fffd}")];
    let expected = expected.map(|(name, value)| (name.to_owned(), value.to_owned()));
    assert_eq!(incoming(&received, &HttpOptions::default()), Ok(BTreeMap::from(expected)));
}

#[test]
fn many_or_large_headers_do_not_come_in() {
    let mut received = HeaderMap::new();
    for _ in 0..3 {
        received.append("x", HeaderValue::from_static(""));
    }
    let fault = incoming(&received, &small()).unwrap_err();
    assert_eq!(fault.message, "the response has more than 2 headers");
}
