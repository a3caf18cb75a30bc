//! Every end of a connection, before and after the setup was taken.

use aileron_contract::transport::FaultSubject;

use super::*;
use crate::close;

#[test]
fn every_end_has_a_meaning() {
    insta::assert_snapshot!(close::page(|code, begun| classify(code, "", begun)));
}

#[test]
fn a_handle_that_is_not_taken_is_tried_without() {
    let fault = classify(CloseCode::Code(1007), "invalid handle", ClosedDuring::Resuming);
    assert_eq!(
        (fault.severity, fault.reason, fault.about),
        (Retry, OLD_HANDLE, FaultSubject::Setup)
    );
}

#[test]
fn the_words_of_the_provider_are_kept_and_bounded() {
    let fault = classify(CloseCode::Code(1011), &"x".repeat(5_000), ClosedDuring::Ready);
    assert_eq!((fault.message.len(), fault.about), (300, FaultSubject::Connection));
    assert_eq!(fault.code, "close 1011");
}
