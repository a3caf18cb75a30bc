//! A tool as each provider wants it declared.
//!
//! Pure: the value of a `schema.json` in, one declaration and its losses out,
//! whatever the value holds. A target that takes nearly everything is a list
//! of exceptions (`pass`); one that does not is a table of keywords
//! (`dialect`) for the walk that they share (`lower`).

mod anthropic;
mod describe;
mod dialect;
mod emit;
mod facts;
mod gemini_json_schema;
mod gemini_native;
mod inline;
mod keyword;
mod loss;
mod lower;
mod mcp;
mod merge;
mod openai;
mod openai_realtime;
mod pass;
mod types;

use aileron_contract::Provider;
use serde_json::Value;

pub use loss::{Loss, LossKind, Section};

/// The form of the OpenAI declaration.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum OpenAiForm {
    Plain,
    /// OpenAI text only: Realtime has no strict form, and the other targets none we ask for.
    Strict,
}

/// One declaration and what was lost on the way.
#[derive(Debug, Clone, PartialEq)]
pub struct Declaration {
    pub value: Value,
    /// Sorted by place, without repeats.
    pub losses: Vec<Loss>,
}

/// The parts of a `schema.json` that a declaration is made from.
#[derive(Debug, Clone, Copy)]
struct DeclaredTool<'a> {
    name: &'a str,
    description: &'a str,
    /// An object.
    parameters: &'a Value,
    /// The whole file.
    schema: &'a Value,
}

impl<'a> DeclaredTool<'a> {
    fn read(schema: &'a Value) -> Option<Self> {
        let parameters = schema.get("parameters")?;
        parameters.as_object()?;
        Some(Self {
            name: schema.get("toolId")?.as_str()?,
            description: schema.get("description")?.as_str()?,
            parameters,
            schema,
        })
    }
}

/// Declares a tool, given the value of its `schema.json`, for one target.
///
/// `None` when there is nothing to declare from: no `toolId`, no `description`
/// or no `parameters` object.
pub fn declare(tool: &Value, target: Provider, form: OpenAiForm) -> Option<Declaration> {
    let tool = DeclaredTool::read(tool)?;
    Some(match target {
        Provider::Openai => openai::declare(tool, form),
        Provider::OpenaiRealtime => openai_realtime::declare(tool),
        Provider::GeminiNative => gemini_native::declare(tool),
        Provider::GeminiJsonSchema => gemini_json_schema::declare(tool),
        Provider::Anthropic => anthropic::declare(tool),
        Provider::Mcp => mcp::declare(tool),
    })
}

/// An object of these fields, which are moved into it.
fn object<const N: usize>(fields: [(&str, Value); N]) -> Value {
    Value::Object(fields.into_iter().map(|(name, value)| (name.to_owned(), value)).collect())
}

#[cfg(test)]
mod tests;
