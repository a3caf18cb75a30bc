//! The meaning of Gemini's errors.

use aileron_contract::transport::Severity::{Fatal, Retry};

use crate::text::fault::Table;

pub(super) const FAULTS: Table = Table {
    words: &[
        ("INVALID_ARGUMENT", Fatal, "the server does not take what was sent"),
        ("OUT_OF_RANGE", Fatal, "the server does not take what was sent"),
        ("FAILED_PRECONDITION", Fatal, "the account or the place does not allow it"),
        ("UNAUTHENTICATED", Fatal, "the key is not known"),
        ("PERMISSION_DENIED", Fatal, "the account may not do this"),
        ("NOT_FOUND", Fatal, "the model does not exist for this account"),
        ("UNIMPLEMENTED", Fatal, "the model cannot do this"),
        ("RESOURCE_EXHAUSTED", Retry, "too much in too little time"),
        ("ABORTED", Retry, "the server asks to try again"),
        ("CANCELLED", Retry, "the server gave up"),
        ("DEADLINE_EXCEEDED", Retry, "the server did not finish in time"),
        ("INTERNAL", Retry, "the server failed"),
        ("UNKNOWN", Retry, "the server failed"),
        ("UNAVAILABLE", Retry, "the server is overloaded"),
    ],
    statuses: &[
        (300, 399, Fatal, "the address has moved"),
        (408, 408, Retry, "the server did not get the request in time"),
        (425, 425, Retry, "the server asks to try again"),
        (429, 429, Retry, "too much in too little time"),
        (400, 499, Fatal, "the server refuses the address, the key or the request"),
        (500, 599, Retry, "the server failed or is overloaded"),
    ],
};

/// Finish reasons of a model's mistake, which another attempt may avoid.
pub(super) const MISTAKES: &[&str] = &[
    "MALFORMED_FUNCTION_CALL",
    "UNEXPECTED_TOOL_CALL",
    "TOO_MANY_TOOL_CALLS",
    "MALFORMED_RESPONSE",
];

/// The finish reason of a request whose signed parts were not sent back; another attempt has the same parts.
pub(super) const UNSIGNED: &str = "MISSING_THOUGHT_SIGNATURE";

pub(super) const UNSIGNED_REASON: &str = "a signed part of an earlier reply is missing";

pub(super) const MISTAKE: &str = "the model wrote a call that it could not have made";

#[cfg(test)]
#[path = "fault_tests.rs"]
mod tests;
