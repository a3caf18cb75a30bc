//! The meaning of the ends of Gemini Live connections. The provider sends no error frames: it closes the socket
//! with a code and a reason.

use Severity::{Fatal, Retry};
use aileron_contract::transport::{CloseCode, ProviderFault, Severity};

use crate::close::{ClosedDuring, Table};

const ENDS: Table = Table {
    closes: &[
        (1000, 1001, Retry, Retry, "the server ended this connection in good order"),
        (1002, 1003, Fatal, Retry, "the server does not take what we send"),
        (1007, 1007, Fatal, Retry, "an argument is invalid: the setup before, one message after"),
        (1008, 1008, Fatal, Retry, "the key, the model or the quota does not allow it"),
        (1009, 1009, Fatal, Retry, "a message was too large"),
        (1010, 1010, Fatal, Fatal, "the server wants an extension we do not have"),
        (1011, 1014, Retry, Retry, "the server failed or is overloaded"),
        (1015, 1015, Fatal, Fatal, "the certificate of the server cannot be trusted"),
    ],
    statuses: &[
        (408, 408, Retry, Retry, "the server did not answer in time"),
        (425, 425, Retry, Retry, "the server asks to try again"),
        (429, 429, Retry, Retry, "too many connections or requests"),
        (400, 499, Fatal, Fatal, "the server refuses the address, the key or the model"),
        (500, 599, Retry, Retry, "the server failed or is overloaded"),
    ],
};

const OLD_HANDLE: &str = "the handle to resume by was not taken; a fresh connection may do";

/// Classifies the end of a connection.
pub(crate) fn classify(code: CloseCode, message: &str, begun: ClosedDuring) -> ProviderFault {
    let fault = ENDS.classify(code, message, begun);
    match blames_handle(code, begun) {
        true => ProviderFault { severity: Retry, reason: OLD_HANDLE, ..fault },
        false => fault,
    }
}

/// Whether an expired handle may be the reason. The server has no separate code for it.
pub(crate) fn blames_handle(code: CloseCode, begun: ClosedDuring) -> bool {
    begun == ClosedDuring::Resuming && matches!(code, CloseCode::Code(1007 | 1008))
}

#[cfg(test)]
#[path = "fault_tests.rs"]
mod tests;
