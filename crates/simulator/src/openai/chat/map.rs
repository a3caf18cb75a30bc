//! Converts a request to the model's input, and a reply to chunks. Pure.

use serde_json::{Value, json};

use super::history;
use super::wire::{Request, Tool};
use crate::http::{
    Delivery, ModelReply, ProviderRequest, ReplyEnding, RequestRefusal, SimulatedPart,
    StreamPosition, Thoughts, arguments, fragments, pieces,
};
use crate::openai::{error, tools};
use crate::simulated_model::ModelInput;
use crate::sse::SentEvent;

/// The fixed creation time of every reply.
const CREATED: u64 = 1_767_225_600;

/// Parses a request.
pub(super) fn question(request: Request) -> Result<ProviderRequest, RequestRefusal> {
    error::check_model(&request.model)?;
    error::check_temperature(request.temperature)?;
    let functions = functions(request.tools.unwrap_or_default())?;
    let declared = tools::declared(functions)?;
    let tools = tools::chosen(declared, request.tool_choice.as_ref(), |choice| {
        choice.get("function")?.get("name")?.as_str()
    })?;
    let streamed = request.stream == Some(true);
    if request.stream_options.is_some() && !streamed {
        let message = "The 'stream_options' parameter is only allowed when 'stream' is enabled.";
        return Err(RequestRefusal::invalid(message).at("stream_options"));
    }
    let usage_wanted =
        request.stream_options.is_some_and(|options| options.include_usage == Some(true));
    let (instructions, items) = history::read(request.messages)?;
    let delivery = if streamed { Delivery::Events } else { Delivery::Whole };
    let scene = ModelInput { instructions, tools, items };
    let model = request.model;
    let thoughts = Thoughts::Shown;
    Ok(ProviderRequest {
        scene,
        model,
        delivery,
        usage_wanted,
        thoughts,
        ..ProviderRequest::default()
    })
}

fn functions(tools: Vec<Tool>) -> Result<Vec<tools::Function>, RequestRefusal> {
    let numbered = tools.into_iter().enumerate();
    let functions =
        numbered.map(|(at, tool)| {
            let path = format!("tools[{at}].function");
            match tool.function {
                Some(function) if tool.kind == "function" => Ok(tools::Function {
                    name: function.name,
                    description: function.description,
                    parameters: function.parameters,
                    strict: function.strict,
                    path,
                }),
                _ => Err(RequestRefusal::invalid(format!("Missing required parameter: '{path}'."))
                    .at(path)),
            }
        });
    functions.collect()
}

/// Chunks, the token usage if requested, and `[DONE]`.
pub(super) fn frames(question: &ProviderRequest, reply: &ModelReply) -> Vec<SentEvent> {
    let mut deltas = vec![(json!({ "role": "assistant", "content": "" }), StreamPosition::Within)];
    let mut calls = 0;
    for part in &reply.parts {
        match part {
            SimulatedPart::Thought(text) => {
                deltas.push((json!({ "reasoning_content": text }), StreamPosition::Within));
            }
            SimulatedPart::Text(text) => deltas.extend(
                pieces(text)
                    .iter()
                    .map(|piece| (json!({ "content": piece }), StreamPosition::Within)),
            ),
            part @ SimulatedPart::Call { .. } => {
                deltas.extend(call_deltas(calls, part));
                calls += 1;
            }
            SimulatedPart::Picture { .. } => {}
        }
    }
    let deltas = deltas.into_iter();
    let chunks = deltas.map(|(delta, place)| {
        let choice = json!({ "index": 0, "delta": delta, "logprobs": null, "finish_reason": null });
        SentEvent::new(chunk(question, reply, vec![choice]).to_string(), place)
    });
    chunks.chain(closing(question, reply)).collect()
}

fn call_deltas(at: usize, part: &SimulatedPart) -> Vec<(Value, StreamPosition)> {
    let SimulatedPart::Call { id, name, args } = part else { return Vec::new() };
    let function = json!({ "name": name, "arguments": "" });
    let begun = json!({ "index": at, "id": id.as_str(), "type": "function", "function": function });
    let mut deltas = vec![(json!({ "tool_calls": [begun] }), StreamPosition::InCall)];
    deltas.extend(fragments(&arguments(args)).into_iter().map(|fragment| {
        let more = json!({ "index": at, "function": { "arguments": fragment } });
        (json!({ "tool_calls": [more] }), StreamPosition::InCall)
    }));
    deltas
}

fn closing(question: &ProviderRequest, reply: &ModelReply) -> Vec<SentEvent> {
    let choice =
        json!({ "index": 0, "delta": {}, "logprobs": null, "finish_reason": finish(reply) });
    let mut frames = vec![chunk(question, reply, vec![choice])];
    if question.usage_wanted {
        let mut last = chunk(question, reply, Vec::new());
        last["usage"] = usage(reply);
        frames.push(last);
    }
    let chunks =
        frames.into_iter().map(|chunk| SentEvent::new(chunk.to_string(), StreamPosition::Closing));
    chunks.chain([SentEvent::new("[DONE]".to_owned(), StreamPosition::Closing)]).collect()
}

fn chunk(question: &ProviderRequest, reply: &ModelReply, choices: Vec<Value>) -> Value {
    let mut chunk = json!({
        "id": format!("chatcmpl-{}", reply.stem),
        "object": "chat.completion.chunk",
        "created": CREATED,
        "model": question.model,
        "choices": choices,
    });
    if question.usage_wanted {
        chunk["usage"] = Value::Null;
    }
    chunk
}

/// The reply in one piece.
pub(super) fn whole(question: &ProviderRequest, reply: &ModelReply) -> Value {
    let text = reply.text();
    let content = if text.is_empty() { Value::Null } else { text.into() };
    let mut message = json!({ "role": "assistant", "content": content, "refusal": null });
    let calls: Vec<Value> = reply.parts.iter().filter_map(wire_call).collect();
    if !calls.is_empty() {
        message["tool_calls"] = calls.into();
    }
    let choice =
        json!({ "index": 0, "message": message, "logprobs": null, "finish_reason": finish(reply) });
    json!({
        "id": format!("chatcmpl-{}", reply.stem),
        "object": "chat.completion",
        "created": CREATED,
        "model": question.model,
        "choices": [choice],
        "usage": usage(reply),
    })
}

fn wire_call(part: &SimulatedPart) -> Option<Value> {
    let SimulatedPart::Call { id, name, args } = part else { return None };
    let function = json!({ "name": name, "arguments": arguments(args) });
    Some(json!({ "id": id.as_str(), "type": "function", "function": function }))
}

fn finish(reply: &ModelReply) -> &'static str {
    match reply.ending {
        ReplyEnding::Answered => "stop",
        ReplyEnding::Calls => "tool_calls",
        ReplyEnding::Refused => "content_filter",
    }
}

fn usage(reply: &ModelReply) -> Value {
    json!({
        "prompt_tokens": reply.input_tokens,
        "completion_tokens": reply.output_tokens,
        "total_tokens": reply.input_tokens + reply.output_tokens,
    })
}

#[cfg(test)]
#[path = "map_tests.rs"]
mod tests;
