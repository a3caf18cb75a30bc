//! One reply with everything in it, for the tests of every protocol.

use serde_json::json;

use super::exchange::{ModelReply, ProviderRequest, Thoughts};
use crate::simulated_model::{ModelAction, PlannedCall};
use crate::sse::SentEvent;

pub(crate) fn question() -> ProviderRequest {
    ProviderRequest {
        model: "m".to_owned(),
        thoughts: Thoughts::Shown,
        usage_wanted: true,
        ..ProviderRequest::default()
    }
}

/// A thought, words and two calls; actions after the calls are not sent.
pub(crate) fn reply(question: &ProviderRequest) -> ModelReply {
    let call = |city: &str| {
        let args = json!({ "city": city }).as_object().cloned().unwrap();
        PlannedCall { id: None, name: "get_weather".to_owned(), args }
    };
    let steps = vec![
        ModelAction::Think("Two cities.".to_owned()),
        ModelAction::Say("Let me see.".to_owned()),
        ModelAction::Call(vec![call("Cluj"), call("Oslo")]),
        ModelAction::Say("never sent".to_owned()),
    ];
    ModelReply::new("stem".to_owned(), question, steps)
}

/// The events as sent.
pub(crate) fn on_the_wire(frames: &[SentEvent]) -> String {
    let lines = frames.iter().map(|frame| match &frame.event {
        Some(event) => format!("{:?} {event}: {}", frame.place, frame.data),
        None => format!("{:?} {}", frame.place, frame.data),
    });
    lines.collect::<Vec<_>>().join("\n")
}
