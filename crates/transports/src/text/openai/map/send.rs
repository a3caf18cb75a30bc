//! Encodes a request for OpenAI's Responses API.

use aileron_contract::text::{ModelRequest, Tools};
use serde_json::{Value, json};

use super::super::settings::OpenaiOptions;
use super::super::{NAME, wire};
use crate::text::history::{HistoryPart, HistoryTurn, ModelTurn, WireCall, turns};
use crate::text::protocol::RequestOptions;

pub(super) fn body(
    settings: &OpenaiOptions,
    ask: &RequestOptions<'_>,
    request: &ModelRequest<'_>,
) -> Value {
    let input: Vec<_> = turns(request.messages, NAME, calls).iter().flat_map(items).collect();
    let mut body = json!({ "model": ask.model, "input": input, "store": false, "stream": true });
    if !request.instructions.trim().is_empty() {
        body["instructions"] = request.instructions.into();
    }
    if !request.declarations.is_empty() {
        body["tools"] = request.declarations.iter().map(tool).collect();
        body["tool_choice"] = match request.tools {
            Tools::Offered => "auto".into(),
            Tools::Withheld => "none".into(),
        };
    }
    if settings.keeps_reasoning(ask.model) {
        body["include"] = json!(["reasoning.encrypted_content"]);
    }
    if let Some(most) = ask.max_output_tokens {
        body["max_output_tokens"] = most.into();
    }
    if let Some(effort) = ask.reasoning.word() {
        body["reasoning"] = json!({ "effort": effort, "summary": "auto" });
    }
    body
}

/// A declaration without `strict` would be taken as strict.
fn tool(declaration: &Value) -> Value {
    let mut tool = declaration.clone();
    if let Some(fields) = tool.as_object_mut() {
        fields.entry("strict").or_insert(Value::Bool(false));
    }
    tool
}

/// The calls in the items of a reply.
pub(super) fn calls(content: &Value) -> Option<Vec<WireCall>> {
    let items = replayed(content);
    if items.is_empty() {
        return None;
    }
    let calls = items.into_iter().filter(|item| wire::text(item, "type") == "function_call");
    let call = |item: &Value| {
        let (id, name) = (wire::text(item, "call_id"), wire::text(item, "name"));
        let whole = !id.is_empty() && !name.is_empty();
        whole.then(|| WireCall::given(Some(id.to_owned()), name.to_owned()))
    };
    calls.map(call).collect()
}

/// The items that may be sent again: reasoning only if it is encrypted, and if its result follows.
fn replayed(content: &Value) -> Vec<&Value> {
    let items = content.as_array().map(Vec::as_slice).unwrap_or_default();
    let is_reasoning = |item: &Value| wire::text(item, "type") == "reasoning";
    let last = items.iter().rposition(|item| !is_reasoning(item)).map_or(0, |at| at + 1);
    let usable =
        |item: &&Value| !is_reasoning(item) || !wire::text(item, "encrypted_content").is_empty();
    items[..last].iter().filter(usable).collect()
}

fn items(turn: &HistoryTurn<'_>) -> Vec<Value> {
    match turn {
        HistoryTurn::Told(texts) => texts.iter().map(|text| wire::message("user", text)).collect(),
        HistoryTurn::Said(ModelTurn::Original(content)) => {
            replayed(content).into_iter().cloned().collect()
        }
        HistoryTurn::Said(ModelTurn::Pieces(pieces)) => pieces.iter().filter_map(item).collect(),
        HistoryTurn::Returned(returned) => returned
            .iter()
            .map(|returned| wire::function_call_output(returned.wire.id(), &returned.view))
            .collect(),
    }
}

fn item(piece: &HistoryPart<'_>) -> Option<Value> {
    match piece {
        HistoryPart::Text(text) => Some(wire::message("assistant", text)),
        HistoryPart::Reasoning(_) => None,
        HistoryPart::Call { wire: call, args } => {
            Some(wire::function_call(call.id(), &call.name, args))
        }
    }
}
