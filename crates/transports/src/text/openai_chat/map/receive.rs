//! Decodes a reply of Chat Completions, chunk by chunk. Calls come in deltas by index, or whole, with or
//! without ids.

use aileron_contract::Arguments;
use aileron_contract::text::{FinishReason, ProviderMessage, ReplyEvent, ReplyFault};
use aileron_contract::transport::Usage;
use serde_json::{Map, Value};

use super::super::fault::FAULTS;
use super::super::{NAME, wire};
use crate::lenient;
use crate::text::assembly::ReplyBuilder;
use crate::text::call_ids::CallIds;
use crate::text::fault::{ProviderError, cut_short, unreadable};
use crate::text::protocol::{DecodeStatus, Decoder};
use crate::text::sse::SseEvent;

#[derive(Debug)]
pub(super) struct Receiver {
    draft: ReplyBuilder,
    text: String,
    reasoning: String,
    calls: Vec<ChatCallDelta>,
    ending: Option<FinishReason>,
    refused: bool,
    usage: Usage,
}

/// A call with the server's id and index.
#[derive(Debug)]
struct ChatCallDelta {
    index: Option<u64>,
    id: String,
    name: String,
    rest: Map<String, Value>,
    place: usize,
}

impl Receiver {
    pub(super) fn new(names: CallIds) -> Self {
        Self {
            draft: ReplyBuilder::new(names),
            text: String::new(),
            reasoning: String::new(),
            calls: Vec::new(),
            ending: None,
            refused: false,
            usage: Usage::default(),
        }
    }

    fn choice(
        &mut self,
        choice: wire::Choice,
        out: &mut Vec<ReplyEvent>,
    ) -> Result<(), ReplyFault> {
        let delta = choice.delta;
        for reasoning in [&delta.reasoning_content, &delta.reasoning] {
            // Some servers send the same text under both names.
            if !reasoning.is_empty() {
                self.reasoning.push_str(reasoning);
                self.draft.reasoning(reasoning, out);
                break;
            }
        }
        self.refused |= !delta.refusal.is_empty();
        for text in [&delta.content, &delta.refusal] {
            self.text.push_str(text);
            self.draft.text(text, out);
        }
        for call in delta.tool_calls {
            self.call(call, out)?;
        }
        if let Some(reason) = choice.finish_reason.as_deref().filter(|reason| !reason.is_empty()) {
            self.ending = Some(ending(reason));
        }
        Ok(())
    }

    fn call(
        &mut self,
        delta: wire::CallDelta,
        out: &mut Vec<ReplyEvent>,
    ) -> Result<(), ReplyFault> {
        let at = match self.known(&delta) {
            Some(at) => at,
            None => self.begin(&delta, out)?,
        };
        let Some(call) = self.calls.get_mut(at) else { return Ok(()) };
        call.rest.extend(delta.rest);
        let place = call.place;
        self.draft.write(place, &delta.function.arguments());
        Ok(())
    }

    /// The call that a delta continues. Some servers give every whole call the same index.
    fn known(&self, delta: &wire::CallDelta) -> Option<usize> {
        let at = match delta.index {
            Some(index) => self.calls.iter().rposition(|call| call.index == Some(index))?,
            None if delta.id.is_empty() && delta.function.name.is_empty() => {
                self.calls.len().checked_sub(1)?
            }
            None => {
                self.calls.iter().rposition(|call| !delta.id.is_empty() && call.id == delta.id)?
            }
        };
        let call = self.calls.get(at)?;
        let other_id = !delta.id.is_empty() && delta.id != call.id;
        let begins = !delta.function.name.is_empty() && self.is_whole(call.place);
        (!other_id && !begins).then_some(at)
    }

    /// Whether the arguments are a complete object.
    fn is_whole(&self, place: usize) -> bool {
        let written = self.draft.written(place).trim();
        written.ends_with('}')
            && matches!(Arguments::parse(written), Arguments::Value(Value::Object(_)))
    }

    /// Whether there are arguments that are not valid JSON. A server that sends a finish reason has sent
    /// all of them; one that only stops may not have.
    fn is_half(&self, place: usize) -> bool {
        let written = self.draft.written(place).trim();
        !written.is_empty() && matches!(Arguments::parse(written), Arguments::Unreadable(_))
    }

    fn begin(
        &mut self,
        delta: &wire::CallDelta,
        out: &mut Vec<ReplyEvent>,
    ) -> Result<usize, ReplyFault> {
        let name = &delta.function.name;
        if name.is_empty() {
            return Err(unreadable("the name of a call in its first delta", "none"));
        }
        let id = Some(delta.id.as_str()).filter(|id| !id.is_empty());
        let place = self.draft.begin(id, name, out)?;
        self.calls.push(ChatCallDelta {
            index: delta.index,
            id: delta.id.clone(),
            name: name.clone(),
            rest: Map::new(),
            place,
        });
        Ok(self.calls.len() - 1)
    }

    fn finish(&mut self, out: &mut Vec<ReplyEvent>) {
        let refused = FinishReason::Refused("refusal".to_owned());
        let ending = self.ending.take().unwrap_or(FinishReason::Answered);
        let ending = if self.refused { refused } else { ending };
        let ending = self.draft.settle(ending, out);
        let original = self.original(&ending);
        out.push(self.draft.done(original, ending, std::mem::take(&mut self.usage)));
    }

    /// The message as it is sent back: with unique ids for all calls, and valid arguments.
    fn original(&mut self, ending: &FinishReason) -> Option<ProviderMessage> {
        let calls: Vec<_> = self.calls.iter().filter_map(|call| self.shown(call)).collect();
        let withheld = matches!(ending, FinishReason::Refused(_));
        if withheld || (self.text.is_empty() && calls.is_empty()) {
            return None;
        }
        let mut content = wire::assistant(&self.text, calls);
        if !self.reasoning.is_empty() {
            content["reasoning_content"] = self.reasoning.as_str().into();
        }
        Some(ProviderMessage::new(NAME, content))
    }

    fn shown(&self, call: &ChatCallDelta) -> Option<Value> {
        let kept = self.draft.is_kept(call.place);
        let id = self.draft.call_id(call.place).filter(|_| kept)?;
        let mut shown = wire::tool_call(id.as_str(), &call.name, &self.draft.arguments(call.place));
        for (name, value) in &call.rest {
            if let Some(fields) = shown.as_object_mut() {
                fields.entry(name.as_str()).or_insert_with(|| value.clone());
            }
        }
        Some(shown)
    }
}

fn ending(reason: &str) -> FinishReason {
    match reason {
        "length" | "max_tokens" => FinishReason::Length,
        "content_filter" | "refusal" => FinishReason::Refused(lenient::excerpt(reason)),
        // Servers have many names for a finished reply, and `stop` for calls, too.
        _ => FinishReason::Answered,
    }
}

impl Decoder for Receiver {
    fn read(
        &mut self,
        frame: &SseEvent,
        out: &mut Vec<ReplyEvent>,
    ) -> Result<DecodeStatus, ReplyFault> {
        if frame.data.trim() == "[DONE]" {
            if self.ending.is_none() && self.calls.iter().any(|call| self.is_half(call.place)) {
                return Err(cut_short("the rest of a call"));
            }
            self.finish(out);
            return Ok(DecodeStatus::Over);
        }
        let value: Value = serde_json::from_str(&frame.data)
            .map_err(|error| unreadable("a chunk in JSON", error))?;
        if value.get("error").is_some_and(|error| !error.is_null()) {
            return Err(FAULTS.classify(None, ProviderError::of(&value).unwrap_or_default()));
        }
        let chunk: wire::Chunk =
            serde_json::from_value(value).map_err(|error| unreadable("a chunk", error))?;
        if let Some(usage) = &chunk.usage {
            self.usage = usage.usage();
        }
        if let Some(choice) = chunk.choices.into_iter().next() {
            self.choice(choice, out)?;
        }
        Ok(DecodeStatus::More)
    }

    /// Not every server sends `[DONE]`, but each sends a finish reason.
    fn end(&mut self, out: &mut Vec<ReplyEvent>) -> Result<(), ReplyFault> {
        if self.ending.is_none() {
            return Err(cut_short("a finish reason or `[DONE]`"));
        }
        self.finish(out);
        Ok(())
    }
}
