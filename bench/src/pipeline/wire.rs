//! The tool calls of Gemini Live and their answers, reduced to the needed fields.

use std::sync::Arc;

use aileron_contract::{Arguments, CallId, ToolCall, ToolResponse};
use serde::{Deserialize, Serialize};
use serde_json::Value;

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Message {
    tool_call: Calls,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Calls {
    function_calls: Vec<Call>,
}

#[derive(Deserialize)]
struct Call {
    id: CallId,
    name: String,
    args: Arguments,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Reply<'a> {
    tool_response: Responses<'a>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Responses<'a> {
    function_responses: Vec<Response<'a>>,
}

#[derive(Serialize)]
struct Response<'a> {
    id: &'a CallId,
    name: &'a str,
    response: Output<'a>,
}

#[derive(Serialize)]
#[serde(rename_all = "lowercase")]
enum Output<'a> {
    Output(&'a Value),
    Error(&'a aileron_contract::Failure),
}

/// The calls of a message.
pub(crate) fn read(text: &str) -> Result<Vec<ToolCall>, String> {
    let message: Message = serde_json::from_str(text).map_err(|error| error.to_string())?;
    let call = |Call { id, name, args }| ToolCall { call_id: id, tool_id: name, args };
    Ok(message.tool_call.function_calls.into_iter().map(call).collect())
}

/// The message with the answers.
pub(crate) fn write(answers: &[Arc<ToolResponse>]) -> Result<String, String> {
    let function_responses = answers.iter().map(|answer| response(answer)).collect();
    let reply = Reply { tool_response: Responses { function_responses } };
    serde_json::to_string(&reply).map_err(|error| error.to_string())
}

fn response(answer: &ToolResponse) -> Response<'_> {
    let (response, meta) = match answer {
        ToolResponse::Success { data, meta, .. } => (Output::Output(data), meta),
        ToolResponse::Failure { error, meta } => (Output::Error(error), meta),
    };
    Response { id: &meta.call_id, name: &meta.tool_id, response }
}
