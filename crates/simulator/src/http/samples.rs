//! One reply with everything in it, for the tests of every protocol.

use serde_json::json;

use super::exchange::{Question, Reply, Thoughts};
use crate::brain::{Asked, Step};
use crate::sse::Frame;

pub(crate) fn question() -> Question {
    Question {
        model: "m".to_owned(),
        thoughts: Thoughts::Shown,
        usage_wanted: true,
        ..Question::default()
    }
}

/// A thought, words and two calls; what stands behind the calls is not sent.
pub(crate) fn reply(question: &Question) -> Reply {
    let call = |city: &str| {
        let args = json!({ "city": city }).as_object().cloned().unwrap();
        Asked { id: None, name: "get_weather".to_owned(), args }
    };
    let steps = vec![
        Step::Think("Two cities.".to_owned()),
        Step::Say("Let me see.".to_owned()),
        Step::Call(vec![call("Cluj"), call("Oslo")]),
        Step::Say("never sent".to_owned()),
    ];
    Reply::new("stem".to_owned(), question, steps)
}

/// The events as they stand on the wire.
pub(crate) fn on_the_wire(frames: &[Frame]) -> String {
    let lines = frames.iter().map(|frame| match &frame.event {
        Some(event) => format!("{:?} {event}: {}", frame.place, frame.data),
        None => format!("{:?} {}", frame.place, frame.data),
    });
    lines.collect::<Vec<_>>().join("\n")
}
