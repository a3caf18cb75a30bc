//! One tool directory after reading and parsing: whatever could be made of it.
//!
//! Every part may be missing. Rules look at what is there, so that one fault
//! does not hide the others.

use std::sync::Arc;

use aileron_contract::{Handler, ToolId, ToolSpec};
use aileron_schema::Validator;
use serde_json::Value;

use crate::docs::Documentation;
use crate::document::Document;
use crate::source::Source;

/// What is known of one tool.
#[derive(Debug)]
pub struct Draft {
    /// Stands for the directory in findings about it as a whole.
    pub folder: Arc<Source>,
    pub directory: String,
    /// The id that the directory's name stands for.
    pub expected_id: Option<ToolId>,
    pub schema: Option<Document>,
    /// The typed contract, when `schema.json` fits its format.
    pub spec: Option<ToolSpec>,
    /// The compiled `parameters`, when they are a schema.
    pub parameters: Option<Validator>,
    pub documentation: Option<Documentation>,
    pub cases: Option<Document>,
    pub handler: Option<Handler>,
}

impl Draft {
    /// A value of `schema.json`.
    pub fn field(&self, pointer: &str) -> Option<&Value> {
        self.schema.as_ref()?.get(pointer)
    }

    /// A text of `schema.json`.
    pub fn text(&self, pointer: &str) -> Option<&str> {
        self.field(pointer)?.as_str()
    }

    /// A flag of `schema.json`.
    pub fn flag(&self, pointer: &str) -> Option<bool> {
        self.field(pointer)?.as_bool()
    }
}
