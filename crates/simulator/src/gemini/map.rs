//! Converts a request to the model's input, and a reply to the provider's events. Pure.

use serde_json::{Value, json};

use super::history;
use super::schema;
use super::signature::sign;
use super::wire::{CallingConfig, Content, Declaration, GenerationConfig, Request, Tool};
use crate::http::{
    ModelReply, ProviderRequest, ReplyEnding, RequestRefusal, SimulatedPart, StreamPosition,
    Thoughts,
};
use crate::simulated_model::{ModelInput, ToolDeclaration};
use crate::sse::SentEvent;

/// Parses a request.
pub(super) fn question(request: Request) -> Result<ProviderRequest, RequestRefusal> {
    let config = request.generation_config.unwrap_or_default();
    check_config(&config)?;
    let calling = request.tool_config.and_then(|config| config.function_calling_config);
    let tools = offered(declared(request.tools)?, calling)?;
    let instructions = request.system_instruction.map(text_of).unwrap_or_default();
    let items = history::items(request.contents)?;
    let thinking = config.thinking_config.unwrap_or_default();
    let thoughts = match thinking.include_thoughts {
        Some(true) => Thoughts::Shown,
        Some(false) | None => Thoughts::Hidden,
    };
    let modalities = config.response_modalities.unwrap_or_default();
    let picture = modalities.iter().any(|modality| modality.eq_ignore_ascii_case("image"));
    let scene = ModelInput { instructions, tools, items };
    Ok(ProviderRequest { scene, thoughts, picture, ..ProviderRequest::default() })
}

fn check_config(config: &GenerationConfig) -> Result<(), RequestRefusal> {
    match config.temperature {
        Some(value) if !(0.0..=2.0).contains(&value) => Err(RequestRefusal::invalid(format!(
            "* GenerateContentRequest.generation_config.temperature: must be in the range \
             [0.0, 2.0], found {value}"
        ))),
        Some(_) | None => Ok(()),
    }
}

fn text_of(content: Content) -> String {
    let texts: Vec<String> = content.parts.into_iter().filter_map(|part| part.text).collect();
    texts.join("\n")
}

fn declared(tools: Vec<Tool>) -> Result<Vec<ToolDeclaration>, RequestRefusal> {
    let mut declared: Vec<ToolDeclaration> = Vec::new();
    for (at, tool) in tools.into_iter().enumerate() {
        for (place, declaration) in tool.function_declarations.into_iter().enumerate() {
            let path = format!("tools[{at}].function_declarations[{place}]");
            if declared.iter().any(|known| known.name == declaration.name) {
                let message = format!("Duplicate function declaration found: {}", declaration.name);
                return Err(RequestRefusal::invalid(message).at(path));
            }
            declared.push(declare(declaration, &path)?);
        }
    }
    Ok(declared)
}

fn declare(declaration: Declaration, path: &str) -> Result<ToolDeclaration, RequestRefusal> {
    let Declaration { name, description, parameters, parameters_json_schema } = declaration;
    let mut letters = name.chars();
    let begins = letters.next().is_some_and(|first| first.is_ascii_alphabetic() || first == '_');
    let goes_on = letters.all(|next| next.is_ascii_alphanumeric() || "_.:-".contains(next));
    if !begins || !goes_on || name.len() > 128 {
        let message = format!("Invalid function name: {name:?}");
        return Err(RequestRefusal::invalid(message).at(format!("{path}.name")));
    }
    if let Some(native) = &parameters {
        schema::check(native, &format!("{path}.parameters"))?;
    }
    let parameters = match (parameters, parameters_json_schema) {
        (Some(_), Some(_)) => {
            let message = "parameters and parameters_json_schema are mutually exclusive";
            return Err(RequestRefusal::invalid(message).at(path));
        }
        (Some(schema), None) | (None, Some(schema)) => schema,
        (None, None) => json!({ "type": "object" }),
    };
    Ok(ToolDeclaration { name, description, parameters })
}

/// The tools that the calling mode allows.
fn offered(
    tools: Vec<ToolDeclaration>,
    calling: Option<CallingConfig>,
) -> Result<Vec<ToolDeclaration>, RequestRefusal> {
    let Some(calling) = calling else { return Ok(tools) };
    let mode = calling.mode.as_deref().unwrap_or("AUTO").to_uppercase();
    match mode.as_str() {
        "NONE" => Ok(Vec::new()),
        "AUTO" | "MODE_UNSPECIFIED" => Ok(tools),
        "ANY" | "VALIDATED" => Ok(match calling.allowed_function_names {
            Some(names) => tools.into_iter().filter(|tool| names.contains(&tool.name)).collect(),
            None => tools,
        }),
        _ => Err(RequestRefusal::invalid(format!(
            "Invalid value at 'tool_config.function_calling_config.mode': \"{mode}\""
        ))),
    }
}

/// Each event is a whole response; the last one has the finish reason.
pub(super) fn frames(question: &ProviderRequest, reply: &ModelReply) -> Vec<SentEvent> {
    let mut signed = false;
    let mut frames = Vec::new();
    for part in &reply.parts {
        match part {
            SimulatedPart::Text(text) => {
                let pieces = crate::http::pieces(text).into_iter();
                let chunks = pieces.map(|piece| json!({ "text": piece }));
                frames.extend(chunks.map(|part| (part, StreamPosition::Within)));
            }
            part @ SimulatedPart::Call { .. } => {
                frames.push((wire_part(part, &mut signed), StreamPosition::WholeCall));
            }
            part @ (SimulatedPart::Thought(_) | SimulatedPart::Picture { .. }) => {
                frames.push((wire_part(part, &mut signed), StreamPosition::Within));
            }
        }
    }
    let frames = frames.into_iter();
    let events = frames.map(|(part, place)| {
        SentEvent::new(response(question, reply, vec![part], None).to_string(), place)
    });
    let last =
        response(question, reply, vec![json!({ "text": "" })], Some(finish(question, reply)));
    events.chain([SentEvent::new(last.to_string(), StreamPosition::Closing)]).collect()
}

/// The reply in one response.
pub(super) fn whole(question: &ProviderRequest, reply: &ModelReply) -> Value {
    let mut signed = false;
    let parts = reply.parts.iter().map(|part| wire_part(part, &mut signed)).collect();
    response(question, reply, parts, Some(finish(question, reply)))
}

/// Only the first call carries a signature.
fn wire_part(part: &SimulatedPart, signed: &mut bool) -> Value {
    match part {
        SimulatedPart::Thought(text) => json!({ "text": text, "thought": true }),
        SimulatedPart::Text(text) => json!({ "text": text }),
        SimulatedPart::Picture { png } => {
            let data = base64_simd::STANDARD.encode_to_string(png);
            json!({ "inlineData": { "mimeType": "image/png", "data": data } })
        }
        SimulatedPart::Call { id, name, args } => {
            let mut part =
                json!({ "functionCall": { "id": id.as_str(), "name": name, "args": args } });
            if !*signed {
                part["thoughtSignature"] = sign(id.as_str(), name).into();
                *signed = true;
            }
            part
        }
    }
}

fn finish(question: &ProviderRequest, reply: &ModelReply) -> &'static str {
    match reply.ending {
        ReplyEnding::Refused if question.picture => "IMAGE_SAFETY",
        ReplyEnding::Refused => "SAFETY",
        ReplyEnding::Answered | ReplyEnding::Calls => "STOP",
    }
}

fn response(
    question: &ProviderRequest,
    reply: &ModelReply,
    parts: Vec<Value>,
    finish: Option<&str>,
) -> Value {
    let mut candidate = json!({ "index": 0 });
    if reply.ending != ReplyEnding::Refused {
        candidate["content"] = json!({ "role": "model", "parts": parts });
    }
    if let Some(finish) = finish {
        candidate["finishReason"] = finish.into();
    }
    json!({
        "candidates": [candidate],
        "usageMetadata": {
            "promptTokenCount": reply.input_tokens,
            "candidatesTokenCount": reply.output_tokens,
            "totalTokenCount": reply.input_tokens + reply.output_tokens,
        },
        "modelVersion": question.model,
        "responseId": reply.stem,
    })
}

#[cfg(test)]
#[path = "map_tests.rs"]
mod tests;
