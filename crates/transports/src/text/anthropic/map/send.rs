//! Encodes a request for Anthropic: alternating messages, results before text, and a declaration for every tool
//! that was called.

use std::borrow::Cow;
use std::collections::BTreeSet;

use aileron_contract::ContentHash;
use aileron_contract::models::{self, Thinking};
use aileron_contract::text::{ChatMessage, ModelRequest, Tools};
use serde_json::{Value, json};

use super::super::settings::lengths;
use super::super::{NAME, wire};
use crate::text::history::{HistoryPart, HistoryTurn, ModelTurn, WireCall, turns};
use crate::text::protocol::RequestOptions;

/// The description of a tool that the conversation has calls of and the request does not offer.
const GONE: &str = "This tool is not available any more.";

pub(super) fn body(ask: &RequestOptions<'_>, request: &ModelRequest<'_>) -> Value {
    let contract = models::anthropic(ask.model);
    let kept = without_foreign_thoughts(request.messages, binding(ask, request).as_deref());
    let messages = messages(&turns(&kept, NAME, calls));
    let (most, budget) = lengths(contract, ask.max_output_tokens, ask.reasoning);
    let mut body = json!({ "model": ask.model, "max_tokens": most, "stream": true });
    if !request.instructions.trim().is_empty() {
        body["system"] = request.instructions.into();
    }
    if let Some(budget) = budget.filter(|_| may_think(&messages)) {
        body["thinking"] = json!({ "type": "enabled", "budget_tokens": budget });
    }
    if let Some(effort) = ask.reasoning.word().filter(|_| contract.effort.is_accepted()) {
        body["output_config"] = json!({ "effort": effort });
    }
    declare(request, &messages, &mut body);
    body["messages"] = messages.into();
    body
}

/// Thinking blocks belong to a model, its instructions and its tools.
pub(super) fn binding(ask: &RequestOptions<'_>, request: &ModelRequest<'_>) -> Option<String> {
    let bound = models::anthropic(ask.model).thinking == Thinking::Always;
    bound.then(|| {
        let context = json!([ask.model, request.instructions, request.declarations]);
        ContentHash::of_value(&context).to_string()
    })
}

/// The messages without thinking blocks of another model, or of other instructions or tools: the provider
/// refuses them. A block without a recorded binding is kept, unless the model demands one.
fn without_foreign_thoughts<'a>(
    messages: &'a [ChatMessage],
    binding: Option<&str>,
) -> Cow<'a, [ChatMessage]> {
    let is_foreign = |message: &ChatMessage| match message {
        ChatMessage::Model { original: Some(original), .. } => {
            original.by == NAME && original.bound_to.as_deref() != binding
        }
        _ => false,
    };
    if !messages.iter().any(is_foreign) {
        return Cow::Borrowed(messages);
    }
    let mut messages = messages.to_vec();
    for message in messages.iter_mut().filter(|message| is_foreign(message)) {
        if let ChatMessage::Model { original: Some(original), .. } = message
            && let Some(blocks) = original.content.as_array_mut()
        {
            blocks.retain(|block| !is_thought(block));
        }
    }
    Cow::Owned(messages)
}

fn is_thought(block: &Value) -> bool {
    matches!(wire::kind(block), "thinking" | "redacted_thinking")
}

/// A conversation with calls needs declared tools, even if none may be used.
fn declare(request: &ModelRequest<'_>, messages: &[Value], body: &mut Value) {
    let stand_ins: Vec<_> = match request.declarations {
        [] => called(messages).into_iter().map(gone).collect(),
        _ => Vec::new(),
    };
    let choice = match request.tools {
        Tools::Offered if stand_ins.is_empty() => "auto",
        Tools::Offered | Tools::Withheld => "none",
    };
    let tools = [request.declarations, stand_ins.as_slice()].concat();
    if !tools.is_empty() {
        body["tools"] = tools.into();
        body["tool_choice"] = json!({ "type": choice });
    }
}

fn gone(name: &str) -> Value {
    json!({ "name": name, "description": GONE, "input_schema": { "type": "object" } })
}

fn blocks(message: &Value) -> &[Value] {
    let content = message.get("content").and_then(Value::as_array);
    content.map(Vec::as_slice).unwrap_or_default()
}

fn called(messages: &[Value]) -> BTreeSet<&str> {
    let blocks = messages.iter().flat_map(blocks);
    blocks.filter(|block| wire::kind(block) == "tool_use").map(|b| wire::text(b, "name")).collect()
}

/// A reply that continues after calls may think only if it began with thinking.
fn may_think(messages: &[Value]) -> bool {
    let [.., said, last] = messages else { return true };
    let goes_on = blocks(last).iter().any(|block| wire::kind(block) == "tool_result");
    let first = blocks(said).first().map(wire::kind).unwrap_or_default();
    !goes_on || matches!(first, "thinking" | "redacted_thinking")
}

/// The calls in the blocks of a message.
pub(super) fn calls(content: &Value) -> Option<Vec<WireCall>> {
    let blocks = content.as_array()?;
    if blocks.iter().all(is_thought) {
        return None;
    }
    let calls = blocks.iter().filter(|block| wire::kind(block) == "tool_use");
    let call = |block: &Value| {
        let (id, name) = (wire::text(block, "id"), wire::text(block, "name"));
        let whole = !id.is_empty() && !name.is_empty();
        whole.then(|| WireCall::given(Some(id.to_owned()), name.to_owned()))
    };
    calls.map(call).collect()
}

/// Consecutive turns of the same side become one message.
fn messages(turns: &[HistoryTurn<'_>]) -> Vec<Value> {
    let mut messages: Vec<Value> = Vec::new();
    let mut user: Vec<Value> = Vec::new();
    for turn in turns {
        match turn {
            HistoryTurn::Told(texts) => {
                user.extend(texts.iter().map(|text| wire::text_block(text)));
            }
            HistoryTurn::Returned(returned) => user.extend(returned.iter().map(|returned| {
                wire::tool_result(returned.wire.id(), &returned.view, returned.outcome)
            })),
            HistoryTurn::Said(said) => {
                messages.push(wire::message("user", std::mem::take(&mut user)));
                messages.push(assistant(said));
            }
        }
    }
    if !user.is_empty() {
        messages.push(wire::message("user", user));
    }
    messages
}

fn assistant(said: &ModelTurn<'_>) -> Value {
    match said {
        ModelTurn::Original(content) => json!({ "role": "assistant", "content": content }),
        ModelTurn::Pieces(pieces) => {
            wire::message("assistant", pieces.iter().filter_map(block).collect())
        }
    }
}

fn block(piece: &HistoryPart<'_>) -> Option<Value> {
    match piece {
        HistoryPart::Text(text) => Some(wire::text_block(text)),
        HistoryPart::Reasoning(_) => None,
        HistoryPart::Call { wire: call, args } => Some(wire::tool_use(call.id(), &call.name, args)),
    }
}
