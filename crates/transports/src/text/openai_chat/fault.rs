//! The meaning of errors of Chat Completions servers. Their codes differ; their statuses mostly do not.

use aileron_contract::transport::Severity::{Fatal, Retry};

use crate::text::fault::Table;

pub(super) const FAULTS: Table = Table {
    words: &[
        ("invalid_api_key", Fatal, "the key is not known"),
        ("insufficient_quota", Fatal, "the account has nothing left"),
        ("model_not_found", Fatal, "the server does not have the model"),
        ("context_length_exceeded", Fatal, "the conversation is too long for the model"),
        ("exceed_context_size_error", Fatal, "the conversation is too long for the model"),
        ("rate_limit_exceeded", Retry, "too much in too little time"),
        ("unavailable_error", Retry, "the server is still loading the model"),
        ("overloaded_error", Retry, "the server is overloaded"),
        ("server_error", Retry, "the server failed"),
        ("authentication_error", Fatal, "the key is not known"),
        ("permission_error", Fatal, "the account may not do this"),
        ("not_found_error", Fatal, "the server does not have the model"),
        ("not_supported_error", Fatal, "the server cannot do this"),
        ("invalid_request_error", Fatal, "the server does not take what was sent"),
        ("BadRequestError", Fatal, "the server does not take what was sent"),
        ("NotFoundError", Fatal, "the server does not have the model"),
    ],
    statuses: &[
        (300, 399, Fatal, "the address has moved"),
        (408, 409, Retry, "the server asks to try again"),
        (425, 425, Retry, "the server asks to try again"),
        (429, 429, Retry, "too much in too little time"),
        (400, 499, Fatal, "the server refuses the address, the key or the request"),
        (501, 501, Fatal, "the server cannot do this"),
        (500, 599, Retry, "the server failed or is overloaded"),
    ],
};

#[cfg(test)]
#[path = "fault_tests.rs"]
mod tests;
