//! The declaration of a tool for each provider.
//!
//! Pure: the value of a `schema.json` in, one declaration and its losses out, for any value. A
//! target that accepts nearly all keywords has a list of exceptions (`pass`); any other has a table
//! of keywords (`dialect`) for a common walk (`lower`).

mod anthropic;
mod declaration;
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
mod reference;
mod types;

use aileron_contract::Provider;
use serde_json::Value;

use declaration::DeclaredTool;
pub use declaration::{Declaration, OpenAiForm};
pub use loss::{Loss, LossKind, Section};

/// Declares a tool, given the value of its `schema.json`, for one target.
///
/// `None` if `toolId`, `description` or the `parameters` object is missing.
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

#[cfg(test)]
mod tests;
