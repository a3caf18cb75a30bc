//! A reply as a response object, and its stored form.

use serde_json::{Value, json};

use crate::http::{
    ModelReply, ProviderRequest, ReplyEnding, SimulatedPart, StoredReply, arguments,
};
use crate::simulated_model::{HistoryItem, ModelCall};

const CREATED: u64 = 1_767_225_600;

/// The status of the response.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Stage {
    Running,
    Done,
}

/// The response.
pub(super) fn response(question: &ProviderRequest, reply: &ModelReply, stage: Stage) -> Value {
    let output: Vec<Value> = match stage {
        Stage::Running => Vec::new(),
        Stage::Done => {
            let parts = reply.parts.iter().enumerate();
            parts.map(|(at, part)| item(question, reply, at, part, Stage::Done)).collect()
        }
    };
    let usage = match stage {
        Stage::Running => Value::Null,
        Stage::Done => usage(reply),
    };
    let refused = stage == Stage::Done && reply.ending == ReplyEnding::Refused;
    json!({
        "id": response_id(reply),
        "object": "response",
        "created_at": CREATED,
        "status": status(reply, stage),
        "error": null,
        "incomplete_details": if refused { json!({ "reason": "content_filter" }) } else { Value::Null },
        "instructions": question.scene.instructions,
        "metadata": {},
        "model": question.model,
        "output": output,
        "parallel_tool_calls": true,
        "temperature": 1.0,
        "tool_choice": "auto",
        "tools": [],
        "top_p": 1.0,
        "usage": usage,
    })
}

fn status(reply: &ModelReply, stage: Stage) -> &'static str {
    match (stage, reply.ending) {
        (Stage::Running, _) => "in_progress",
        (Stage::Done, ReplyEnding::Refused) => "incomplete",
        (Stage::Done, ReplyEnding::Answered | ReplyEnding::Calls) => "completed",
    }
}

fn response_id(reply: &ModelReply) -> String {
    format!("resp_{}", reply.stem)
}

/// The id of an item, which is not the id of a call.
pub(super) fn item_id(reply: &ModelReply, at: usize, part: &SimulatedPart) -> String {
    let kind = match part {
        SimulatedPart::Thought(_) => "rs",
        SimulatedPart::Text(_) | SimulatedPart::Picture { .. } => "msg",
        SimulatedPart::Call { .. } => "fc",
    };
    format!("{kind}_{}_{at}", reply.stem)
}

/// One item of the output.
pub(super) fn item(
    question: &ProviderRequest,
    reply: &ModelReply,
    at: usize,
    part: &SimulatedPart,
    stage: Stage,
) -> Value {
    let id = item_id(reply, at, part);
    let done = stage == Stage::Done;
    let status = if done { "completed" } else { "in_progress" };
    match part {
        SimulatedPart::Thought(text) => {
            let summary = if done { vec![summary_part(text)] } else { Vec::new() };
            json!({ "id": id, "type": "reasoning", "summary": summary })
        }
        SimulatedPart::Text(text) => {
            let content = if done { vec![text_part(text)] } else { Vec::new() };
            json!({
                "id": id, "type": "message", "status": status, "role": "assistant", "content": content
            })
        }
        SimulatedPart::Call { id: call_id, name, args } => {
            let mut item = json!({
                "id": id, "type": "function_call", "status": status, "call_id": call_id.as_str(),
                "name": name, "arguments": if done { arguments(args) } else { String::new() }
            });
            if question.asynchronous.contains(name) {
                item["async"] = true.into();
            }
            item
        }
        SimulatedPart::Picture { .. } => Value::Null,
    }
}

pub(super) fn text_part(text: &str) -> Value {
    json!({ "type": "output_text", "text": text, "annotations": [], "logprobs": [] })
}

pub(super) fn summary_part(text: &str) -> Value {
    json!({ "type": "summary_text", "text": text })
}

fn usage(reply: &ModelReply) -> Value {
    json!({
        "input_tokens": reply.input_tokens,
        "input_tokens_details": { "cached_tokens": 0 },
        "output_tokens": reply.output_tokens,
        "output_tokens_details": { "reasoning_tokens": 0 },
        "total_tokens": reply.input_tokens + reply.output_tokens,
    })
}

/// The stored form of a response, which a later request may refer to as a whole or by item.
pub(super) fn kept(question: &ProviderRequest, reply: &ModelReply) -> StoredReply {
    let parts = reply.parts.iter().enumerate();
    let named: Vec<(String, Option<HistoryItem>)> =
        parts.map(|(at, part)| (item_id(reply, at, part), remembered(part))).collect();
    let said = named.iter().filter_map(|(_, item)| item.clone());
    let items = question.scene.items.iter().cloned().chain(said).collect();
    StoredReply { id: response_id(reply), items, named }
}

fn remembered(part: &SimulatedPart) -> Option<HistoryItem> {
    match part {
        SimulatedPart::Thought(_) | SimulatedPart::Picture { .. } => None,
        SimulatedPart::Text(text) => Some(HistoryItem::Said { text: text.clone() }),
        SimulatedPart::Call { id, name, args } => Some(HistoryItem::Called(ModelCall {
            id: id.clone(),
            name: name.clone(),
            args: args.clone(),
        })),
    }
}
