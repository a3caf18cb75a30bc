//! Decodes a reply of Anthropic, event by event. Blocks are numbered; each is started, filled and stopped.

use std::collections::BTreeMap;

use aileron_contract::text::{FinishReason, ProviderMessage, ReplyEvent, ReplyFault};
use serde_json::{Value, json};

use super::super::fault::FAULTS;
use super::super::{NAME, wire};
use crate::lenient;
use crate::text::assembly::ReplyBuilder;
use crate::text::call_ids::CallIds;
use crate::text::fault::{ProviderError, cut_short, unreadable};
use crate::text::protocol::{DecodeStatus, Decoder};
use crate::text::sse::SseEvent;

/// Maximum number of blocks in a reply.
const MAX_BLOCKS: usize = 4096;

#[derive(Debug)]
pub(super) struct Receiver {
    draft: ReplyBuilder,
    blocks: BTreeMap<u64, Block>,
    ending: Option<FinishReason>,
    counts: wire::Counts,
}

#[derive(Debug)]
struct Block {
    content: Value,
    call: Option<usize>,
}

impl Receiver {
    pub(super) fn new(names: CallIds) -> Self {
        Self {
            draft: ReplyBuilder::new(names),
            blocks: BTreeMap::new(),
            ending: None,
            counts: wire::Counts::default(),
        }
    }

    fn start(&mut self, event: wire::Event, out: &mut Vec<ReplyEvent>) -> Result<(), ReplyFault> {
        if self.blocks.len() == MAX_BLOCKS {
            return Err(unreadable(&format!("at most {MAX_BLOCKS} blocks in a reply"), "more"));
        }
        let block = event.content_block;
        let call = match wire::kind(&block) {
            "text" => {
                self.draft.text(wire::text(&block, "text"), out);
                None
            }
            "thinking" => {
                self.draft.reasoning(wire::text(&block, "thinking"), out);
                None
            }
            "tool_use" => Some(self.call(&block, out)?),
            // Blocks of other kinds are sent back unchanged.
            _ => None,
        };
        self.blocks.insert(event.index, Block { content: block, call });
        Ok(())
    }

    fn call(&mut self, block: &Value, out: &mut Vec<ReplyEvent>) -> Result<usize, ReplyFault> {
        let (id, name) = (wire::text(block, "id"), wire::text(block, "name"));
        if id.is_empty() || name.is_empty() {
            return Err(unreadable("a call with `id` and `name`", "one without"));
        }
        let call = self.draft.begin(Some(id), name, out)?;
        // A server that does not stream arguments has them here.
        if let Some(input) =
            block.get("input").filter(|input| input.as_object().is_some_and(|o| !o.is_empty()))
        {
            self.draft.rewrite(call, &input.to_string());
        }
        Ok(call)
    }

    fn delta(&mut self, event: &wire::Event, out: &mut Vec<ReplyEvent>) -> Result<(), ReplyFault> {
        let block = self.blocks.get_mut(&event.index);
        let block = block.ok_or_else(|| unreadable("a block before its delta", "none"))?;
        let delta = &event.delta;
        match delta.kind.as_str() {
            "text_delta" => {
                wire::append(&mut block.content, "text", &delta.text);
                self.draft.text(&delta.text, out);
            }
            "thinking_delta" => {
                wire::append(&mut block.content, "thinking", &delta.thinking);
                self.draft.reasoning(&delta.thinking, out);
            }
            "signature_delta" => wire::append(&mut block.content, "signature", &delta.signature),
            "input_json_delta" => match block.call {
                Some(call) => self.draft.write(call, &delta.partial_json),
                // The provider's own tools have arguments, too.
                None => wire::append(&mut block.content, "partial_json", &delta.partial_json),
            },
            "citations_delta" => cite(&mut block.content, &delta.citation),
            // The version policy allows further kinds.
            _ => {}
        }
        Ok(())
    }

    fn stop(&mut self, index: u64, out: &mut Vec<ReplyEvent>) {
        let Some(block) = self.blocks.get_mut(&index) else { return };
        if let Some(call) = block.call {
            self.draft.complete(call, out);
        } else if let Some(fields) = block.content.as_object_mut()
            && let Some(Value::String(written)) = fields.remove("partial_json")
        {
            fields.insert("input".to_owned(), serde_json::from_str(&written).unwrap_or(json!({})));
        }
    }

    fn finish(&mut self, out: &mut Vec<ReplyEvent>) -> Result<(), ReplyFault> {
        let ending = self.ending.take().ok_or_else(|| cut_short("a stop reason"))?;
        let ending = self.draft.settle(ending, out);
        let original = self.original(&ending);
        out.push(self.draft.done(original, ending, self.counts.usage()));
        Ok(())
    }

    /// The blocks as they came. Empty ones are dropped, because the provider would refuse them.
    fn original(&mut self, ending: &FinishReason) -> Option<ProviderMessage> {
        let blocks = std::mem::take(&mut self.blocks);
        let kept = |block: &Block| match block.call {
            Some(call) => self.draft.is_kept(call),
            None => {
                wire::kind(&block.content) != "text"
                    || !wire::text(&block.content, "text").trim().is_empty()
            }
        };
        let blocks = blocks.into_values().filter(kept).map(|mut block| {
            if let Some(call) = block.call {
                block.content["input"] = self.draft.arguments(call);
            }
            block.content
        });
        let blocks: Vec<_> = blocks.collect();
        let withheld = matches!(ending, FinishReason::Refused(_));
        (!blocks.is_empty() && !withheld).then(|| ProviderMessage::new(NAME, Value::Array(blocks)))
    }
}

fn cite(block: &mut Value, citation: &Value) {
    if let Some(fields) = block.as_object_mut() {
        match fields.get_mut("citations") {
            Some(Value::Array(citations)) => citations.push(citation.clone()),
            _ => drop(fields.insert("citations".to_owned(), json!([citation]))),
        }
    }
}

fn ending(reason: &str) -> FinishReason {
    match reason {
        "max_tokens" | "model_context_window_exceeded" => FinishReason::Length,
        "refusal" => FinishReason::Refused(lenient::excerpt(reason)),
        _ => FinishReason::Answered,
    }
}

impl Decoder for Receiver {
    fn read(
        &mut self,
        frame: &SseEvent,
        out: &mut Vec<ReplyEvent>,
    ) -> Result<DecodeStatus, ReplyFault> {
        let value: Value = serde_json::from_str(&frame.data)
            .map_err(|error| unreadable("an event in JSON", error))?;
        if wire::kind(&value) == "error" || frame.name == "error" {
            return Err(FAULTS.classify(None, ProviderError::of(&value).unwrap_or_default()));
        }
        let event: wire::Event =
            serde_json::from_value(value).map_err(|error| unreadable("an event", error))?;
        match event.kind.as_str() {
            "message_start" => self.counts.update(&event.message.usage.unwrap_or_default()),
            "content_block_start" => self.start(event, out)?,
            "content_block_delta" => self.delta(&event, out)?,
            "content_block_stop" => self.stop(event.index, out),
            "message_delta" => {
                self.counts.update(&event.usage.unwrap_or_default());
                self.ending = event.delta.stop_reason.as_deref().map(ending).or(self.ending.take());
            }
            "message_stop" => {
                self.finish(out)?;
                return Ok(DecodeStatus::Over);
            }
            // Pings, and kinds that the version policy allows.
            _ => {}
        }
        Ok(DecodeStatus::More)
    }

    /// A stream with a stop reason is complete.
    fn end(&mut self, out: &mut Vec<ReplyEvent>) -> Result<(), ReplyFault> {
        self.finish(out)
    }
}
