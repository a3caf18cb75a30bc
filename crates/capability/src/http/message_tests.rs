//! Which requests a handler may write, and their debug output.

use std::collections::BTreeMap;

use serde_json::{Value, json};

use super::{HttpRequest, HttpResponse};

fn read(written: Value) -> Result<HttpRequest, String> {
    serde_json::from_value(written).map_err(|error| error.to_string())
}

#[test]
fn only_the_url_is_required() {
    assert_eq!(read(json!({ "url": "https://a" })), Ok(HttpRequest::get("https://a")));
    assert_eq!(read(json!({})), Err("missing field `url`".to_owned()));
}

#[test]
fn an_unknown_field_is_refused() {
    let error = read(json!({ "url": "https://a", "timeout": 5 })).unwrap_err();
    assert!(error.starts_with("unknown field `timeout`"), "{error}");
}

#[test]
fn every_field_is_read_in_camel_case() {
    let written = json!({ "method": "POST", "url": "https://a", "headers": { "A": "b" },
        "body": "c", "timeoutMs": 5 });
    let request = read(written.clone()).unwrap();
    assert_eq!(request.timeout_ms, Some(5));
    assert_eq!(serde_json::to_value(request).unwrap(), written);
}

#[test]
fn debug_shows_no_value_that_may_be_secret() {
    let request = HttpRequest {
        headers: BTreeMap::from([("Authorization".to_owned(), "sesame".to_owned())]),
        body: Some("sesame".to_owned()),
        ..HttpRequest::get("https://a/?key=sesame")
    };
    let shown = format!("{request:?}");
    assert_eq!(
        shown,
        r#"HttpRequest { method: "GET", headers: ["Authorization"], timeout_ms: None, .. }"#
    );
}

#[test]
fn a_response_is_written_as_a_handler_reads_it() {
    let response = HttpResponse { status: 404, headers: BTreeMap::new(), body: "no".to_owned() };
    let written = serde_json::to_value(response).unwrap();
    assert_eq!(written, json!({ "status": 404, "headers": {}, "body": "no" }));
}
