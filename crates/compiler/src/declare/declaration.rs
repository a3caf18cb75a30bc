//! The input and the output of a declaration target.

use serde_json::Value;

use super::loss::Loss;

/// The form of the OpenAI declaration.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum OpenAiForm {
    Plain,
    /// OpenAI text only: Realtime has no strict form, and we use that of no other target.
    Strict,
}

/// One declaration, and the losses of its conversion.
#[derive(Debug, Clone, PartialEq)]
pub struct Declaration {
    pub value: Value,
    /// Sorted by place, without repeats.
    pub losses: Vec<Loss>,
}

/// The parts of a `schema.json` that a declaration is made from.
#[derive(Debug, Clone, Copy)]
pub(super) struct DeclaredTool<'a> {
    pub(super) name: &'a str,
    pub(super) description: &'a str,
    /// An object.
    pub(super) parameters: &'a Value,
    /// The whole file.
    pub(super) schema: &'a Value,
}

impl<'a> DeclaredTool<'a> {
    pub(super) fn read(schema: &'a Value) -> Option<Self> {
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

/// An object of these fields, which are moved into it.
pub(super) fn object<const N: usize>(fields: [(&str, Value); N]) -> Value {
    Value::Object(fields.into_iter().map(|(name, value)| (name.to_owned(), value)).collect())
}
