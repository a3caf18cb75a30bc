//! Errors in every form that servers write them.

use std::time::Duration;

use Severity::Ignore;

use super::*;

const TABLE: Table = Table {
    words: &[("overloaded", Retry, "too much to do"), ("bad_key", Fatal, "the key is not known")],
    statuses: &[(429, 429, Retry, "too many requests"), (400, 499, Fatal, "refused")],
};

/// The code, the severity and the message of a body.
fn check(status: u16, body: &str, code: &str, severity: Severity, message: &str) {
    let fault = TABLE.classify(Some(status), ProviderError::of_body(body));
    assert_eq!(
        (fault.code.as_str(), fault.severity, fault.message.as_str()),
        (code, severity, message)
    );
}

#[test]
fn an_error_is_found_in_every_form() {
    check(400, r#"{"error":{"message":"m","type":"t","code":null}}"#, "t", Fatal, "m");
    check(
        400,
        r#"{"type":"error","error":{"type":"overloaded","message":"m"}}"#,
        "overloaded",
        Retry,
        "m",
    );
    check(400, r#"[{"error":{"code":400,"status":"S","message":"m"}}]"#, "S", Fatal, "m");
    check(404, r#"{"error":"model not found"}"#, "http 404", Fatal, "model not found");
    check(404, r#"{"detail":"Not Found"}"#, "http 404", Fatal, "Not Found");
    check(404, r#"{"object":"error","message":"m","type":"t"}"#, "t", Fatal, "m");
}

#[test]
fn what_is_no_error_in_json_is_quoted_and_a_page_is_not() {
    check(418, "  just text ", "http 418", Fatal, "just text");
    check(502, "<!DOCTYPE html><p>Bad Gateway", "http 502", Retry, "an HTML page");
    check(502, "\n<HTML>", "http 502", Retry, "an HTML page");
    check(500, "", "http 500", Retry, "");
    check(400, &"x".repeat(10_000), "http 400", Fatal, &"x".repeat(300));
}

#[test]
fn a_word_counts_before_the_status_and_the_first_word_names_it() {
    check(429, r#"{"error":{"code":"bad_key","type":"t"}}"#, "bad_key", Fatal, "");
    check(400, r#"{"error":{"code":"unknown","type":"overloaded"}}"#, "unknown", Retry, "");
}

#[test]
fn an_error_that_is_not_listed_may_be_tried_again() {
    let fault = TABLE.classify(None, ProviderError::default());
    assert_eq!((fault.severity, fault.code.as_str(), fault.reason), (Retry, "error", UNLISTED));
}

#[test]
fn the_wait_among_the_details_is_found() {
    let body = r#"{"error":{"status":"S","details":[{"reason":"x"},{"retryDelay":"2.5s"}]}}"#;
    let fault = TABLE.classify(Some(429), ProviderError::of_body(body));
    assert_eq!(fault.retry_after, Some(Duration::from_millis(2500)));
}

#[test]
fn what_we_find_ourselves_is_never_passed_over() {
    let all = [
        LocalFault::Connection,
        LocalFault::Certificate,
        LocalFault::Timeout,
        LocalFault::CutShort,
        LocalFault::Unreadable,
        LocalFault::NotUtf8,
        LocalFault::TooLarge,
        LocalFault::NotAStream,
        LocalFault::Compressed,
    ];
    let lines = all.map(|found| found.fault("m")).map(|fault| {
        assert_ne!(fault.severity, Ignore);
        format!("{:<12} {:?}  {}", fault.code, fault.severity, fault.reason)
    });
    insta::assert_snapshot!(lines.join("\n"));
}
