//! The meaning of OpenAI Realtime errors and of the ends of its connections. Most errors leave the session
//! intact.

use Severity::{Fatal, Ignore, Retry};
use aileron_contract::transport::{CloseCode, FaultSubject, ProviderFault, Severity};

use super::wire::item::ErrorDetails;
use crate::close::{ClosedDuring, Table};
use crate::lenient;

/// Another response is running.
pub(crate) const ALREADY_ACTIVE: &str = "conversation_already_has_active_response";

/// There is no response to cancel.
pub(crate) const NOT_ACTIVE: &str = "response_cancel_not_active";

/// A row: code or type, severity, severity during the setup, reason.
type Row = (&'static str, Severity, Severity, &'static str);

/// The meaning of an error by its code, or else by its type.
const ERRORS: &[Row] = &[
    (ALREADY_ACTIVE, Ignore, Ignore, "the reply is asked for again when the running one is done"),
    (NOT_ACTIVE, Ignore, Ignore, "the reply was over before it was cut short"),
    ("input_audio_buffer_commit_empty", Ignore, Ignore, "there was no audio to take"),
    ("session_expired", Retry, Retry, "the session has reached its longest duration"),
    ("invalid_api_key", Fatal, Fatal, "the key is not known"),
    ("insufficient_quota", Fatal, Fatal, "the account has nothing left"),
    ("billing_hard_limit_reached", Fatal, Fatal, "the account has nothing left"),
    ("account_deactivated", Fatal, Fatal, "the account is closed"),
    ("model_not_found", Fatal, Fatal, "the model does not exist for this account"),
    ("authentication_error", Fatal, Fatal, "the key is not known"),
    ("permission_error", Fatal, Fatal, "the account may not do this"),
    ("rate_limit_exceeded", Ignore, Retry, "too much in too little time"),
    ("server_error", Ignore, Retry, "the server failed at one thing"),
    ("invalid_request_error", Ignore, Fatal, "the server does not take what was sent"),
];

const UNLISTED: Row = ("", Ignore, Fatal, "an error that is not listed");

/// Classifies an error by its code, its type and its subject.
pub(crate) fn classify(error: &ErrorDetails<'_>, about: FaultSubject) -> ProviderFault {
    let row = |word: &str| ERRORS.iter().find(|(name, ..)| *name == word);
    let row = row(error.code.as_str()).or_else(|| row(error.kind.as_str()));
    let (_, usual, at_setup, reason) = *row.unwrap_or(&UNLISTED);
    let severity = if about == FaultSubject::Setup { at_setup } else { usual };
    let word = if error.code.is_empty() { &error.kind } else { &error.code };
    let code = lenient::excerpt(word.as_str());
    ProviderFault {
        severity,
        code,
        message: lenient::excerpt(error.message.as_str()),
        reason,
        about,
    }
}

/// A requested reply did not come.
pub(crate) fn no_reply() -> ProviderFault {
    let (code, reason) = ("overdue".to_owned(), "the reply did not come");
    ProviderFault {
        severity: Ignore,
        code,
        message: String::new(),
        reason,
        about: FaultSubject::Reply,
    }
}

const ENDS: Table = Table {
    closes: &[
        (1000, 1001, Retry, Retry, "the server ended this connection in good order"),
        (1002, 1003, Fatal, Retry, "the server does not take what we send"),
        (1007, 1007, Fatal, Retry, "the server could not read a message"),
        (1008, 1008, Fatal, Retry, "the key, the model or the quota does not allow it"),
        (1009, 1009, Fatal, Retry, "a message was too large"),
        (1010, 1010, Fatal, Fatal, "the server wants an extension we do not have"),
        (1011, 1014, Retry, Retry, "the server failed or is overloaded"),
        (1015, 1015, Fatal, Fatal, "the certificate of the server cannot be trusted"),
        (3000, 3000, Fatal, Fatal, "the key is not known"),
        (3003, 3003, Fatal, Fatal, "the account may not do this"),
    ],
    statuses: &[
        (408, 408, Retry, Retry, "the server did not answer in time"),
        (409, 409, Retry, Retry, "the server asks to try again"),
        (429, 429, Retry, Retry, "too many connections or requests"),
        (400, 499, Fatal, Fatal, "the server refuses the address, the key or the model"),
        (500, 599, Retry, Retry, "the server failed or is overloaded"),
    ],
};

/// Classifies the end of a connection.
pub(crate) fn classify_end(code: CloseCode, message: &str, begun: ClosedDuring) -> ProviderFault {
    ENDS.classify(code, message, begun)
}

#[cfg(test)]
#[path = "fault_tests.rs"]
mod tests;
