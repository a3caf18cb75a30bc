//! Encodes a request for Gemini.

use aileron_contract::models;
use aileron_contract::text::{ModelRequest, Tools};
use serde_json::{Map, Value, json};

use super::super::settings::{GeminiOptions, Thoughts};
use super::super::{NAME, wire};
use crate::text::history::{CallResult, HistoryPart, HistoryTurn, ModelTurn, WireCall, turns};
use crate::text::options::Reasoning;
use crate::text::protocol::RequestOptions;

pub(super) fn body(
    settings: &GeminiOptions,
    ask: &RequestOptions<'_>,
    request: &ModelRequest<'_>,
) -> Value {
    let contents: Vec<_> = turns(request.messages, NAME, calls).iter().map(content).collect();
    let mut body = json!({ "contents": contents });
    if !request.instructions.trim().is_empty() {
        let parts = vec![wire::text(request.instructions)];
        body["systemInstruction"] = wire::content("user", parts);
    }
    if !request.declarations.is_empty() {
        body["tools"] = json!([{ "functionDeclarations": request.declarations }]);
        let mode = match request.tools {
            Tools::Offered => "AUTO",
            Tools::Withheld => "NONE",
        };
        body["toolConfig"] = json!({ "functionCallingConfig": { "mode": mode } });
    }
    let generation = generation(settings, ask);
    if !generation.is_empty() {
        body["generationConfig"] = generation.into();
    }
    body
}

fn generation(settings: &GeminiOptions, ask: &RequestOptions<'_>) -> Map<String, Value> {
    let mut generation = Map::new();
    if let Some(most) = ask.max_output_tokens {
        generation.insert("maxOutputTokens".into(), most.into());
    }
    let takes_level = models::gemini(ask.model).thinking_level.is_accepted();
    let level = match ask.reasoning {
        _ if !takes_level => None,
        Reasoning::AsTheModelDoes => None,
        Reasoning::Low => Some("LOW"),
        Reasoning::Medium => Some("MEDIUM"),
        Reasoning::High => Some("HIGH"),
    };
    match (level, settings.thoughts) {
        (Some(level), _) => {
            let thinking = json!({ "includeThoughts": true, "thinkingLevel": level });
            generation.insert("thinkingConfig".into(), thinking);
        }
        (None, Thoughts::Shown) => {
            generation.insert("thinkingConfig".into(), json!({ "includeThoughts": true }));
        }
        (None, Thoughts::Hidden) => {}
    }
    generation
}

/// The calls in a model content, with the ids that Gemini gave them, if any.
pub(super) fn calls(content: &Value) -> Option<Vec<WireCall>> {
    let parts = content.get("parts")?.as_array()?;
    let is_thought = |part: &Value| part.get("thought").and_then(Value::as_bool) == Some(true);
    if parts.iter().all(is_thought) {
        return None;
    }
    let calls = parts.iter().filter_map(|part| part.get("functionCall"));
    let text = |call: &Value, name| call.get(name).and_then(Value::as_str).map(str::to_owned);
    calls.map(|call| Some(WireCall::given(text(call, "id"), text(call, "name")?))).collect()
}

fn content(turn: &HistoryTurn<'_>) -> Value {
    match turn {
        HistoryTurn::Told(texts) => {
            wire::content("user", texts.iter().map(|t| wire::text(t)).collect())
        }
        HistoryTurn::Said(ModelTurn::Original(content)) => (*content).clone(),
        HistoryTurn::Said(ModelTurn::Pieces(pieces)) => wire::content("model", parts(pieces)),
        HistoryTurn::Returned(returned) => {
            wire::content("user", returned.iter().map(response).collect())
        }
    }
}

fn parts(pieces: &[HistoryPart<'_>]) -> Vec<Value> {
    let mut place = wire::CallPosition::First;
    let part = |piece: &HistoryPart<'_>| match piece {
        HistoryPart::Text(text) => Some(wire::text(text)),
        HistoryPart::Reasoning(_) => None,
        HistoryPart::Call { wire: call, args } => {
            let part = wire::foreign_call(&call.name, args, place);
            place = wire::CallPosition::Later;
            Some(part)
        }
    };
    pieces.iter().filter_map(part).collect()
}

/// An id that Gemini did not give is not sent to it.
fn response(returned: &CallResult) -> Value {
    let call = &returned.wire;
    wire::function_response(call.given_id(), &call.name, &returned.view)
}
