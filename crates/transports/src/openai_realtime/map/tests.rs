//! Conversations over OpenAI Realtime, event by event.

mod calls;
mod commands;
mod damage;
mod one_at_a_time;
mod overdue;
mod speech;

use aileron_contract::transport::{FaultSubject, Setup, Severity, TurnEnd};

use super::*;
use crate::samples::ProtocolHarness;

/// A connection whose setup was taken.
fn ready() -> ProtocolHarness<OpenaiRealtime> {
    ready_with(&Setup::new("gpt-realtime", "Be nice."))
}

fn ready_with(setup: &Setup) -> ProtocolHarness<OpenaiRealtime> {
    let mut line = ProtocolHarness::new(OpenaiRealtime::default());
    line.command(Command::Start(setup));
    line.receive(r#"{"type":"session.updated","session":{}}"#);
    line
}

fn created(id: &str, who: &str) -> String {
    format!(
        r#"{{"type":"response.created","response":{{"id":"{id}","status":"in_progress","output":[],"metadata":{{"aileron":"{who}"}}}}}}"#
    )
}

fn done(id: &str, rest: &str) -> String {
    format!(r#"{{"type":"response.done","response":{{"id":"{id}",{rest}}}}}"#)
}

const COMPLETED: &str = r#""status":"completed","output":[]"#;
const CANCELLED: &str =
    r#""status":"cancelled","status_details":{"type":"cancelled","reason":"turn_detected"}"#;

fn error(code: &str, event_id: &str) -> String {
    format!(
        r#"{{"type":"error","event_id":"event_9","error":{{"type":"invalid_request_error","code":"{code}","message":"no","param":null,"event_id":"{event_id}"}}}}"#
    )
}

/// The events' fault.
fn fault(events: &[ProviderEvent]) -> (Severity, FaultSubject) {
    let found = events.iter().find_map(|event| match event {
        ProviderEvent::Fault(fault) => Some((fault.severity, fault.about.clone())),
        _ => None,
    });
    found.unwrap()
}

#[test]
fn the_greeting_is_not_yet_the_setup() {
    let mut line = ProtocolHarness::new(OpenaiRealtime::default());
    let greeting =
        r#"{"type":"session.created","event_id":"e","session":{"id":"sess_1","type":"realtime"}}"#;
    assert_eq!(
        line.events(greeting),
        [ProviderEvent::Connected { session: Some("sess_1".into()) }]
    );
    assert_eq!(line.refused(Command::Text("hi")), CommandError::NotReady);
    line.command(Command::Start(&Setup::new("m", "")));
    let updated = r#"{"type":"session.updated","session":{"id":"sess_1"}}"#;
    assert_eq!(line.events(updated), [ProviderEvent::Ready { session: None }]);
    assert_eq!(line.events(updated), []);
}

#[test]
fn a_setup_that_is_refused_is_fatal() {
    let mut line = ProtocolHarness::new(OpenaiRealtime::default());
    line.command(Command::Start(&Setup::new("m", "")));
    let events = line.events(error("invalid_value", "ail_1_setup"));
    assert_eq!(fault(&events), (Severity::Fatal, FaultSubject::Setup));
}

#[test]
fn quotas_are_reported() {
    let frame = r#"{"type":"rate_limits.updated","rate_limits":[
        {"name":"tokens","limit":1000,"remaining":990,"reset_seconds":1.5},
        {"name":"requests","limit":10,"remaining":-1,"reset_seconds":-3}]}"#;
    insta::assert_debug_snapshot!(ready().events(frame));
}

#[test]
fn use_is_reported_with_the_response() {
    let usage = r#""usage":{"total_tokens":30,"input_tokens":20,"output_tokens":10,
        "input_token_details":{"text_tokens":5,"audio_tokens":15,"cached_tokens":4},
        "output_token_details":{"text_tokens":3,"audio_tokens":7}}"#;
    let mut line = ready();
    line.receive(created("r1", ""));
    let events = line.events(done("r1", &format!("{COMPLETED},{usage}")));
    insta::assert_debug_snapshot!(events[0]);
    assert_eq!(
        events[1..],
        [ProviderEvent::GenerationComplete, ProviderEvent::TurnComplete(TurnEnd::Finished)]
    );
}

#[test]
fn an_unknown_event_is_named_and_passed_over() {
    let unknown = ProviderEvent::Unknown { name: "hologram.started".into() };
    assert_eq!(ready().events(r#"{"type":"hologram.started","depth":3}"#), [unknown]);
    assert_eq!(ready().events(r#"{"type":"conversation.item.done","item":{}}"#), []);
}

#[test]
fn the_end_of_the_connection_is_the_last_event() {
    let mut line = ready();
    let events = line.closed(CloseCode::Code(1011), "keepalive ping timeout");
    assert!(
        matches!(&events[..], [ProviderEvent::Closed(fault)] if fault.severity == Severity::Retry)
    );
    assert_eq!(line.refused(Command::Audio(&[0, 0])), CommandError::NotReady);
}

#[test]
fn a_session_that_expired_is_tried_again() {
    let events = ready().events(error("session_expired", ""));
    assert_eq!(fault(&events), (Severity::Retry, FaultSubject::Connection));
}
