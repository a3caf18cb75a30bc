//! The meaning of errors of OpenAI's Responses API.

use aileron_contract::transport::Severity::{Fatal, Retry};

use crate::text::fault::Table;

pub(super) const FAULTS: Table = Table {
    words: &[
        ("invalid_api_key", Fatal, "the key is not known"),
        ("insufficient_quota", Fatal, "the account has nothing left"),
        ("billing_hard_limit_reached", Fatal, "the account has nothing left"),
        ("account_deactivated", Fatal, "the account is closed"),
        ("model_not_found", Fatal, "the model does not exist for this account"),
        ("unsupported_country_region_territory", Fatal, "the place does not allow it"),
        ("context_length_exceeded", Fatal, "the conversation is too long for the model"),
        ("invalid_prompt", Fatal, "the server does not take what was sent"),
        ("rate_limit_exceeded", Retry, "too much in too little time"),
        ("server_error", Retry, "the server failed"),
        ("server_is_overloaded", Retry, "the server is overloaded"),
        ("slow_down", Retry, "the server is overloaded"),
        ("vector_store_timeout", Retry, "the server did not finish in time"),
        ("authentication_error", Fatal, "the key is not known"),
        ("permission_error", Fatal, "the account may not do this"),
        ("invalid_request_error", Fatal, "the server does not take what was sent"),
        ("tokens", Retry, "too much in too little time"),
        ("requests", Retry, "too much in too little time"),
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
