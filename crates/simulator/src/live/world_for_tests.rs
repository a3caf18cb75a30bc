//! A protocol that tests drive directly, without sockets.

use std::sync::Arc;

use aileron_contract::CallId;
use serde_json::{Value, json};

use super::{HandlerOutput, Protocol, SimulatorShared, SpeechPace};
use crate::control::Control;
use crate::simulated_model::{ModelAction, PlannedCall, Rules};

use crate::fault::{Faults, InjectedFault};
use crate::ids::Ids;
use crate::sessions::Sessions;
use crate::speech::Tones;

pub(crate) fn shared(faults: &[InjectedFault]) -> Arc<SimulatorShared> {
    Arc::new(SimulatorShared {
        model: Arc::new(Rules(aileron_offline::decide)),
        voice: Arc::new(Tones),
        faults: Faults::new(faults.to_vec()),
        pace: SpeechPace::Fast,
        ids: Ids::stamped(7),
        sessions: Sessions::default(),
        control: Control::default(),
    })
}

/// Sends a message of the client, and returns the output.
pub(crate) fn tell(protocol: &mut impl Protocol, message: &Value) -> HandlerOutput {
    let mut out = HandlerOutput::default();
    protocol.receive(&message.to_string(), &mut out);
    out
}

/// Has the model do something, and returns the frames of all of it.
pub(crate) fn play(protocol: &mut impl Protocol, steps: Vec<ModelAction>) -> Vec<Value> {
    let mut out = HandlerOutput::default();
    protocol.perform(steps, &mut out);
    while protocol.next_in().is_some() {
        protocol.deliver(&mut out);
    }
    out.frames
}

pub(crate) fn say(text: &str) -> ModelAction {
    ModelAction::Say(text.to_owned())
}

/// One message with a call of each of these ids.
pub(crate) fn call(ids: &[&str]) -> ModelAction {
    let asked = |id: &&str| PlannedCall {
        id: CallId::new(*id).ok(),
        name: "echo".to_owned(),
        args: json!({ "n": 1 }).as_object().cloned().unwrap_or_default(),
    };
    ModelAction::Call(ids.iter().map(asked).collect())
}
