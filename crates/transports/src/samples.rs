//! Answers, setups and a connection that the tests of every provider use.

pub(crate) mod damage;

use std::sync::Arc;

use aileron_contract::envelope::{ConfirmationRequest, Failure, Meta, RESPONSE_SCHEMA_VERSION};
use aileron_contract::transport::{
    CallResult, CloseCode, Command, CommandError, Compression, Effects, OutgoingFrame, Protocol,
    ProviderEvent, Sensitivity, Setup, Speaker, TranscriptStage, TurnDetection,
};
use aileron_contract::{CallId, ErrorType, ToolId, ToolResponse};
use serde_json::{Value, json};

pub(crate) fn meta(call_id: &str) -> Meta {
    Meta {
        tool_id: "get_weather".into(),
        tool_version: Some("1.0.0".into()),
        registry_version: "1.0.abcdef01".into(),
        response_schema_version: RESPONSE_SCHEMA_VERSION.into(),
        call_id: CallId::new(call_id).unwrap(),
        duration: 12,
        attempts: 1,
        replayed: false,
        clamped: Vec::new(),
        over_budget: false,
        truncated: false,
        warnings: Vec::new(),
        task: None,
    }
}

pub(crate) fn success(call_id: &str, data: Value) -> CallResult {
    let response = ToolResponse::Success { data, intents: Vec::new(), meta: meta(call_id) };
    CallResult { call_id: CallId::new(call_id).unwrap(), response: Arc::new(response) }
}

pub(crate) fn failure(call_id: &str, error: Failure) -> CallResult {
    let response = ToolResponse::Failure { error, meta: meta(call_id) };
    CallResult { call_id: CallId::new(call_id).unwrap(), response: Arc::new(response) }
}

pub(crate) fn sunny(call_id: &str) -> CallResult {
    success(call_id, json!({ "temp": 21, "sky": "clear \"blue\"" }))
}

pub(crate) fn cancelled(call_id: &str) -> CallResult {
    failure(call_id, Failure::new(ErrorType::Cancelled, ErrorType::Cancelled.sentence()))
}

pub(crate) fn unapproved(call_id: &str) -> CallResult {
    let question = ConfirmationRequest {
        token: "signed-token".into(),
        expires: 1,
        tool: ToolId::new("calendar_create_event").unwrap(),
        args: json!({ "title": "Tea" }),
        preview: "Create \"Tea\" with 2 people".into(),
    };
    let mut error =
        Failure::new(ErrorType::ConfirmationRequired, ErrorType::ConfirmationRequired.sentence());
    error.confirmation_request = Some(question);
    failure(call_id, error)
}

/// A setup that uses everything but resumption and history.
pub(crate) fn full_setup(model: &str, declaration: Value) -> Setup {
    let mut setup = Setup::new(model, "You are helpful.");
    setup.declarations = vec![declaration];
    setup.voice = Some("Kore".into());
    setup.language = Some("en-US".into());
    setup.turn_detection = TurnDetection::Automatic {
        silence_ms: Some(500),
        padding_ms: Some(300),
        sensitivity: Some(Sensitivity::Low),
    };
    setup.compression = Compression::SlidingWindow { trigger: 25_600, target: 12_800 };
    setup
}

/// A connection under test, with its effects.
pub(crate) struct ProtocolHarness<P> {
    pub(crate) protocol: P,
    pub(crate) effects: Effects,
}

impl<P: Protocol> ProtocolHarness<P> {
    pub(crate) fn new(protocol: P) -> Self {
        Self { protocol, effects: Effects::default() }
    }

    /// The effects of a provider frame.
    pub(crate) fn receive(&mut self, frame: impl AsRef<[u8]>) -> Effects {
        self.effects.clear();
        self.protocol.receive(frame.as_ref(), &mut self.effects).unwrap();
        self.effects.clone()
    }

    /// The events of a frame that sends nothing.
    pub(crate) fn events(&mut self, frame: impl AsRef<[u8]>) -> Vec<ProviderEvent> {
        let effects = self.receive(frame);
        assert_eq!(effects.frames, []);
        effects.events
    }

    /// The effects of a command.
    pub(crate) fn command(&mut self, command: Command<'_>) -> Effects {
        self.effects.clear();
        self.protocol.command(command, &mut self.effects).unwrap();
        self.effects.clone()
    }

    /// The frames of a command that reports nothing, one a line.
    pub(crate) fn frames(&mut self, command: Command<'_>) -> String {
        let effects = self.command(command);
        assert_eq!(effects.events, []);
        frames(&effects)
    }

    pub(crate) fn refused(&mut self, command: Command<'_>) -> CommandError {
        self.effects.clear();
        let error = self.protocol.command(command, &mut self.effects).unwrap_err();
        assert_eq!(self.effects, Effects::default());
        error
    }

    pub(crate) fn closed(&mut self, code: CloseCode, reason: &str) -> Vec<ProviderEvent> {
        self.effects.clear();
        self.protocol.closed(code, reason, &mut self.effects);
        assert_eq!(self.effects.frames, []);
        self.effects.events.clone()
    }
}

/// The frames of effects, one a line.
pub(crate) fn frames(effects: &Effects) -> String {
    let text = |frame: &OutgoingFrame| match frame {
        OutgoingFrame::Text(text) => text.clone(),
        OutgoingFrame::Close => "(close)".into(),
    };
    effects.frames.iter().map(text).collect::<Vec<_>>().join("\n")
}

/// The calls of events, by their ids.
pub(crate) fn call_ids(events: &[ProviderEvent]) -> Vec<&str> {
    let batches = events.iter().filter_map(|event| match event {
        ProviderEvent::ToolCalls(calls) => Some(calls),
        _ => None,
    });
    batches.flatten().map(|call| call.call_id.as_str()).collect()
}

pub(crate) fn transcript(by: Speaker, text: &str, stage: TranscriptStage) -> ProviderEvent {
    ProviderEvent::Transcript { by, text: text.into(), stage }
}
