//! Texts for people, and the small value types.

use super::*;

#[test]
fn errors_say_what_was_expected_found_and_to_be_done() {
    let frame = FrameError::new("an event", "a number");
    assert_eq!(frame.to_string(), "expected an event, found a number; the frame was passed over");
    let commands = [
        CommandError::NotReady,
        CommandError::StartedTwice,
        CommandError::Unsupported("be interrupted by us"),
        CommandError::OddAudio { bytes: 3 },
    ];
    let texts = [
        "expected a connection that is ready, found one that is not; wait for `Ready`",
        "expected one `Start` a connection, found another; connect again instead",
        "the provider cannot be interrupted by us; ask the capabilities first",
        "expected audio of 16-bit samples, found 3 bytes; send whole samples",
    ];
    assert_eq!(commands.map(|error| error.to_string()), texts);
}

#[test]
fn a_fault_shows_the_providers_words_and_our_reason() {
    let fault = ProviderFault {
        severity: Severity::Retry,
        code: CloseCode::Code(1011).to_string(),
        message: "deadline expired".into(),
        reason: "the server failed",
        about: FaultSubject::Connection,
    };
    assert_eq!(fault.to_string(), "close 1011: deadline expired (the server failed)");
    assert_eq!(
        [CloseCode::Missing, CloseCode::Http(403)].map(|code| code.to_string()),
        ["dropped", "http 403"]
    );
}

#[test]
fn the_worst_of_several_faults_can_be_told() {
    let worst = [Severity::Retry, Severity::Fatal, Severity::Ignore].into_iter().max();
    assert_eq!(worst, Some(Severity::Fatal));
}

#[test]
fn effects_are_used_again() {
    let mut effects = Effects::default();
    effects.tell(ProviderEvent::Interrupted);
    effects.send("{}".into());
    assert_eq!(
        (effects.events.len(), &effects.frames[..]),
        (1, &[OutgoingFrame::Text("{}".into())][..])
    );
    effects.clear();
    assert_eq!(effects, Effects::default());
}
