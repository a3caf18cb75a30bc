//! Decodes a reply of OpenAI's Responses API, event by event. Items are numbered; each is added, filled and
//! done.

use std::collections::BTreeMap;

use aileron_contract::text::{FinishReason, ProviderMessage, ReplyEvent, ReplyFault};
use serde_json::Value;

use super::super::fault::FAULTS;
use super::super::{NAME, wire};
use crate::lenient;
use crate::text::assembly::ReplyBuilder;
use crate::text::call_ids::CallIds;
use crate::text::fault::{ProviderError, cut_short, unreadable};
use crate::text::protocol::{DecodeStatus, Decoder};
use crate::text::sse::SseEvent;

/// Maximum number of items in a reply.
const MAX_ITEMS: usize = 1024;

#[derive(Debug)]
pub(super) struct Receiver {
    draft: ReplyBuilder,
    items: BTreeMap<u64, PartialItem>,
    refused: bool,
}

/// An item that is partially received.
#[derive(Debug, Default)]
struct PartialItem {
    call: Option<usize>,
    /// Whether text of it was emitted.
    told: bool,
    /// The item as it came when it was done.
    done: Option<Value>,
}

impl Receiver {
    pub(super) fn new(names: CallIds) -> Self {
        Self { draft: ReplyBuilder::new(names), items: BTreeMap::new(), refused: false }
    }

    fn item(&mut self, index: u64) -> Result<&mut PartialItem, ReplyFault> {
        if self.items.len() >= MAX_ITEMS && !self.items.contains_key(&index) {
            return Err(unreadable(&format!("at most {MAX_ITEMS} items in a reply"), "more"));
        }
        Ok(self.items.entry(index).or_default())
    }

    /// The call of an item; begins it if needed.
    fn call(
        &mut self,
        index: u64,
        item: &Value,
        out: &mut Vec<ReplyEvent>,
    ) -> Result<Option<usize>, ReplyFault> {
        if wire::text(item, "type") != "function_call" {
            return Ok(None);
        }
        if let Some(call) = self.item(index)?.call {
            return Ok(Some(call));
        }
        let (id, name) = (wire::text(item, "call_id"), wire::text(item, "name"));
        if id.is_empty() || name.is_empty() {
            return Err(unreadable("a call with `call_id` and `name`", "one without"));
        }
        let call = self.draft.begin(Some(id), name, out)?;
        self.item(index)?.call = Some(call);
        Ok(Some(call))
    }

    fn done(
        &mut self,
        index: u64,
        item: Value,
        out: &mut Vec<ReplyEvent>,
    ) -> Result<(), ReplyFault> {
        if self.item(index)?.done.is_some() {
            return Ok(());
        }
        if let Some(call) = self.call(index, &item, out)? {
            let arguments = wire::text(&item, "arguments");
            if !arguments.is_empty() {
                self.draft.rewrite(call, arguments);
            }
            if wire::text(&item, "status") != "incomplete" {
                self.draft.complete(call, out);
            }
        } else if !self.item(index)?.told {
            self.words(&item, out);
        }
        self.item(index)?.done = Some(item);
        Ok(())
    }

    /// The text of a message that came in one piece.
    fn words(&mut self, item: &Value, out: &mut Vec<ReplyEvent>) {
        let content = item.get("content").and_then(Value::as_array);
        for part in content.into_iter().flatten() {
            match wire::text(part, "type") {
                "output_text" => self.draft.text(wire::text(part, "text"), out),
                "refusal" => {
                    self.refused = true;
                    self.draft.text(wire::text(part, "refusal"), out);
                }
                _ => {}
            }
        }
    }

    fn delta(&mut self, event: &wire::Event, out: &mut Vec<ReplyEvent>) -> Result<(), ReplyFault> {
        let item = self.item(event.output_index)?;
        let call = item.call;
        match event.kind.as_str() {
            "response.function_call_arguments.delta" => {
                let call = call.ok_or_else(|| unreadable("a call before its arguments", "none"))?;
                self.draft.write(call, &event.delta);
                return Ok(());
            }
            "response.reasoning_summary_text.delta" | "response.reasoning_text.delta" => {
                self.draft.reasoning(&event.delta, out);
            }
            "response.refusal.delta" => {
                self.refused = true;
                self.draft.text(&event.delta, out);
            }
            _ => self.draft.text(&event.delta, out),
        }
        self.item(event.output_index)?.told = true;
        Ok(())
    }

    /// The reply is over. Items that had no separate events are emitted here.
    fn finish(
        &mut self,
        response: wire::Response,
        ending: FinishReason,
        out: &mut Vec<ReplyEvent>,
    ) -> Result<DecodeStatus, ReplyFault> {
        for (index, item) in (0u64..).zip(response.output) {
            self.done(index, item, out)?;
        }
        let refused = self.refused && ending == FinishReason::Answered;
        let ending = if refused { FinishReason::Refused("refusal".to_owned()) } else { ending };
        let ending = self.draft.settle(ending, out);
        let usage = response.usage.map(|usage| usage.usage()).unwrap_or_default();
        let original = self.original(&ending);
        out.push(self.draft.done(original, ending, usage));
        Ok(DecodeStatus::Over)
    }

    fn original(&mut self, ending: &FinishReason) -> Option<ProviderMessage> {
        let items = std::mem::take(&mut self.items);
        let kept = |item: &PartialItem| item.call.is_none_or(|call| self.draft.is_kept(call));
        let items = items.into_values().filter(kept).filter_map(|item| item.done);
        let items: Vec<_> = items.collect();
        let withheld = matches!(ending, FinishReason::Refused(_));
        (!items.is_empty() && !withheld).then(|| ProviderMessage::new(NAME, Value::Array(items)))
    }
}

/// How an incomplete reply ended.
fn cut(response: &wire::Response) -> FinishReason {
    match response.incomplete_details.reason.as_str() {
        "max_output_tokens" | "max_tokens" | "" => FinishReason::Length,
        other => FinishReason::Refused(lenient::excerpt(other)),
    }
}

impl Decoder for Receiver {
    fn read(
        &mut self,
        frame: &SseEvent,
        out: &mut Vec<ReplyEvent>,
    ) -> Result<DecodeStatus, ReplyFault> {
        if frame.data == "[DONE]" {
            return Ok(DecodeStatus::More);
        }
        let value: Value = serde_json::from_str(&frame.data)
            .map_err(|error| unreadable("an event in JSON", error))?;
        // An error has its code and message on the event itself, or in an object within it.
        let kind = wire::text(&value, "type");
        if kind == "error" || (kind.is_empty() && value.get("error").is_some()) {
            return Err(FAULTS.classify(None, ProviderError::of(&value).unwrap_or_default()));
        }
        let event: wire::Event =
            serde_json::from_value(value).map_err(|error| unreadable("an event", error))?;
        self.event(event, out)
    }

    fn end(&mut self, _: &mut Vec<ReplyEvent>) -> Result<(), ReplyFault> {
        Err(cut_short("`response.completed`"))
    }
}

impl Receiver {
    fn event(
        &mut self,
        event: wire::Event,
        out: &mut Vec<ReplyEvent>,
    ) -> Result<DecodeStatus, ReplyFault> {
        match event.kind.as_str() {
            "response.output_item.added" => {
                self.call(event.output_index, &event.item, out)?;
            }
            "response.output_item.done" => self.done(event.output_index, event.item, out)?,
            "response.reasoning_summary_part.added" if event.summary_index > 0 => {
                self.draft.reasoning("\n\n", out);
            }
            "response.output_text.delta"
            | "response.refusal.delta"
            | "response.reasoning_summary_text.delta"
            | "response.reasoning_text.delta"
            | "response.function_call_arguments.delta" => self.delta(&event, out)?,
            "response.completed" => {
                return self.finish(event.response, FinishReason::Answered, out);
            }
            "response.incomplete" => {
                let ending = cut(&event.response);
                return self.finish(event.response, ending, out);
            }
            "response.failed" => {
                return Err(FAULTS.classify(None, ProviderError::details(&event.response.error)));
            }
            // Many events repeat others, and new kinds may come.
            _ => {}
        }
        Ok(DecodeStatus::More)
    }
}
