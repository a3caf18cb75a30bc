//! Every failure in plain words.

use super::*;

#[test]
fn every_failure_has_its_words() {
    let lines = ErrorType::ALL.iter().map(|kind| {
        let failed = FailedOutcome {
            kind: Some(*kind),
            message: "the draft is not known".into(),
            awaited: Some("Create this event".into()),
        };
        format!(
            "{kind}\n  written: {}\n  spoken: {}",
            explain("calendar_create_event", &failed, AddressStyle::Written),
            explain("calendar_create_event", &failed, AddressStyle::Spoken)
        )
    });
    insta::assert_snapshot!(lines.collect::<Vec<_>>().join("\n"));
}

#[test]
fn a_code_that_nobody_knows_is_told_with_its_message() {
    let failed = FailedOutcome { message: "no luck.".into(), ..FailedOutcome::default() };
    assert_eq!(
        explain("get_weather", &failed, AddressStyle::Written),
        "That did not work (get weather). No luck."
    );
}
