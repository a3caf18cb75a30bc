//! Conversations over Gemini Live, frame by frame.

mod calls;
mod commands;
mod damage;
mod speech;
mod wrapping;

use aileron_contract::transport::{Setup, TurnEnd};

use super::*;
use crate::samples::ProtocolHarness;

/// A connection whose setup was taken.
fn ready() -> ProtocolHarness<GeminiLive> {
    ready_with(GeminiLiveOptions::default())
}

fn ready_with(settings: GeminiLiveOptions) -> ProtocolHarness<GeminiLive> {
    let mut line = ProtocolHarness::new(GeminiLive::new(settings));
    line.command(Command::Start(&Setup::new("gemini-live", "Be nice.")));
    line.receive(r#"{"setupComplete":{}}"#);
    line
}

#[test]
fn the_setup_is_taken_once() {
    let mut line = ProtocolHarness::new(GeminiLive::default());
    line.command(Command::Start(&Setup::new("m", "")));
    let ready = ProviderEvent::Ready { session: Some("sess-1".into()) };
    let frame = r#"{"setupComplete":{"sessionId":"sess-1"}}"#;
    assert_eq!(line.events(frame), [ready]);
    assert_eq!(line.events(frame), []);
}

#[test]
fn nothing_is_sent_before_the_setup_was_taken() {
    let mut line = ProtocolHarness::new(GeminiLive::default());
    assert_eq!(line.refused(Command::Text("hi")), CommandError::NotReady);
    let setup = Setup::new("m", "");
    line.command(Command::Start(&setup));
    assert_eq!(line.refused(Command::Audio(&[0, 0])), CommandError::NotReady);
    assert_eq!(line.refused(Command::Start(&setup)), CommandError::StartedTwice);
}

#[test]
fn a_notice_to_leave_says_how_long_there_is() {
    let mut line = ready();
    let left = Some(std::time::Duration::from_millis(9_500));
    assert_eq!(
        line.events(r#"{"goAway":{"timeLeft":"9.5s"}}"#),
        [ProviderEvent::GoingAway { time_left: left }]
    );
    assert_eq!(
        line.events(r#"{"go_away":{"time_left":"soon"}}"#),
        [ProviderEvent::GoingAway { time_left: None }]
    );
    assert_eq!(line.events(r#"{"goAway":{}}"#), [ProviderEvent::GoingAway { time_left: None }]);
}

#[test]
fn only_a_handle_that_can_be_resumed_from_is_reported() {
    let mut line = ready();
    let handle = Some("abc".into());
    let good = r#"{"sessionResumptionUpdate":{"newHandle":"abc","resumable":true}}"#;
    assert_eq!(line.events(good), [ProviderEvent::Resumption { handle }]);
    assert_eq!(
        line.events(r#"{"sessionResumptionUpdate":{"newHandle":"","resumable":false}}"#),
        []
    );
    assert_eq!(line.events(r#"{"session_resumption_update":{"resumable":true}}"#), []);
}

#[test]
fn a_handle_that_is_refused_is_forgotten() {
    let mut line = ProtocolHarness::new(GeminiLive::default());
    let mut setup = Setup::new("m", "");
    setup.resume = Some("old".into());
    line.command(Command::Start(&setup));
    let events = line.closed(CloseCode::Code(1007), "handle");
    assert_eq!(events[0], ProviderEvent::Resumption { handle: None });
    assert!(
        matches!(&events[1], ProviderEvent::Closed(fault) if fault.severity == aileron_contract::transport::Severity::Retry)
    );
}

#[test]
fn a_drop_keeps_the_handle() {
    let mut line = ProtocolHarness::new(GeminiLive::default());
    let mut setup = Setup::new("m", "");
    setup.resume = Some("old".into());
    line.command(Command::Start(&setup));
    assert!(matches!(line.closed(CloseCode::Missing, "")[..], [ProviderEvent::Closed(_)]));
    assert_eq!(line.refused(Command::Text("hi")), CommandError::NotReady);
}

#[test]
fn use_is_reported_beside_anything_else() {
    let mut line = ready();
    let frame = r#"{"serverContent":{"turnComplete":true},"usageMetadata":{
        "promptTokenCount":10,"responseTokenCount":"5","totalTokenCount":15,"toolUsePromptTokenCount":2,
        "cachedContentTokenCount":3,"thoughtsTokenCount":1,
        "promptTokensDetails":[{"modality":"AUDIO","tokenCount":7},{"modality":"TEXT","tokenCount":3}],
        "response_tokens_details":[{"modality":"AUDIO","token_count":5}]}}"#;
    let events = line.events(frame);
    assert_eq!(events[0], ProviderEvent::TurnComplete(TurnEnd::Finished));
    insta::assert_debug_snapshot!(events[1]);
}

#[test]
fn an_unknown_message_is_named_and_passed_over() {
    let mut line = ready();
    let unknown = |name: &str| ProviderEvent::Unknown { name: name.into() };
    assert_eq!(line.events(r#"{"hologram":{"a":[1]}}"#), [unknown("hologram")]);
    let beside = r#"{"serverContent":{"generationComplete":true,"future":1},"hologram":{}}"#;
    assert_eq!(line.events(beside), [ProviderEvent::GenerationComplete, unknown("hologram")]);
    let image = r#"{"serverContent":{"modelTurn":{"parts":[{"inlineData":{"mimeType":"image/png","data":"*"}}]}}}"#;
    assert_eq!(line.events(image), [unknown("inlineData image/png")]);
}
