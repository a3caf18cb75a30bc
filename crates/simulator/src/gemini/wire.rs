//! Requests of clients, in either spelling.

use serde::Deserialize;
use serde_json::{Map, Value};

use crate::http::RequestRefusal;

/// Every field a request may have.
const FIELDS: &[&str] = &[
    "cachedContent",
    "contents",
    "continuationToken",
    "generationConfig",
    "labels",
    "model",
    "safetySettings",
    "serviceTier",
    "store",
    "systemInstruction",
    "toolConfig",
    "tools",
];

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Request {
    #[serde(default)]
    pub(super) contents: Vec<Content>,
    #[serde(default, alias = "system_instruction")]
    pub(super) system_instruction: Option<Content>,
    #[serde(default)]
    pub(super) tools: Vec<Tool>,
    #[serde(default, alias = "tool_config")]
    pub(super) tool_config: Option<ToolConfig>,
    #[serde(default, alias = "generation_config")]
    pub(super) generation_config: Option<GenerationConfig>,
}

#[derive(Debug, Deserialize)]
pub(super) struct Content {
    #[serde(default)]
    pub(super) role: Option<String>,
    #[serde(default)]
    pub(super) parts: Vec<Part>,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Part {
    #[serde(default)]
    pub(super) text: Option<String>,
    #[serde(default)]
    pub(super) thought: Option<bool>,
    #[serde(default, alias = "function_call")]
    pub(super) function_call: Option<FunctionCall>,
    #[serde(default, alias = "function_response")]
    pub(super) function_response: Option<FunctionResponse>,
    #[serde(default, alias = "thought_signature")]
    pub(super) thought_signature: Option<String>,
}

#[derive(Debug, Deserialize)]
pub(super) struct FunctionCall {
    #[serde(default)]
    pub(super) id: Option<String>,
    pub(super) name: String,
    #[serde(default)]
    pub(super) args: Option<Map<String, Value>>,
}

#[derive(Debug, Deserialize)]
pub(super) struct FunctionResponse {
    #[serde(default)]
    pub(super) id: Option<String>,
    pub(super) name: String,
    pub(super) response: Map<String, Value>,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Tool {
    #[serde(default, alias = "function_declarations")]
    pub(super) function_declarations: Vec<Declaration>,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Declaration {
    pub(super) name: String,
    #[serde(default)]
    pub(super) description: String,
    #[serde(default)]
    pub(super) parameters: Option<Value>,
    #[serde(default, alias = "parameters_json_schema")]
    pub(super) parameters_json_schema: Option<Value>,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct ToolConfig {
    #[serde(default, alias = "function_calling_config")]
    pub(super) function_calling_config: Option<CallingConfig>,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct CallingConfig {
    #[serde(default)]
    pub(super) mode: Option<String>,
    #[serde(default, alias = "allowed_function_names")]
    pub(super) allowed_function_names: Option<Vec<String>>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct GenerationConfig {
    #[serde(default)]
    pub(super) temperature: Option<f64>,
    #[serde(default, alias = "thinking_config")]
    pub(super) thinking_config: Option<ThinkingConfig>,
    #[serde(default, alias = "response_modalities")]
    pub(super) response_modalities: Option<Vec<String>>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct ThinkingConfig {
    #[serde(default, alias = "include_thoughts")]
    pub(super) include_thoughts: Option<bool>,
}

/// Reads a request, and refuses fields that the provider does not know.
pub(super) fn parse(body: &[u8]) -> Result<Request, RequestRefusal> {
    let value: Value = serde_json::from_slice(body).map_err(|error| {
        RequestRefusal::invalid(format!("Invalid JSON payload received. {error}"))
    })?;
    let fields = value.as_object().ok_or_else(|| {
        RequestRefusal::invalid("Invalid JSON payload received. The request must be an object")
    })?;
    let unknown = fields.keys().find(|name| !FIELDS.contains(&camel(name).as_str()));
    if let Some(name) = unknown {
        let message =
            format!("Invalid JSON payload received. Unknown name \"{name}\": Cannot find field.");
        return Err(RequestRefusal::invalid(message));
    }
    serde_json::from_value(value)
        .map_err(|error| RequestRefusal::invalid(format!("Invalid value in the request: {error}")))
}

/// `snake_case` in the other spelling.
pub(super) fn camel(name: &str) -> String {
    let mut upper = false;
    let mut out = String::with_capacity(name.len());
    for letter in name.chars() {
        match letter {
            '_' if !out.is_empty() => upper = true,
            letter if upper => {
                out.extend(letter.to_uppercase());
                upper = false;
            }
            letter => out.push(letter),
        }
    }
    out
}
