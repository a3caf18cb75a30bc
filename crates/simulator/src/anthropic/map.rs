//! Converts a request to the model's input, and a reply to the provider's events. Pure.

use serde_json::{Value, json};

use super::history;
use super::wire::{Request, Tool, ToolChoice};
use crate::http::{
    Delivery, ModelReply, ProviderRequest, ReplyEnding, RequestRefusal, SimulatedPart,
    StreamPosition, Thoughts, arguments, fragments, pieces,
};
use crate::simulated_model::{ModelInput, ToolDeclaration};
use crate::sse::SentEvent;

const SIGNATURE: &str = "c2ltdWxhdGVk";

/// Parses a request.
pub(super) fn question(request: Request) -> Result<ProviderRequest, RequestRefusal> {
    if request.model.is_empty() {
        return Err(RequestRefusal::invalid("model: Field required"));
    }
    match request.max_tokens {
        None => return Err(RequestRefusal::invalid("max_tokens: Field required")),
        Some(..1) => return Err(RequestRefusal::invalid("max_tokens: must be at least 1")),
        Some(_) => {}
    }
    let tools = chosen(declared(request.tools.unwrap_or_default())?, request.tool_choice)?;
    let (among, items) = history::read(request.messages)?;
    let mut instructions: Vec<String> =
        request.system.into_iter().map(super::wire::Content::text).collect();
    instructions.extend(among);
    let scene = ModelInput { instructions: instructions.join("\n\n"), tools, items };
    let delivery = match request.stream {
        Some(true) => Delivery::Events,
        Some(false) | None => Delivery::Whole,
    };
    let thinks = request.thinking.is_some_and(|thinking| thinking.kind != "disabled");
    let thoughts = if thinks { Thoughts::Shown } else { Thoughts::Hidden };
    Ok(ProviderRequest {
        scene,
        model: request.model,
        delivery,
        thoughts,
        ..ProviderRequest::default()
    })
}

fn declared(tools: Vec<Tool>) -> Result<Vec<ToolDeclaration>, RequestRefusal> {
    let mut declared: Vec<ToolDeclaration> = Vec::new();
    let numbered = tools.into_iter().enumerate();
    let custom = numbered.filter(|(_, tool)| matches!(tool.kind.as_deref(), None | Some("custom")));
    for (at, tool) in custom {
        let tool = declare(tool, at)?;
        if declared.iter().any(|known| known.name == tool.name) {
            return Err(RequestRefusal::invalid("tools: Tool names must be unique."));
        }
        declared.push(tool);
    }
    Ok(declared)
}

fn declare(tool: Tool, at: usize) -> Result<ToolDeclaration, RequestRefusal> {
    let path = format!("tools.{at}.custom");
    let letters = tool.name.chars().all(|next| next.is_ascii_alphanumeric() || "_-".contains(next));
    if !letters || !(1..=128).contains(&tool.name.len()) {
        return Err(RequestRefusal::invalid(format!(
            "{path}.name: must match ^[a-zA-Z0-9_-]{{1,128}}$"
        )));
    }
    let Some(schema) = tool.input_schema else {
        return Err(RequestRefusal::invalid(format!("{path}.input_schema: Field required")));
    };
    if schema.get("type").and_then(Value::as_str) != Some("object") {
        return Err(RequestRefusal::invalid(format!("{path}.input_schema.type: must be 'object'")));
    }
    if let Some(word) = ["oneOf", "anyOf", "allOf"].iter().find(|word| schema.get(**word).is_some())
    {
        return Err(RequestRefusal::invalid(format!(
            "{path}.input_schema: {word} is not supported at the top level"
        )));
    }
    let description = tool.description.unwrap_or_default();
    Ok(ToolDeclaration { name: tool.name, description, parameters: schema })
}

/// The tools that `tool_choice` allows.
fn chosen(
    tools: Vec<ToolDeclaration>,
    choice: Option<ToolChoice>,
) -> Result<Vec<ToolDeclaration>, RequestRefusal> {
    let Some(choice) = choice else { return Ok(tools) };
    match choice.kind.as_str() {
        "none" => Ok(Vec::new()),
        "auto" => Ok(tools),
        "any" if tools.is_empty() => {
            Err(RequestRefusal::invalid("tool_choice: may only be specified while providing tools"))
        }
        "any" => Ok(tools),
        "tool" => {
            let name = choice.name.unwrap_or_default();
            let found: Vec<_> = tools.into_iter().filter(|tool| tool.name == name).collect();
            let missing = || {
                RequestRefusal::invalid(format!(
                    "tool_choice: Tool '{name}' not found in provided tools"
                ))
            };
            if found.is_empty() { Err(missing()) } else { Ok(found) }
        }
        kind => Err(RequestRefusal::invalid(format!(
            "tool_choice.type: expected auto, any, tool or none, found {kind:?}"
        ))),
    }
}

/// A message begins, each block begins and ends, the message ends.
pub(super) fn frames(question: &ProviderRequest, reply: &ModelReply) -> Vec<SentEvent> {
    let mut message = shell(question, reply);
    message["content"] = json!([]);
    message["stop_reason"] = Value::Null;
    message["usage"]["output_tokens"] = 1.into();
    let mut frames = vec![
        frame("message_start", json!({ "message": message }), StreamPosition::Within),
        frame("ping", json!({}), StreamPosition::Within),
    ];
    for (at, part) in parts(question, reply).iter().enumerate() {
        frames.extend(block_frames(at, part, signature(question)));
    }
    let delta = json!({ "stop_reason": stop_reason(reply), "stop_sequence": null });
    let usage = json!({ "output_tokens": reply.output_tokens });
    let ends = json!({ "delta": delta, "usage": usage });
    frames.push(frame("message_delta", ends, StreamPosition::Closing));
    frames.push(frame("message_stop", json!({}), StreamPosition::Closing));
    frames
}

fn frame(kind: &str, mut data: Value, place: StreamPosition) -> SentEvent {
    data["type"] = kind.into();
    SentEvent::named(kind, data.to_string(), place)
}

/// The parts of a reply. A model that always thinks begins with a thought, whose text is not shown.
fn parts(question: &ProviderRequest, reply: &ModelReply) -> Vec<SimulatedPart> {
    let begins = matches!(reply.parts.first(), Some(SimulatedPart::Thought(_)));
    let thought = question.signature.as_ref().filter(|_| !begins);
    let thought = thought.map(|_| SimulatedPart::Thought(String::new()));
    thought.into_iter().chain(reply.parts.iter().cloned()).collect()
}

fn signature(question: &ProviderRequest) -> &str {
    question.signature.as_deref().unwrap_or(SIGNATURE)
}

fn block_frames(at: usize, part: &SimulatedPart, signature: &str) -> Vec<SentEvent> {
    let place = if matches!(part, SimulatedPart::Call { .. }) {
        StreamPosition::InCall
    } else {
        StreamPosition::Within
    };
    let begun = json!({ "index": at, "content_block": empty_block(part) });
    let deltas = deltas(part, signature)
        .into_iter()
        .map(|delta| frame("content_block_delta", json!({ "index": at, "delta": delta }), place));
    let begun = frame("content_block_start", begun, place);
    let ended = frame("content_block_stop", json!({ "index": at }), StreamPosition::Within);
    [begun].into_iter().chain(deltas).chain([ended]).collect()
}

fn deltas(part: &SimulatedPart, signature: &str) -> Vec<Value> {
    match part {
        SimulatedPart::Thought(text) => vec![
            json!({ "type": "thinking_delta", "thinking": text }),
            json!({ "type": "signature_delta", "signature": signature }),
        ],
        SimulatedPart::Text(text) => {
            let pieces = pieces(text).into_iter();
            pieces.map(|piece| json!({ "type": "text_delta", "text": piece })).collect()
        }
        SimulatedPart::Call { args, .. } => {
            let fragments = fragments(&arguments(args)).into_iter();
            let all = [String::new()].into_iter().chain(fragments);
            all.map(|piece| json!({ "type": "input_json_delta", "partial_json": piece })).collect()
        }
        SimulatedPart::Picture { .. } => Vec::new(),
    }
}

fn empty_block(part: &SimulatedPart) -> Value {
    match part {
        SimulatedPart::Thought(_) => json!({ "type": "thinking", "thinking": "", "signature": "" }),
        SimulatedPart::Text(_) | SimulatedPart::Picture { .. } => {
            json!({ "type": "text", "text": "" })
        }
        SimulatedPart::Call { id, name, .. } => {
            json!({ "type": "tool_use", "id": id.as_str(), "name": name, "input": {} })
        }
    }
}

/// The reply in one message.
pub(super) fn whole(question: &ProviderRequest, reply: &ModelReply) -> Value {
    let parts = parts(question, reply);
    let blocks = parts.iter().map(|part| match part {
        SimulatedPart::Thought(text) => {
            json!({ "type": "thinking", "thinking": text, "signature": signature(question) })
        }
        SimulatedPart::Text(text) => json!({ "type": "text", "text": text }),
        SimulatedPart::Call { id, name, args } => {
            json!({ "type": "tool_use", "id": id.as_str(), "name": name, "input": args })
        }
        part @ SimulatedPart::Picture { .. } => empty_block(part),
    });
    let blocks: Vec<Value> = blocks.collect();
    let mut message = shell(question, reply);
    message["content"] = blocks.into();
    message
}

fn shell(question: &ProviderRequest, reply: &ModelReply) -> Value {
    json!({
        "id": format!("msg_{}", reply.stem),
        "type": "message",
        "role": "assistant",
        "model": question.model,
        "stop_reason": stop_reason(reply),
        "stop_sequence": null,
        "usage": { "input_tokens": reply.input_tokens, "output_tokens": reply.output_tokens },
    })
}

fn stop_reason(reply: &ModelReply) -> &'static str {
    match reply.ending {
        ReplyEnding::Answered => "end_turn",
        ReplyEnding::Calls => "tool_use",
        ReplyEnding::Refused => "refusal",
    }
}

#[cfg(test)]
#[path = "map_tests.rs"]
mod tests;
