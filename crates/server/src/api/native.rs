//! Calls and answers in the formats of the providers.

use std::sync::Arc;

use aileron_contract::{Arguments, ToolCall, ToolResponse};
use aileron_orchestrator::token::TokenId;
use aileron_transports::model_view;
use schemars::{Schema, SchemaGenerator, json_schema};
use serde::Deserialize;
use serde::de::IgnoredAny;
use serde_json::value::RawValue;
use serde_json::{Value, json};

use super::request::Printable;
use super::schema;
use crate::object::Object;

/// Maximum number of calls in one request. Budgets allow far fewer; this bounds the work of reading them.
pub(super) const MAX_CALLS: usize = 1000;

/// The provider format of calls.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) enum CallFormat {
    Openai,
    Gemini,
    Anthropic,
}

/// The fields of a call that its answer repeats.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum NativeCall {
    Chat { id: String },
    Responses { id: String },
    Gemini { id: Option<String>, name: String },
    Anthropic { id: String },
}

#[derive(Deserialize)]
struct ChatCall {
    id: String,
    function: Object<Function>,
}

#[derive(Deserialize)]
struct Function {
    name: String,
    #[serde(default)]
    arguments: String,
}

#[derive(Deserialize)]
struct ResponsesCall {
    call_id: String,
    name: String,
    #[serde(default)]
    arguments: String,
}

#[derive(Deserialize)]
struct GeminiCall<'a> {
    id: Option<String>,
    name: String,
    #[serde(borrow, default)]
    args: Option<&'a RawValue>,
}

#[derive(Deserialize)]
struct AnthropicCall<'a> {
    id: String,
    name: String,
    #[serde(borrow, default)]
    input: Option<&'a RawValue>,
}

/// The key that distinguishes the two OpenAI formats.
#[derive(Deserialize)]
struct OpenaiKeys {
    function: Option<IgnoredAny>,
}

/// A Gemini part that contains a call.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct GeminiPart<'a> {
    #[serde(borrow, default)]
    function_call: Option<&'a RawValue>,
}

/// The calls, each with the fields that its answer repeats.
pub(super) fn read(
    format: CallFormat,
    calls: &[&RawValue],
) -> Result<Vec<(ToolCall, NativeCall)>, String> {
    let read = calls.iter().enumerate().map(|(at, call)| {
        let read = match format {
            CallFormat::Openai => openai(call),
            CallFormat::Gemini => gemini(call),
            CallFormat::Anthropic => anthropic(call),
        };
        read.map_err(|why| format!("calls[{at}]: {why}"))
    });
    read.collect()
}

fn openai(call: &RawValue) -> Result<(ToolCall, NativeCall), String> {
    let OpenaiKeys { function } = parsed(call)?;
    if function.is_some() {
        let ChatCall { id, function: Object(function) } = parsed(call)?;
        let args = in_a_string(&function.arguments);
        return Ok((tool_call(&id, function.name, args)?, NativeCall::Chat { id }));
    }
    let ResponsesCall { call_id, name, arguments: text } = parsed(call)?;
    Ok((tool_call(&call_id, name, in_a_string(&text))?, NativeCall::Responses { id: call_id }))
}

/// Models that call a tool without parameters may leave the text empty.
fn in_a_string(text: &str) -> Arguments {
    if text.trim().is_empty() { Arguments::default() } else { Arguments::parse(text) }
}

/// A part with a call in it, or the call itself. A call without an id gets a random one.
fn gemini(call: &RawValue) -> Result<(ToolCall, NativeCall), String> {
    let GeminiPart { function_call } = parsed(call)?;
    let GeminiCall { id, name, args } = parsed(function_call.unwrap_or(call))?;
    let own = match &id {
        Some(id) => id.clone(),
        None => fresh_id()?,
    };
    Ok((tool_call(&own, name.clone(), arguments(args))?, NativeCall::Gemini { id, name }))
}

fn anthropic(call: &RawValue) -> Result<(ToolCall, NativeCall), String> {
    let AnthropicCall { id, name, input } = parsed(call)?;
    Ok((tool_call(&id, name, arguments(input))?, NativeCall::Anthropic { id }))
}

fn tool_call(id: &str, tool_id: String, args: Arguments) -> Result<ToolCall, String> {
    let Printable(call_id) = Printable::try_from(id.to_owned())?;
    Ok(ToolCall { call_id, tool_id, args })
}

fn fresh_id() -> Result<String, String> {
    let id = TokenId::random().map_err(|error| format!("no randomness: {error}"))?;
    Ok(format!("call-{}", id.as_str()))
}

fn parsed<'a, T: Deserialize<'a>>(text: &'a RawValue) -> Result<T, String> {
    serde_json::from_str(text.get()).map(|Object(read)| read).map_err(|error| error.to_string())
}

/// The schema of calls in each provider's format. Other fields are allowed and ignored.
pub(super) fn schema(generator: &mut SchemaGenerator) -> Schema {
    let id = schema::opaque_id(generator).to_value();
    let function = json!({
        "type": "object", "required": ["name"],
        "properties": { "name": { "type": "string" }, "arguments": { "type": "string" } },
    });
    let chat = json!({
        "type": "object", "required": ["id", "function"],
        "properties": { "id": id, "function": function },
    });
    let mut responses = function.clone();
    responses["required"] = json!(["call_id", "name"]);
    responses["properties"]["call_id"] = id.clone();
    responses["properties"]["function"] = json!(false);
    let called = json!({
        "type": "object", "required": ["name"],
        "properties": {
            "id": { "anyOf": [id, { "type": "null" }] },
            "name": { "type": "string" },
            "args": {},
            "functionCall": false,
        },
    });
    let part = json!({
        "type": "object", "required": ["functionCall"], "properties": { "functionCall": called },
    });
    let block = json!({
        "type": "object", "required": ["id", "name"],
        "properties": { "id": id, "name": { "type": "string" }, "input": {} },
    });
    json_schema!({ "oneOf": [
        in_format("openai", &json!({ "anyOf": [chat, responses] })),
        in_format("gemini", &json!({ "anyOf": [part, called] })),
        in_format("anthropic", &block),
    ] })
}

fn in_format(format: &str, call: &Value) -> Value {
    json!({
        "type": "object", "required": ["format", "calls"], "additionalProperties": false,
        "properties": {
            "format": { "const": format },
            "calls": { "type": "array", "minItems": 1, "maxItems": MAX_CALLS, "items": call },
        },
    })
}

/// The arguments of a call from their JSON text, because only the text shows a repeated key.
pub(super) fn arguments(written: Option<&RawValue>) -> Arguments {
    written.map(|text| Arguments::parse(text.get())).unwrap_or_default()
}

/// The answers in the provider's format.
pub(super) fn answers(asked: &[NativeCall], answers: &[Arc<ToolResponse>]) -> Vec<Value> {
    asked.iter().zip(answers).map(|(asked, answer)| asked.answer(answer)).collect()
}

impl NativeCall {
    fn answer(&self, answer: &ToolResponse) -> Value {
        let view = model_view(answer);
        match self {
            Self::Chat { id } => {
                json!({ "role": "tool", "tool_call_id": id, "content": view.to_string() })
            }
            Self::Responses { id } => {
                json!({ "type": "function_call_output", "call_id": id, "output": view.to_string() })
            }
            Self::Gemini { id, name } => {
                let mut response = json!({ "name": name, "response": view });
                if let Some(id) = id {
                    response["id"] = json!(id);
                }
                json!({ "functionResponse": response })
            }
            Self::Anthropic { id } => json!({
                "type": "tool_result",
                "tool_use_id": id,
                "content": view.to_string(),
                "is_error": answer.failure().is_some(),
            }),
        }
    }
}

#[cfg(test)]
#[path = "native_tests.rs"]
mod tests;
