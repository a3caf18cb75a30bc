//! Where a token is looked for.

use axum::http::{HeaderName, HeaderValue};

use super::*;

fn found(name: HeaderName, value: &str) -> Option<String> {
    let mut headers = HeaderMap::new();
    headers.insert(name, HeaderValue::from_str(value).unwrap());
    bearer(&headers).map(str::to_owned)
}

#[test]
fn a_token_is_in_the_header_of_that_name() {
    for (value, expected) in [
        ("Bearer abc", Some("abc")),
        ("bearer  abc ", Some("abc")),
        ("Basic abc", None),
        ("Bearer", None),
        ("", None),
    ] {
        assert_eq!(found(header::AUTHORIZATION, value).as_deref(), expected, "{value}");
    }
}

#[test]
fn a_websocket_may_have_it_among_its_protocols() {
    for (value, expected) in [
        ("aileron.v1, aileron.bearer.abc", Some("abc")),
        ("aileron.bearer.abc", Some("abc")),
        ("aileron.v1", None),
        ("bearer.abc", None),
    ] {
        assert_eq!(found(header::SEC_WEBSOCKET_PROTOCOL, value).as_deref(), expected, "{value}");
    }
}

#[tokio::test]
async fn where_nobody_signs_in_everybody_is_the_person_at_this_machine() {
    let mut headers = HeaderMap::new();
    headers.insert(header::AUTHORIZATION, HeaderValue::from_static("Bearer whatever"));
    assert_eq!(Auth::Open.person(&headers).await, Ok(Person::local()));
}
