//! How the end of a connection is looked up in a provider's table.

use aileron_contract::transport::{CloseCode, FaultSubject, ProviderFault, Severity};

use crate::lenient;
use crate::phase::ConnectionPhase;

/// How far a connection had come when it ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum ClosedDuring {
    /// The setup was not taken yet, and the conversation was to begin.
    Beginning,
    /// The setup was not taken yet, and an older conversation was to go on by its handle.
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

/// Whether a setup names a handle to resume by.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) enum Handle {
    #[default]
    None,
    Given,
}

/// A row: the first and the last code, what it means before the connection was ready and after, why.
pub(crate) type Row = (u16, u16, Severity, Severity, &'static str);

/// What the ends of a provider's connections mean; the first row that fits counts.
#[derive(Debug)]
pub(crate) struct Table {
    /// Codes of close frames.
    pub(crate) closes: &'static [Row],
    /// Statuses of a handshake that was refused.
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

/// A provider's tables as a page: each code with what it means when the conversation begins, when
/// it resumes, and when it was ready.
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
