//! The words faults are asked for with.

use super::*;

fn parse(word: &str) -> HttpFaults {
    HttpFaults::parse([word]).unwrap()
}

#[test]
fn a_status_has_a_wait_and_a_number_of_times() {
    let status = |code, retry_after, times| {
        let code = StatusCode::from_u16(code).unwrap();
        HttpFaults { status: Some(Status { code, retry_after, times }), ..HttpFaults::default() }
    };
    assert_eq!(parse("status=429"), status(429, None, None));
    assert_eq!(parse("status=429:7"), status(429, Some(7), None));
    assert_eq!(parse("status=500x2"), status(500, None, Some(2)));
    assert_eq!(parse("status=503:1x3"), status(503, Some(1), Some(3)));
}

#[test]
fn every_other_word_switches_its_fault_on() {
    let none = HttpFaults::default;
    assert_eq!(parse("cut@3"), HttpFaults { cut: Some(StreamCut::Dropped(3)), ..none() });
    assert_eq!(parse("error-event@0"), HttpFaults { cut: Some(StreamCut::Error(0)), ..none() });
    assert_eq!(parse("half-call"), HttpFaults { cut: Some(StreamCut::InCall), ..none() });
    assert_eq!(parse("never-ends"), HttpFaults { never_ends: true, ..none() });
    assert_eq!(parse("invalid-utf8"), HttpFaults { invalid_utf8: true, ..none() });
    assert_eq!(parse("html"), HttpFaults { html: true, ..none() });
    assert_eq!(parse("repeat-call"), HttpFaults { repeat_call: true, ..none() });
    assert_eq!(parse("refuse"), HttpFaults { refuse: true, ..none() });
    let slow = Some(Duration::from_millis(40));
    assert_eq!(parse("slow=40"), HttpFaults { slow, ..none() });
    let both = HttpFaults::parse(["slow=40", "html"]).unwrap();
    assert_eq!(both, HttpFaults { slow, html: true, ..none() });
}

#[test]
fn a_word_that_names_no_fault_is_refused_with_the_list() {
    for word in ["", "status", "status=", "status=200", "status=9", "status=429:x", "cut", "cut@x"]
    {
        assert!(HttpFaults::parse([word]).is_err(), "{word}");
    }
    let error = HttpFaults::parse(["slwo=3"]).unwrap_err().to_string();
    assert_eq!(
        error,
        "expected one of status=CODE[:SECONDS][xTIMES], cut@N, half-call, never-ends, slow=MS, \
         invalid-utf8, html, repeat-call, error-event@N, refuse; found \"slwo=3\""
    );
}
