//! Every error and every end of a connection.

use std::fmt::Write;

use super::*;
use crate::close;

fn error(json: &str) -> ErrorDetails<'_> {
    serde_json::from_str(json).unwrap()
}

#[test]
fn every_end_has_a_meaning() {
    insta::assert_snapshot!(close::page(|code, begun| classify_end(code, "", begun)));
}

#[test]
fn every_error_has_a_meaning() {
    let mut page = String::new();
    for (name, ..) in ERRORS {
        let json = format!(r#"{{"code":"{name}"}}"#);
        let [plain, setup] = [FaultSubject::Connection, FaultSubject::Setup]
            .map(|about| classify(&error(&json), about));
        writeln!(page, "{name:<42} {:?} {:?}  {}", plain.severity, setup.severity, plain.reason)
            .unwrap();
    }
    insta::assert_snapshot!(page);
}

#[test]
fn the_code_counts_before_the_type_and_the_type_before_nothing() {
    let both = error(r#"{"type":"invalid_request_error","code":"session_expired"}"#);
    assert_eq!(classify(&both, FaultSubject::Connection).severity, Retry);
    let unknown_code = error(r#"{"type":"authentication_error","code":"brand_new"}"#);
    let fault = classify(&unknown_code, FaultSubject::Connection);
    assert_eq!((fault.severity, fault.code.as_str()), (Fatal, "brand_new"));
    let unknown = error(r#"{"type":"weather_error","code":null}"#);
    let fault = classify(&unknown, FaultSubject::Text);
    assert_eq!(
        (fault.severity, fault.code.as_str(), fault.reason),
        (Ignore, "weather_error", UNLISTED.3)
    );
}

#[test]
fn a_setup_that_is_refused_is_fatal_unless_the_server_failed() {
    let refused = error(
        r#"{"type":"invalid_request_error","code":"invalid_value","message":"no such voice"}"#,
    );
    let fault = classify(&refused, FaultSubject::Setup);
    assert_eq!((fault.severity, fault.message.as_str()), (Fatal, "no such voice"));
    let failed = error(r#"{"type":"server_error"}"#);
    assert_eq!(classify(&failed, FaultSubject::Setup).severity, Retry);
}
