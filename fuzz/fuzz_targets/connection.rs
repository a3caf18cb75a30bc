//! One connection to a provider, driven by a text of the fuzzer: each line is a choice of what we do and
//! a frame of the provider.

use std::collections::VecDeque;
use std::sync::Arc;

use aileron_contract::envelope::{Meta, RESPONSE_SCHEMA_VERSION};
use aileron_contract::transport::{
    CallResult, CloseCode, Command, DeferredInput, Effects, MissedEvent, Protocol, ProviderEvent,
    Setup, Utterance,
};
use aileron_contract::{CallId, ToolResponse};

/// No frame makes the protocol panic, and one that cannot be read changes nothing.
pub fn drive(mut protocol: impl Protocol, data: &[u8]) {
    let mut effects = Effects::default();
    let setup = Setup::new("m", "Be nice.");
    let _ = protocol.command(Command::Start(&setup), &mut effects);
    let (mut calls, mut utterance) = (VecDeque::new(), Utterance(0));
    for frame in data.split(|byte| *byte == b'\n') {
        // The first byte of a line says what we do after it.
        let (choice, frame) =
            frame.split_first().map_or((0, frame), |(choice, rest)| (*choice, rest));
        effects.clear();
        if protocol.receive(frame, &mut effects).is_err() {
            assert!(effects.events.is_empty() && effects.frames.is_empty());
        }
        for event in &effects.events {
            match event {
                ProviderEvent::ToolCalls(made) => {
                    calls.extend(made.iter().map(|call| call.call_id.clone()))
                }
                ProviderEvent::Audio { utterance: latest, .. } => utterance = *latest,
                _ => {}
            }
        }
        effects.clear();
        act(choice, &mut protocol, &mut calls, utterance, &mut effects);
    }
    effects.clear();
    protocol.closed(CloseCode::Missing, "", &mut effects);
    assert!(matches!(effects.events.last(), Some(ProviderEvent::Closed(_))));
}

fn act(
    choice: u8,
    protocol: &mut impl Protocol,
    calls: &mut VecDeque<CallId>,
    utterance: Utterance,
    effects: &mut Effects,
) {
    let unknown = || CallId::new("a-call-of-old");
    let answer = calls.pop_front().or_else(|| unknown().ok()).map(result);
    let played_ms = u64::from(choice);
    let command = match (choice % 10, &answer) {
        (0, Some(answer)) => Command::Results(std::slice::from_ref(answer)),
        (1, Some(answer)) => Command::LateResult(answer),
        (2, Some(answer)) => {
            let held = [DeferredInput::Text("hi".into()), DeferredInput::Result(answer.clone())];
            let _ = protocol.command(Command::Told(&held), effects);
            return;
        }
        (3, _) => Command::Interrupt { played_ms },
        (4, _) => Command::Truncate { utterance, played_ms },
        (5, _) => Command::Say("One moment."),
        (6, _) => Command::Overdue(MissedEvent::TurnEnd),
        (7, _) => Command::Overdue(MissedEvent::Reply),
        (8, _) => Command::Audio(&[0, 0]),
        _ => Command::Text("hi"),
    };
    let _ = protocol.command(command, effects);
}

fn result(call_id: CallId) -> CallResult {
    let meta = Meta {
        tool_id: "t".into(),
        tool_version: None,
        registry_version: "1.0.0".into(),
        response_schema_version: RESPONSE_SCHEMA_VERSION.into(),
        call_id: call_id.clone(),
        duration: 1,
        attempts: 1,
        replayed: false,
        clamped: Vec::new(),
        over_budget: false,
        truncated: false,
        warnings: Vec::new(),
        task: None,
    };
    let response = ToolResponse::Success { data: 1.into(), intents: Vec::new(), meta };
    CallResult { call_id, response: Arc::new(response) }
}
