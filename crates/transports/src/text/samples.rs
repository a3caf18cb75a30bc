//! Conversations and replies that the tests of every provider use.

use std::collections::VecDeque;

use aileron_contract::text::{
    ChatMessage, CompletedReply, ReplyEvent, ReplyFault, ReplyPart, ToolResultMessage,
};
use aileron_contract::{CallId, ToolCall, ToolResponse};
use serde_json::{Value, json};

use super::TextProvider;
use super::call_ids::CallIds;
use super::decode::ReplyDecoder;
use super::model::dialect;
use super::options::{ByteLimits, Reasoning};
use super::protocol::{DecodeStatus, ProviderProtocol, RequestOptions};
use crate::samples::{meta, unapproved};

pub(super) fn person(text: &str) -> ChatMessage {
    ChatMessage::Person { text: text.into() }
}

pub(super) fn text(text: &str) -> ReplyPart {
    ReplyPart::Text { text: text.into() }
}

pub(super) fn tool_call(call_id: &str, tool_id: &str, args: Value) -> ToolCall {
    let call_id = CallId::new(call_id).unwrap();
    ToolCall { call_id, tool_id: tool_id.into(), args: args.into() }
}

pub(super) fn call(call_id: &str, args: Value) -> ReplyPart {
    ReplyPart::Call { call: tool_call(call_id, "get_weather", args) }
}

pub(super) fn model(parts: Vec<ReplyPart>) -> ChatMessage {
    ChatMessage::Model { parts, original: None }
}

/// The message that a reply becomes.
pub(super) fn kept(reply: CompletedReply) -> ChatMessage {
    ChatMessage::Model { parts: reply.parts, original: reply.original }
}

pub(super) fn answer(call_id: &str, data: Value) -> ToolResultMessage {
    let response = ToolResponse::Success { data, intents: Vec::new(), meta: meta(call_id) };
    ToolResultMessage {
        call_id: CallId::new(call_id).unwrap(),
        tool_id: "get_weather".into(),
        response,
    }
}

pub(super) fn sunny(call_id: &str) -> ToolResultMessage {
    answer(call_id, json!({ "temp": 21 }))
}

/// The answer to a call that the person has to approve first.
pub(super) fn waiting(call_id: &str) -> ToolResultMessage {
    let response = (*unapproved(call_id).response).clone();
    ToolResultMessage { response, ..answer(call_id, Value::Null) }
}

pub(super) fn ask(model: &str) -> RequestOptions<'_> {
    RequestOptions { model, max_output_tokens: None, reasoning: Reasoning::AsTheModelDoes }
}

pub(super) fn of(name: &str) -> Box<dyn ProviderProtocol> {
    dialect(&TextProvider::named(name).unwrap())
}

/// The events of a stream.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct CollectedReply {
    pub(super) events: Vec<ReplyEvent>,
    pub(super) fault: Option<ReplyFault>,
}

impl CollectedReply {
    pub(super) fn reply(mut self) -> CompletedReply {
        assert_eq!(self.fault, None);
        match self.events.pop() {
            Some(ReplyEvent::Done(reply)) => reply,
            other => panic!("expected the end of a reply, found {other:?}"),
        }
    }

    /// The code of the fault it ended with.
    pub(super) fn code(&self) -> &str {
        self.fault.as_ref().map_or("none", |fault| &fault.code)
    }
}

pub(super) fn read<'a>(name: &str, pieces: impl Iterator<Item = &'a [u8]>) -> CollectedReply {
    let mut intake = ReplyDecoder::new(of(name).decoder(CallIds::default()), ByteLimits::default());
    let mut ready = VecDeque::new();
    let mut progress = Ok(DecodeStatus::More);
    for piece in pieces {
        if progress == Ok(DecodeStatus::More) {
            progress = intake.take(piece, &mut ready);
        }
    }
    if progress == Ok(DecodeStatus::More) {
        progress = intake.end(&mut ready);
    }
    CollectedReply { events: ready.into(), fault: progress.err() }
}

/// Reads a stream whole, in two pieces cut at every byte, and byte by byte: all must say the same.
pub(super) fn hear(name: &str, stream: &str) -> CollectedReply {
    let bytes = stream.as_bytes();
    let whole = read(name, [bytes].into_iter());
    for at in 0..=bytes.len() {
        let (one, two) = bytes.split_at(at);
        assert_eq!(read(name, [one, two].into_iter()), whole, "cut at byte {at}");
    }
    assert_eq!(read(name, bytes.chunks(1)), whole, "byte by byte");
    whole
}

/// The data of events, one event each.
pub(super) fn data(events: &[&str]) -> String {
    events.iter().map(|data| format!("data: {data}\n\n")).collect()
}

/// Events with names, which are the types in their data.
pub(super) fn named(events: &[&str]) -> String {
    let event = |data: &&str| {
        let value: Value = serde_json::from_str(data).unwrap();
        format!("event: {}\ndata: {data}\n\n", value["type"].as_str().unwrap())
    };
    events.iter().map(event).collect()
}

/// Everything in a stream that was cut off is a fault, wherever it was cut.
pub(super) fn hear_cut_off(name: &str, stream: &str, until: usize) {
    for at in 0..until {
        let heard = read(name, [&stream.as_bytes()[..at]].into_iter());
        let done = heard.events.iter().any(|event| matches!(event, ReplyEvent::Done(_)));
        assert!(heard.fault.is_some() && !done, "cut off at byte {at}: {heard:?}");
    }
}
