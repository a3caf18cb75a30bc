//! Requests as clients send them.

use serde::Deserialize;
use serde_json::{Map, Value};

use crate::http::RequestRefusal;

#[derive(Debug, Deserialize)]
pub(super) struct Request {
    #[serde(default)]
    pub(super) model: String,
    #[serde(default)]
    pub(super) max_tokens: Option<i64>,
    #[serde(default)]
    pub(super) messages: Vec<Message>,
    #[serde(default)]
    pub(super) system: Option<Content>,
    #[serde(default)]
    pub(super) tools: Option<Vec<Tool>>,
    #[serde(default)]
    pub(super) tool_choice: Option<ToolChoice>,
    #[serde(default)]
    pub(super) stream: Option<bool>,
    #[serde(default)]
    pub(super) thinking: Option<Thinking>,
    #[serde(default)]
    pub(super) output_config: Option<Value>,
    #[serde(default)]
    pub(super) temperature: Option<f64>,
    #[serde(default)]
    pub(super) top_p: Option<f64>,
    #[serde(default)]
    pub(super) top_k: Option<i64>,
}

#[derive(Debug, Deserialize)]
pub(super) struct Message {
    pub(super) role: String,
    pub(super) content: Content,
}

#[derive(Debug, Deserialize)]
#[serde(untagged)]
pub(super) enum Content {
    Text(String),
    Blocks(Vec<Block>),
}

/// One block. Its fields depend on its type.
#[derive(Debug, Deserialize)]
pub(super) struct Block {
    #[serde(rename = "type")]
    pub(super) kind: String,
    #[serde(default)]
    pub(super) text: Option<String>,
    #[serde(default)]
    pub(super) citations: Option<Value>,
    #[serde(default)]
    pub(super) id: Option<String>,
    #[serde(default)]
    pub(super) name: Option<String>,
    #[serde(default)]
    pub(super) input: Option<Map<String, Value>>,
    #[serde(default)]
    pub(super) tool_use_id: Option<String>,
    #[serde(default)]
    pub(super) content: Option<Content>,
    #[serde(default)]
    pub(super) is_error: Option<bool>,
    #[serde(default)]
    pub(super) signature: Option<String>,
}

#[derive(Debug, Deserialize)]
pub(super) struct Tool {
    pub(super) name: String,
    /// Tools that the provider runs have their own types.
    #[serde(default, rename = "type")]
    pub(super) kind: Option<String>,
    #[serde(default)]
    pub(super) description: Option<String>,
    #[serde(default)]
    pub(super) input_schema: Option<Value>,
}

#[derive(Debug, Deserialize)]
pub(super) struct ToolChoice {
    #[serde(rename = "type")]
    pub(super) kind: String,
    #[serde(default)]
    pub(super) name: Option<String>,
}

#[derive(Debug, Deserialize)]
pub(super) struct Thinking {
    #[serde(rename = "type")]
    pub(super) kind: String,
}

impl Content {
    /// Its text.
    pub(super) fn text(self) -> String {
        match self {
            Self::Text(text) => text,
            Self::Blocks(blocks) => {
                let texts: Vec<String> =
                    blocks.into_iter().filter_map(|block| block.text).collect();
                texts.join("\n")
            }
        }
    }

    /// The same as blocks.
    pub(super) fn blocks(self) -> Vec<Block> {
        match self {
            Self::Text(text) => vec![Block::of_text(text)],
            Self::Blocks(blocks) => blocks,
        }
    }
}

impl Block {
    fn of_text(text: String) -> Self {
        Self {
            kind: "text".to_owned(),
            text: Some(text),
            citations: None,
            id: None,
            name: None,
            input: None,
            tool_use_id: None,
            content: None,
            is_error: None,
            signature: None,
        }
    }
}

pub(super) fn parse(body: &[u8]) -> Result<Request, RequestRefusal> {
    let value: Value = serde_json::from_slice(body).map_err(|error| {
        RequestRefusal::invalid(format!("The request body is not valid JSON: {error}"))
    })?;
    serde_json::from_value(value).map_err(|error| RequestRefusal::invalid(error.to_string()))
}
