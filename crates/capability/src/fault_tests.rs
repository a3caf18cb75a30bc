//! The errors that the model gets for faults.

use super::*;

/// The error type, whether it is retryable, whether effects are possible, and the message.
fn told(error: ToolError) -> (ErrorType, bool, bool, String) {
    let failure = error.into_failure();
    (failure.kind, failure.retryable, failure.partial_side_effects, failure.message)
}

#[test]
fn a_read_that_failed_left_nothing_behind() {
    for (code, kind, retryable) in [
        (FaultCode::Timeout, ErrorType::Transient, true),
        (FaultCode::Unavailable, ErrorType::Transient, true),
        (FaultCode::RateLimit, ErrorType::RateLimit, true),
        (FaultCode::Auth, ErrorType::Auth, false),
        (FaultCode::Conflict, ErrorType::Conflict, false),
        (FaultCode::Refused, ErrorType::Permanent, false),
        (FaultCode::Unusable, ErrorType::Permanent, false),
    ] {
        let fault = CapabilityFault::new(code, "no answer");
        let expected = (kind, retryable, false, "could not search: no answer".to_owned());
        assert_eq!(told(fault.clone().while_reading("search")), expected);
        assert_eq!(told(fault.into()), (kind, retryable, false, "no answer".to_owned()));
    }
}

#[test]
fn a_write_that_timed_out_may_have_happened() {
    let timeout = CapabilityFault::new(FaultCode::Timeout, "no answer").while_writing("book");
    let message = "could not book: no answer; it may have happened all the same";
    assert_eq!(told(timeout), (ErrorType::Transient, false, true, message.to_owned()));
    let rubbish = CapabilityFault::new(FaultCode::Unusable, "found a page").while_writing("book");
    let message = "could not book: found a page; it may have happened all the same";
    assert_eq!(told(rubbish), (ErrorType::Permanent, false, true, message.to_owned()));
    let away = CapabilityFault::new(FaultCode::Unavailable, "no engine").while_writing("book");
    let message = "could not book: no engine";
    assert_eq!(told(away), (ErrorType::Transient, true, false, message.to_owned()));
}

#[test]
fn what_a_write_left_behind_is_told() {
    let fault =
        CapabilityFault::new(FaultCode::Auth, "not allowed").leaving("the room stays reserved");
    let message = "could not book: not allowed; the room stays reserved";
    assert_eq!(
        told(fault.while_writing("book")),
        (ErrorType::Auth, false, true, message.to_owned())
    );
}
