//! The meaning of Anthropic's errors.

use aileron_contract::transport::Severity::{Fatal, Retry};

use crate::text::fault::Table;

pub(super) const FAULTS: Table = Table {
    words: &[
        ("invalid_request_error", Fatal, "the server does not take what was sent"),
        ("authentication_error", Fatal, "the key is not known"),
        ("billing_error", Fatal, "the account has nothing left"),
        ("permission_error", Fatal, "the account may not do this"),
        ("not_found_error", Fatal, "the model does not exist for this account"),
        ("request_too_large", Fatal, "the conversation is too long for the server"),
        ("rate_limit_error", Retry, "too much in too little time"),
        ("timeout_error", Retry, "the server did not finish in time"),
        ("api_error", Retry, "the server failed"),
        ("overloaded_error", Retry, "the server is overloaded"),
    ],
    statuses: &[
        (300, 399, Fatal, "the address has moved"),
        (408, 409, Retry, "the server asks to try again"),
        (425, 425, Retry, "the server asks to try again"),
        (429, 429, Retry, "too much in too little time"),
        (400, 499, Fatal, "the server refuses the address, the key or the request"),
        (500, 599, Retry, "the server failed or is overloaded"),
    ],
};

#[cfg(test)]
#[path = "fault_tests.rs"]
mod tests;
