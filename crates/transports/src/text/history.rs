//! Brings a conversation into an order that every provider accepts: the model is neither first nor last, its
//! turns do not follow each other, every call has its result right after it, no turn is empty. The provider's
//! `map/send` encodes the turns.

mod turn;

use std::borrow::Cow;

use aileron_contract::text::{ChatMessage, ProviderMessage, ReplyPart, ToolResultMessage};
use aileron_contract::{Arguments, CallId, ToolCall};
use serde_json::{Map, Value, json};

pub(super) use self::turn::{
    CallResult, HistoryPart, HistoryTurn, ModelTurn, ResultText, WireCall,
};
use crate::answer;

/// Placeholder for missing text.
const NO_WORDS: &str = "[The person sent no words.]";
const NOTHING_YET: &str = "[The person has not said anything yet.]";
const BEGINNING: &str = "[The beginning of this conversation is not shown.]";
const GO_ON: &str = "[This is not from the person. Go on.]";

/// The result of a call whose result was not stored.
const UNANSWERED: &str = "No result of this call was kept. Whether it took effect is not known. Check before you repeat it.";

/// The calls in a provider's own message, or `None` if the message is unusable.
pub(super) type ReadOriginal = fn(&Value) -> Option<Vec<WireCall>>;

/// The turns of a conversation. Messages under the name `by` are read by `read`.
pub(super) fn turns<'a>(
    messages: &'a [ChatMessage],
    by: &str,
    read: ReadOriginal,
) -> Vec<HistoryTurn<'a>> {
    let mut order = HistoryBuilder { by, read, turns: Vec::new(), open: Vec::new() };
    for (at, message) in messages.iter().enumerate() {
        match message {
            ChatMessage::Person { text } if text.trim().is_empty() => order.tell(NO_WORDS.into()),
            ChatMessage::Person { text } => order.tell(text.into()),
            ChatMessage::Late { answer } => order.tell(words(answer).into()),
            ChatMessage::Results { answers } => order.results(answers),
            ChatMessage::Model { parts, original } => order.model(at, parts, original.as_ref()),
        }
    }
    order.close();
    order.turns
}

struct HistoryBuilder<'a, 'b> {
    by: &'b str,
    read: ReadOriginal,
    turns: Vec<HistoryTurn<'a>>,
    /// The calls of the last turn, which need their results.
    open: Vec<(&'a CallId, WireCall)>,
}

impl<'a> HistoryBuilder<'a, '_> {
    fn tell(&mut self, text: Cow<'a, str>) {
        self.results(&[]);
        match self.turns.last_mut() {
            Some(HistoryTurn::Told(texts)) => texts.push(text),
            _ => self.turns.push(HistoryTurn::Told(vec![text])),
        }
    }

    /// Adds the results of the open calls. A result without an open call becomes text.
    fn results(&mut self, answers: &[ToolResultMessage]) {
        let mut left: Vec<&ToolResultMessage> = answers.iter().collect();
        let open = std::mem::take(&mut self.open);
        let returned = open.into_iter().map(|(id, wire)| {
            let at = left.iter().position(|answer| answer.call_id == *id);
            returned(wire, at.map(|at| left.remove(at)))
        });
        let returned: Vec<_> = returned.collect();
        if !returned.is_empty() {
            self.turns.push(HistoryTurn::Returned(returned));
        }
        for answer in left {
            self.tell(words(answer).into());
        }
    }

    fn model(&mut self, at: usize, parts: &'a [ReplyPart], original: Option<&'a ProviderMessage>) {
        self.results(&[]);
        let Some((said, wires)) = self.said(at, parts, original) else { return };
        match self.turns.last() {
            None => self.tell(BEGINNING.into()),
            Some(HistoryTurn::Said(_)) => self.tell(GO_ON.into()),
            Some(HistoryTurn::Told(_) | HistoryTurn::Returned(_)) => {}
        }
        self.turns.push(HistoryTurn::Said(said));
        self.open = calls(parts).map(|call| &call.call_id).zip(wires).collect();
    }

    /// The original message, if it is of this provider and has the same calls; else one rebuilt from the parts.
    fn said(
        &self,
        at: usize,
        parts: &'a [ReplyPart],
        original: Option<&'a ProviderMessage>,
    ) -> Option<(ModelTurn<'a>, Vec<WireCall>)> {
        let ours = original.filter(|original| original.by == self.by);
        let readable = ours.and_then(|ours| Some((&ours.content, (self.read)(&ours.content)?)));
        if let Some((content, wires)) = readable
            && wires.len() == calls(parts).count()
        {
            return Some((ModelTurn::Original(content), wires));
        }
        let pieces = pieces(at, parts);
        let wires = pieces.iter().filter_map(|piece| match piece {
            HistoryPart::Call { wire, .. } => Some(wire.clone()),
            HistoryPart::Text(_) | HistoryPart::Reasoning(_) => None,
        });
        let wires = wires.collect();
        // A message with reasoning only cannot be sent to another provider.
        let says = pieces.iter().any(|piece| !matches!(piece, HistoryPart::Reasoning(_)));
        says.then_some((ModelTurn::Pieces(pieces), wires))
    }

    fn close(&mut self) {
        self.results(&[]);
        match self.turns.last() {
            None => self.tell(NOTHING_YET.into()),
            Some(HistoryTurn::Said(_)) => self.tell(GO_ON.into()),
            Some(HistoryTurn::Told(_) | HistoryTurn::Returned(_)) => {}
        }
    }
}

fn calls(parts: &[ReplyPart]) -> impl Iterator<Item = &ToolCall> {
    parts.iter().filter_map(|part| match part {
        ReplyPart::Call { call } => Some(call),
        ReplyPart::Text { .. } | ReplyPart::Reasoning { .. } => None,
    })
}

/// The parts that are not empty, with ids and names that every provider accepts.
fn pieces(at: usize, parts: &[ReplyPart]) -> Vec<HistoryPart<'_>> {
    let says = |part: &ReplyPart| match part {
        ReplyPart::Text { text } | ReplyPart::Reasoning { text } => !text.trim().is_empty(),
        ReplyPart::Call { .. } => true,
    };
    let kept = parts.iter().enumerate().filter(|(_, part)| says(part));
    kept.map(|(place, part)| written(at, place, part)).collect()
}

fn written(at: usize, place: usize, part: &ReplyPart) -> HistoryPart<'_> {
    match part {
        ReplyPart::Text { text } => HistoryPart::Text(text),
        ReplyPart::Reasoning { text } => HistoryPart::Reasoning(text),
        ReplyPart::Call { call } => HistoryPart::Call {
            wire: WireCall::ours(at, place, name(&call.tool_id)),
            args: object(&call.args),
        },
    }
}

/// A tool's name in a form that every provider accepts.
fn name(written: &str) -> String {
    let fits = |c: char| c.is_ascii_alphanumeric() || c == '_' || c == '-';
    let kept: String = written.chars().map(|c| if fits(c) { c } else { '_' }).take(64).collect();
    if kept.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_') {
        kept
    } else {
        "unknown".into()
    }
}

/// Arguments as an object; an empty one if they are not an object.
pub(super) fn object(args: &Arguments) -> Value {
    match args {
        Arguments::Value(value @ Value::Object(_)) => value.clone(),
        Arguments::Value(_) | Arguments::Unreadable(_) => Value::Object(Map::new()),
    }
}

fn returned(wire: WireCall, answer: Option<&ToolResultMessage>) -> CallResult {
    let Some(answer) = answer else {
        let error = json!({ "code": "OUTCOME_UNKNOWN", "message": UNANSWERED, "retryable": false });
        return CallResult { wire, outcome: ResultText::Failure, view: json!({ "error": error }) };
    };
    let outcome = match answer.response.failure() {
        Some(_) => ResultText::Failure,
        None => ResultText::Success,
    };
    CallResult { wire, outcome, view: answer::model_view(&answer.response) }
}

fn words(answer: &ToolResultMessage) -> String {
    answer::late_words(&answer.call_id, &answer.response)
}

#[cfg(test)]
#[path = "history_tests.rs"]
mod tests;
