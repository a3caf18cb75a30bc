//! A tool as each provider wants it declared.

use aileron_contract::Provider;
use serde_json::Value;

/// The form of the OpenAI declaration.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Form {
    Plain,
    Strict,
}

/// One declaration and what was lost on the way.
#[derive(Debug, Clone, PartialEq)]
pub struct Declaration {
    pub value: Value,
    pub losses: Vec<Loss>,
}

/// Something the target could not say as it was written.
#[derive(Debug, Clone, PartialEq)]
pub struct Loss {
    pub kind: LossKind,
    pub keyword: String,
    /// JSON Pointer below `parameters`.
    pub pointer: String,
    pub message: String,
}

/// What became of it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LossKind {
    /// Left out; moved to the description where that helps the model.
    Dropped,
    /// Said in other words.
    Rewritten,
    /// Cut where it refers to itself.
    Recursive,
    /// The target would refuse the request.
    Refused,
}

/// Declares a tool, given the value of its `schema.json`, for one target.
pub fn declare(tool: &Value, target: Provider, form: Form) -> Option<Declaration> {
    let _ = (target, form);
    Some(Declaration { value: tool.get("parameters")?.clone(), losses: Vec::new() })
}
