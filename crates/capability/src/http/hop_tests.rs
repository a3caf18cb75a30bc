//! How a redirect changes a request.

use http::header::{HeaderMap, HeaderValue};
use http::{Method, StatusCode};

use super::CheckedRequest;

fn post() -> CheckedRequest {
    let names = ["accept", "authorization", "content-type", "x-api-key"];
    let header = |name| (name, HeaderValue::from_static("a"));
    let headers = names.map(header).map(|(name, value)| (name.parse().unwrap(), value));
    CheckedRequest {
        method: Method::POST,
        url: "https://a.example/x/y?q".parse().unwrap(),
        headers: headers.into_iter().collect(),
        body: Some("body".to_owned()),
    }
}

/// The method, whether there is a body, and the headers that are left.
fn check(hop: CheckedRequest, status: u16, url: &str, expected: (Method, bool, &str)) {
    let next = hop.redirected(StatusCode::from_u16(status).unwrap(), url.parse().unwrap());
    let mut names: Vec<_> = next.headers.keys().map(ToString::to_string).collect();
    names.sort();
    let found = (next.method, next.body.is_some(), names.join(" "));
    assert_eq!(found, (expected.0, expected.1, expected.2.to_owned()), "{status} {url}");
}

#[test]
fn a_post_becomes_a_get_where_browsers_make_it_one() {
    let bare = "accept authorization x-api-key";
    for status in [301, 302, 303] {
        check(post(), status, "https://a.example/", (Method::GET, false, bare));
    }
}

#[test]
fn other_requests_stay_what_they_are() {
    let all = "accept authorization content-type x-api-key";
    for status in [307, 308] {
        check(post(), status, "https://a.example/", (Method::POST, true, all));
    }
    let put = || CheckedRequest { method: Method::PUT, ..post() };
    check(put(), 302, "https://a.example/", (Method::PUT, true, all));
    let head = || CheckedRequest { method: Method::HEAD, body: None, ..post() };
    check(head(), 303, "https://a.example/", (Method::HEAD, false, all));
}

#[test]
fn what_may_be_secret_stays_with_its_origin() {
    for url in ["https://b.example/", "http://a.example/", "https://a.example:8443/"] {
        check(post(), 307, url, (Method::POST, true, "accept content-type"));
        check(post(), 303, url, (Method::GET, false, "accept"));
    }
}

fn destination(status: u16, location: &[u8]) -> Result<Option<String>, String> {
    let mut headers = HeaderMap::new();
    headers.insert("location", HeaderValue::from_bytes(location).unwrap());
    let found = post().destination(StatusCode::from_u16(status).unwrap(), &headers);
    found.map(|url| url.map(|url| url.to_string())).map_err(|fault| fault.message)
}

#[test]
fn a_location_is_read_relative_to_the_request() {
    for (location, expected) in [
        ("z", "https://a.example/x/z"),
        ("/z", "https://a.example/z"),
        ("?r", "https://a.example/x/y?r"),
        ("//b.example/", "https://b.example/"),
        ("http://b.example/", "http://b.example/"),
    ] {
        assert_eq!(destination(302, location.as_bytes()), Ok(Some(expected.to_owned())));
    }
}

#[test]
fn other_statuses_lead_nowhere() {
    for status in [200, 201, 300, 304, 305, 404, 503] {
        assert_eq!(destination(status, b"/z"), Ok(None), "{status}");
    }
    let bare = post().destination(StatusCode::FOUND, &HeaderMap::new());
    assert_eq!(bare, Ok(None));
}

#[test]
fn a_location_that_is_no_url_is_refused() {
    for location in [b"https://".as_slice(), b"http://[", b"\xff"] {
        let refusal = "`a.example` redirects to what is no URL";
        assert_eq!(destination(302, location), Err(refusal.to_owned()));
    }
}
