//! Looks up the end of a connection in a provider's table.

use aileron_contract::transport::{CloseCode, FaultSubject, ProviderFault, Severity};

use crate::lenient;
use crate::phase::ConnectionPhase;

/// The phase of a connection when it ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum ClosedDuring {
    /// The setup was not accepted yet, for a new conversation.
    Beginning,
    /// The setup was not accepted yet, for a conversation to resume.
    Resuming,
    /// It had been ready.
    Ready,
}

impl ClosedDuring {
    pub(crate) fn new(phase: ConnectionPhase, handle: Handle) -> Self {
        match (phase, handle) {
            (ConnectionPhase::Ready | ConnectionPhase::Over, _) => Self::Ready,
            (ConnectionPhase::Fresh | ConnectionPhase::Starting, Handle::Given) => Self::Resuming,
            (ConnectionPhase::Fresh | ConnectionPhase::Starting, Handle::None) => Self::Beginning,
        }
    }
}

/// Whether a setup has a handle to resume from.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) enum Handle {
    #[default]
    None,
    Given,
}

/// A row: first and last code, severity before the connection was ready and after, reason.
pub(crate) type Row = (u16, u16, Severity, Severity, &'static str);

/// The meaning of the ends of a provider's connections; the first row that matches counts.
#[derive(Debug)]
pub(crate) struct Table {
    /// Codes of close frames.
    pub(crate) closes: &'static [Row],
    /// HTTP statuses of a refused handshake.
    pub(crate) statuses: &'static [Row],
}

const DROPPED: &str = "the socket went away without a word";
const UNLISTED: &str = "a code that is not listed; another connection may do";

impl Table {
    pub(crate) fn classify(
        &self,
        code: CloseCode,
        message: &str,
        begun: ClosedDuring,
    ) -> ProviderFault {
        let (severity, reason) = match code {
            CloseCode::Missing => (Severity::Retry, DROPPED),
            CloseCode::Code(code) => look_up(self.closes, code, begun),
            CloseCode::Http(status) => look_up(self.statuses, status, begun),
        };
        let about = match begun {
            ClosedDuring::Ready => FaultSubject::Connection,
            ClosedDuring::Beginning | ClosedDuring::Resuming => FaultSubject::Setup,
        };
        ProviderFault {
            severity,
            code: code.to_string(),
            message: lenient::excerpt(message),
            reason,
            about,
        }
    }
}

fn look_up(rows: &[Row], code: u16, begun: ClosedDuring) -> (Severity, &'static str) {
    let row = rows.iter().find(|(first, last, ..)| (*first..=*last).contains(&code));
    match (row, begun) {
        (None, _) => (Severity::Retry, UNLISTED),
        (Some((_, _, _, after, reason)), ClosedDuring::Ready) => (*after, reason),
        (Some((_, _, before, _, reason)), ClosedDuring::Beginning | ClosedDuring::Resuming) => {
            (*before, reason)
        }
    }
}

/// A provider's tables as a page: each code with its meaning at the start of a conversation, at a resumption,
/// and after the connection was ready.
#[cfg(test)]
pub(crate) fn page(classify: impl Fn(CloseCode, ClosedDuring) -> ProviderFault) -> String {
    let closes =
        (1000..=1003).chain(1007..=1015).chain([3000, 3003, 3008, 4999]).map(CloseCode::Code);
    let statuses = [301, 400, 401, 403, 404, 408, 425, 429, 500, 503].map(CloseCode::Http);
    let codes = [CloseCode::Missing].into_iter().chain(closes).chain(statuses);
    let line = |code: CloseCode| {
        let faults = [ClosedDuring::Beginning, ClosedDuring::Resuming, ClosedDuring::Ready]
            .map(|begun| classify(code, begun));
        let severities = faults.each_ref().map(|fault| format!("{:?}", fault.severity)).join(" ");
        format!("{:<11} {severities}  {}", code.to_string(), faults[0].reason)
    };
    codes.map(line).collect::<Vec<_>>().join("\n")
}
