//! The JSON Schemas of our files. Editors and the compiler use the same ones.

use std::sync::LazyLock;

use aileron_schema::{Faults, Validator};
use serde_json::Value;

/// The JSON Schema of `schema.json`.
pub const TOOL_SCHEMA: &str = include_str!("../schema/tool.schema.json");

/// The JSON Schema of `cases.json`.
pub const CASES_SCHEMA: &str = include_str!("../schema/cases.schema.json");

pub(crate) static TOOL: LazyLock<SchemaFormat> = LazyLock::new(|| SchemaFormat::new(TOOL_SCHEMA));
pub(crate) static CASES: LazyLock<SchemaFormat> = LazyLock::new(|| SchemaFormat::new(CASES_SCHEMA));

/// A file format: its schema and the validator made of it.
pub(crate) struct SchemaFormat {
    pub(crate) schema: Value,
    pub(crate) validator: Option<Validator>,
}

impl SchemaFormat {
    fn new(text: &str) -> Self {
        let schema: Value = serde_json::from_str(text).unwrap_or_default();
        let validator = Validator::compile(&schema).ok();
        Self { schema, validator }
    }

    /// The faults of a file against the format.
    pub(crate) fn faults(&self, value: &Value) -> Faults {
        self.validator.as_ref().map(|validator| validator.faults(value)).unwrap_or_default()
    }

    /// The names a closed object of the format allows, for suggestions.
    pub(crate) fn names_at(&self, schema_pointer: &str) -> Vec<&str> {
        let object = schema_pointer.strip_suffix("/additionalProperties").unwrap_or(schema_pointer);
        let properties =
            self.schema.pointer(&format!("{object}/properties")).and_then(Value::as_object);
        properties.into_iter().flatten().map(|(name, _)| name.as_str()).collect()
    }

    /// The format's description of the field at a pointer.
    pub(crate) fn description_of(&self, pointer: &str) -> Option<&str> {
        let mut schema = &self.schema;
        for step in pointer.split('/').skip(1) {
            schema = schema.get("properties")?.get(step)?;
        }
        schema.get("description")?.as_str()
    }
}

#[cfg(test)]
#[path = "format_tests.rs"]
mod tests;
