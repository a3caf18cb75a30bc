//! What it means when Gemini Live ends a connection. It sends no error frames:
//! it closes the socket with a code and a reason.

use aileron_contract::transport::{About, CloseCode, Fault, Severity};

use crate::lenient;
use crate::phase::Phase;
use Severity::{Fatal, Retry};

/// How a connection had begun when it ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Begun {
    /// The setup was not taken yet, and the conversation was to begin.
    Beginning,
    /// The setup was not taken yet, and an older conversation was to go on.
    Resuming,
    /// It had been ready.
    Ready,
}

impl Begun {
    pub(crate) fn new(phase: Phase, resumes: bool) -> Self {
        match (phase, resumes) {
            (Phase::Ready | Phase::Over, _) => Self::Ready,
            (Phase::Fresh | Phase::Starting, true) => Self::Resuming,
            (Phase::Fresh | Phase::Starting, false) => Self::Beginning,
        }
    }
}

/// A row: the first and the last code, what it means before the connection was ready and after, why.
type Row = (u16, u16, Severity, Severity, &'static str);

/// Codes of close frames.
const CLOSES: &[Row] = &[
    (1000, 1001, Retry, Retry, "the server ended this connection in good order"),
    (1002, 1003, Fatal, Retry, "the server does not take what we send"),
    (1007, 1007, Fatal, Retry, "an argument is invalid: the setup before, one message after"),
    (1008, 1008, Fatal, Retry, "the key, the model or the quota does not allow it"),
    (1009, 1009, Fatal, Retry, "a message was too large"),
    (1010, 1010, Fatal, Fatal, "the server wants an extension we do not have"),
    (1011, 1014, Retry, Retry, "the server failed or is overloaded"),
    (1015, 1015, Fatal, Fatal, "the certificate of the server cannot be trusted"),
];

/// Statuses of a handshake that was refused.
const STATUSES: &[Row] = &[
    (408, 408, Retry, Retry, "the server did not answer in time"),
    (425, 425, Retry, Retry, "the server asks to try again"),
    (429, 429, Retry, Retry, "too many connections or requests"),
    (400, 499, Fatal, Fatal, "the server refuses the address, the key or the model"),
    (500, 599, Retry, Retry, "the server failed or is overloaded"),
];

const DROPPED: &str = "the socket went away without a word";
const UNLISTED: &str = "a code that is not listed; another connection may do";
const OLD_HANDLE: &str = "the handle to resume by was not taken; a fresh connection may do";

/// Classifies the end of a connection.
pub(crate) fn classify(code: CloseCode, message: &str, begun: Begun) -> Fault {
    let (severity, reason) = match code {
        CloseCode::Missing => (Retry, DROPPED),
        CloseCode::Code(code) => look_up(CLOSES, code, begun),
        CloseCode::Http(status) => look_up(STATUSES, status, begun),
    };
    let (severity, reason) = match blames_handle(code, begun) {
        true => (Retry, OLD_HANDLE),
        false => (severity, reason),
    };
    let about = if begun == Begun::Ready { About::Connection } else { About::Setup };
    Fault { severity, code: code.to_string(), message: lenient::excerpt(message), reason, about }
}

/// Whether the end can be that of a handle which is too old. The server has no code of its own for it.
pub(crate) fn blames_handle(code: CloseCode, begun: Begun) -> bool {
    begun == Begun::Resuming && matches!(code, CloseCode::Code(1007 | 1008))
}

fn look_up(table: &[Row], code: u16, begun: Begun) -> (Severity, &'static str) {
    let row = table.iter().find(|(first, last, ..)| (*first..=*last).contains(&code));
    match (row, begun) {
        (None, _) => (Retry, UNLISTED),
        (Some((_, _, _, after, reason)), Begun::Ready) => (*after, reason),
        (Some((_, _, before, _, reason)), Begun::Beginning | Begun::Resuming) => (*before, reason),
    }
}

#[cfg(test)]
#[path = "fault_tests.rs"]
mod tests;
