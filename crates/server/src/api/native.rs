//! Calls as providers write them, and the answers as they want them.

use std::sync::Arc;

use aileron_contract::{Arguments, ToolCall, ToolResponse};
use aileron_orchestrator::token::TokenId;
use aileron_transports::model_view;
use serde::Deserialize;
use serde::de::IgnoredAny;
use serde_json::value::RawValue;
use serde_json::{Value, json};

use super::calls::arguments;
use super::request::Printable;
use crate::object::Object;

/// Whose way of writing calls.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) enum CallFormat {
    Openai,
    Gemini,
    Anthropic,
}

/// A call as it was asked for, as far as its answer has to say so.
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

/// The key that tells the two forms of OpenAI apart.
#[derive(Deserialize)]
struct OpenaiKeys {
    function: Option<IgnoredAny>,
}

/// A part around a call of Gemini's.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct GeminiPart<'a> {
    #[serde(borrow, default)]
    function_call: Option<&'a RawValue>,
}

/// The calls, each with what its answer has to repeat.
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

/// A part with the call in it, or the call itself. One without an id gets one that nothing else has.
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

/// The answers as the provider wants them.
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
