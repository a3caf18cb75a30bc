//! A request to what a brain sees, and a reply to the provider's events. Pure.

use serde_json::{Value, json};

use super::history;
use super::wire::{Request, Tool, ToolChoice};
use crate::brain::{Declared, Scene};
use crate::http::{
    Delivery, Ending, Part, Place, Question, Refusal, Reply, Thoughts, arguments, fragments, pieces,
};
use crate::sse::Frame;

const SIGNATURE: &str = "c2ltdWxhdGVk";

/// What is asked.
pub(super) fn question(request: Request) -> Result<Question, Refusal> {
    if request.model.is_empty() {
        return Err(Refusal::invalid("model: Field required"));
    }
    match request.max_tokens {
        None => return Err(Refusal::invalid("max_tokens: Field required")),
        Some(..1) => return Err(Refusal::invalid("max_tokens: must be at least 1")),
        Some(_) => {}
    }
    let tools = chosen(declared(request.tools.unwrap_or_default())?, request.tool_choice)?;
    let (among, items) = history::read(request.messages)?;
    let mut instructions: Vec<String> =
        request.system.into_iter().map(super::wire::Content::text).collect();
    instructions.extend(among);
    let scene = Scene { instructions: instructions.join("\n\n"), tools, items };
    let delivery = match request.stream {
        Some(true) => Delivery::Events,
        Some(false) | None => Delivery::Whole,
    };
    let thinks = request.thinking.is_some_and(|thinking| thinking.kind != "disabled");
    let thoughts = if thinks { Thoughts::Shown } else { Thoughts::Hidden };
    Ok(Question { scene, model: request.model, delivery, thoughts, ..Question::default() })
}

fn declared(tools: Vec<Tool>) -> Result<Vec<Declared>, Refusal> {
    let mut declared: Vec<Declared> = Vec::new();
    let numbered = tools.into_iter().enumerate();
    let custom = numbered.filter(|(_, tool)| matches!(tool.kind.as_deref(), None | Some("custom")));
    for (at, tool) in custom {
        let tool = declare(tool, at)?;
        if declared.iter().any(|known| known.name == tool.name) {
            return Err(Refusal::invalid("tools: Tool names must be unique."));
        }
        declared.push(tool);
    }
    Ok(declared)
}

fn declare(tool: Tool, at: usize) -> Result<Declared, Refusal> {
    let path = format!("tools.{at}.custom");
    let letters = tool.name.chars().all(|next| next.is_ascii_alphanumeric() || "_-".contains(next));
    if !letters || !(1..=128).contains(&tool.name.len()) {
        return Err(Refusal::invalid(format!("{path}.name: must match ^[a-zA-Z0-9_-]{{1,128}}$")));
    }
    let Some(schema) = tool.input_schema else {
        return Err(Refusal::invalid(format!("{path}.input_schema: Field required")));
    };
    if schema.get("type").and_then(Value::as_str) != Some("object") {
        return Err(Refusal::invalid(format!("{path}.input_schema.type: must be 'object'")));
    }
    if let Some(word) = ["oneOf", "anyOf", "allOf"].iter().find(|word| schema.get(**word).is_some())
    {
        return Err(Refusal::invalid(format!(
            "{path}.input_schema: {word} is not supported at the top level"
        )));
    }
    let description = tool.description.unwrap_or_default();
    Ok(Declared { name: tool.name, description, parameters: schema })
}

/// The tools that the choice leaves.
fn chosen(tools: Vec<Declared>, choice: Option<ToolChoice>) -> Result<Vec<Declared>, Refusal> {
    let Some(choice) = choice else { return Ok(tools) };
    match choice.kind.as_str() {
        "none" => Ok(Vec::new()),
        "auto" => Ok(tools),
        "any" if tools.is_empty() => {
            Err(Refusal::invalid("tool_choice: may only be specified while providing tools"))
        }
        "any" => Ok(tools),
        "tool" => {
            let name = choice.name.unwrap_or_default();
            let found: Vec<_> = tools.into_iter().filter(|tool| tool.name == name).collect();
            let missing = || {
                Refusal::invalid(format!("tool_choice: Tool '{name}' not found in provided tools"))
            };
            if found.is_empty() { Err(missing()) } else { Ok(found) }
        }
        kind => Err(Refusal::invalid(format!(
            "tool_choice.type: expected auto, any, tool or none, found {kind:?}"
        ))),
    }
}

/// A message begins, each block begins and ends, the message ends.
pub(super) fn frames(question: &Question, reply: &Reply) -> Vec<Frame> {
    let mut message = shell(question, reply);
    message["content"] = json!([]);
    message["stop_reason"] = Value::Null;
    message["usage"]["output_tokens"] = 1.into();
    let mut frames = vec![
        frame("message_start", json!({ "message": message }), Place::Within),
        frame("ping", json!({}), Place::Within),
    ];
    for (at, part) in reply.parts.iter().enumerate() {
        frames.extend(block_frames(at, part));
    }
    let delta = json!({ "stop_reason": stop_reason(reply), "stop_sequence": null });
    let usage = json!({ "output_tokens": reply.output_tokens });
    let ends = json!({ "delta": delta, "usage": usage });
    frames.push(frame("message_delta", ends, Place::Closing));
    frames.push(frame("message_stop", json!({}), Place::Closing));
    frames
}

fn frame(kind: &str, mut data: Value, place: Place) -> Frame {
    data["type"] = kind.into();
    Frame::named(kind, data.to_string(), place)
}

fn block_frames(at: usize, part: &Part) -> Vec<Frame> {
    let place = if matches!(part, Part::Call { .. }) { Place::InCall } else { Place::Within };
    let begun = json!({ "index": at, "content_block": empty_block(part) });
    let deltas = deltas(part)
        .into_iter()
        .map(|delta| frame("content_block_delta", json!({ "index": at, "delta": delta }), place));
    let begun = frame("content_block_start", begun, place);
    let ended = frame("content_block_stop", json!({ "index": at }), Place::Within);
    [begun].into_iter().chain(deltas).chain([ended]).collect()
}

fn deltas(part: &Part) -> Vec<Value> {
    match part {
        Part::Thought(text) => vec![
            json!({ "type": "thinking_delta", "thinking": text }),
            json!({ "type": "signature_delta", "signature": SIGNATURE }),
        ],
        Part::Text(text) => {
            let pieces = pieces(text).into_iter();
            pieces.map(|piece| json!({ "type": "text_delta", "text": piece })).collect()
        }
        Part::Call { args, .. } => {
            let fragments = fragments(&arguments(args)).into_iter();
            let all = [String::new()].into_iter().chain(fragments);
            all.map(|piece| json!({ "type": "input_json_delta", "partial_json": piece })).collect()
        }
        Part::Picture { .. } => Vec::new(),
    }
}

fn empty_block(part: &Part) -> Value {
    match part {
        Part::Thought(_) => json!({ "type": "thinking", "thinking": "", "signature": "" }),
        Part::Text(_) | Part::Picture { .. } => json!({ "type": "text", "text": "" }),
        Part::Call { id, name, .. } => {
            json!({ "type": "tool_use", "id": id.as_str(), "name": name, "input": {} })
        }
    }
}

/// The reply in one message.
pub(super) fn whole(question: &Question, reply: &Reply) -> Value {
    let blocks = reply.parts.iter().map(|part| match part {
        Part::Thought(text) => {
            json!({ "type": "thinking", "thinking": text, "signature": SIGNATURE })
        }
        Part::Text(text) => json!({ "type": "text", "text": text }),
        Part::Call { id, name, args } => {
            json!({ "type": "tool_use", "id": id.as_str(), "name": name, "input": args })
        }
        part @ Part::Picture { .. } => empty_block(part),
    });
    let blocks: Vec<Value> = blocks.collect();
    let mut message = shell(question, reply);
    message["content"] = blocks.into();
    message
}

fn shell(question: &Question, reply: &Reply) -> Value {
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

fn stop_reason(reply: &Reply) -> &'static str {
    match reply.ending {
        Ending::Answered => "end_turn",
        Ending::Calls => "tool_use",
        Ending::Refused => "refusal",
    }
}

#[cfg(test)]
#[path = "map_tests.rs"]
mod tests;
