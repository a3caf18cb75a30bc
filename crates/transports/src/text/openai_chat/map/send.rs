//! Encodes a request for Chat Completions servers. Some of their templates refuse two consecutive messages
//! of one role, so these are merged.

use aileron_contract::text::{ModelRequest, Tools};
use serde_json::{Value, json};

use super::super::settings::{
    LastStepRule, LengthField, OpenaiChatOptions, ReasoningReplay, UsageChunk,
};
use super::super::{NAME, wire};
use crate::text::history::{HistoryPart, HistoryTurn, ModelTurn, WireCall, turns};
use crate::text::protocol::RequestOptions;

pub(super) fn body(
    settings: &OpenaiChatOptions,
    ask: &RequestOptions<'_>,
    request: &ModelRequest<'_>,
) -> Value {
    let mut messages = Vec::new();
    if !request.instructions.trim().is_empty() {
        messages.push(wire::message("system", request.instructions));
    }
    let turns = turns(request.messages, NAME, calls);
    messages.extend(turns.iter().flat_map(|turn| message(settings, turn)));
    let mut body = json!({ "model": ask.model, "messages": messages, "stream": true });
    declare(settings, request, &mut body);
    if settings.usage == UsageChunk::Asked {
        body["stream_options"] = json!({ "include_usage": true });
    }
    if let Some(most) = ask.max_output_tokens {
        let field = match settings.length_field {
            LengthField::MaxTokens => "max_tokens",
            LengthField::MaxCompletionTokens => "max_completion_tokens",
        };
        body[field] = most.into();
    }
    if let Some(effort) = ask.reasoning.word() {
        body["reasoning_effort"] = effort.into();
    }
    body
}

fn declare(settings: &OpenaiChatOptions, request: &ModelRequest<'_>, body: &mut Value) {
    if request.declarations.is_empty() {
        return;
    }
    match (request.tools, settings.last_step) {
        (Tools::Offered, _) => {}
        (Tools::Withheld, LastStepRule::ToolChoiceNone) => body["tool_choice"] = "none".into(),
        (Tools::Withheld, LastStepRule::OmitTools) => return,
    }
    body["tools"] = request.declarations.iter().map(tool).collect();
}

/// A declaration is flat in the registry and nested here.
fn tool(declaration: &Value) -> Value {
    let mut function = declaration.clone();
    if let Some(fields) = function.as_object_mut() {
        fields.remove("type");
    }
    json!({ "type": "function", "function": function })
}

/// The calls in a message of the model.
pub(super) fn calls(content: &Value) -> Option<Vec<WireCall>> {
    let calls = content.get("tool_calls").and_then(Value::as_array);
    let says =
        content.get("content").and_then(Value::as_str).is_some_and(|text| !text.trim().is_empty());
    let call = |call: &Value| {
        let id = call.get("id")?.as_str()?.to_owned();
        let name = call.get("function")?.get("name")?.as_str()?.to_owned();
        Some(WireCall::given(Some(id), name))
    };
    let calls: Vec<_> = calls.into_iter().flatten().map(call).collect::<Option<_>>()?;
    (says || !calls.is_empty()).then_some(calls)
}

fn message(settings: &OpenaiChatOptions, turn: &HistoryTurn<'_>) -> Vec<Value> {
    match turn {
        HistoryTurn::Told(texts) => vec![wire::message("user", &texts.join("\n\n"))],
        HistoryTurn::Said(ModelTurn::Original(content)) => vec![original(settings, content)],
        HistoryTurn::Said(ModelTurn::Pieces(pieces)) => vec![rebuilt(pieces)],
        HistoryTurn::Returned(returned) => returned
            .iter()
            .map(|returned| wire::tool_result(returned.wire.id(), &returned.view))
            .collect(),
    }
}

fn original(settings: &OpenaiChatOptions, content: &Value) -> Value {
    let mut message = content.clone();
    if let Some(fields) = message.as_object_mut()
        && settings.reasoning_replay == ReasoningReplay::Withheld
    {
        fields.remove("reasoning_content");
    }
    message
}

fn rebuilt(pieces: &[HistoryPart<'_>]) -> Value {
    let text = pieces.iter().filter_map(|piece| match piece {
        HistoryPart::Text(text) => Some(*text),
        HistoryPart::Reasoning(_) | HistoryPart::Call { .. } => None,
    });
    let calls = pieces.iter().filter_map(|piece| match piece {
        HistoryPart::Call { wire: call, args } => {
            Some(wire::tool_call(call.id(), &call.name, args))
        }
        HistoryPart::Text(_) | HistoryPart::Reasoning(_) => None,
    });
    wire::assistant(&text.collect::<Vec<_>>().join("\n\n"), calls.collect())
}
