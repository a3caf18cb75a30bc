//! The ids of our events. Each encodes the subject of the event, so that an error that refers to it can be
//! classified without a list of sent events.

use aileron_contract::CallId;
use aileron_contract::transport::FaultSubject;

/// Counts events, so that all ids differ.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct EventIds {
    count: u64,
}

/// The prefix of all our ids.
const OURS: &str = "ail_";

/// Precedes the call id in the id of its result.
const RESULT: &str = "result:";

impl EventIds {
    pub(super) fn next(&mut self, about: &FaultSubject) -> String {
        self.count += 1;
        let (count, word) = (self.count, word(about));
        match about {
            FaultSubject::Result(call) => format!("{OURS}{count}_{word}{call}"),
            _ => format!("{OURS}{count}_{word}"),
        }
    }

    /// An id for the item that the previous event creates.
    pub(super) fn item(&self) -> String {
        format!("{OURS}item_{}", self.count)
    }
}

fn word(about: &FaultSubject) -> &'static str {
    match about {
        FaultSubject::Connection => "other",
        FaultSubject::Setup => "setup",
        FaultSubject::Text => "text",
        FaultSubject::Audio => "audio",
        FaultSubject::Result(_) => RESULT,
        FaultSubject::Reply => "reply",
        FaultSubject::Say => "say",
        FaultSubject::Interrupt => "interrupt",
        FaultSubject::Truncate => "truncate",
    }
}

/// The subject of the event with this id.
pub(super) fn about(event_id: &str) -> FaultSubject {
    let ours = event_id.strip_prefix(OURS).and_then(|rest| rest.split_once('_'));
    let Some((_, word)) = ours else { return FaultSubject::Connection };
    if let Some(call) = word.strip_prefix(RESULT) {
        return CallId::new(call).map_or(FaultSubject::Connection, FaultSubject::Result);
    }
    match word {
        "setup" => FaultSubject::Setup,
        "text" => FaultSubject::Text,
        "audio" => FaultSubject::Audio,
        "reply" => FaultSubject::Reply,
        "say" => FaultSubject::Say,
        "interrupt" => FaultSubject::Interrupt,
        "truncate" => FaultSubject::Truncate,
        _ => FaultSubject::Connection,
    }
}

/// Whether we created an item.
pub(super) fn is_our_item(id: &str) -> bool {
    id.starts_with(OURS)
}

#[cfg(test)]
#[path = "event_id_tests.rs"]
mod tests;
