//! One tool directory after reading and parsing.
//!
//! Every part may be missing. Rules check the parts that exist, so that one fault does not hide
//! others.

use std::sync::Arc;

use aileron_contract::{Handler, ToolId, ToolSpec};
use aileron_schema::Validator;
use serde_json::Value;

use crate::docs::Documentation;
use crate::document::Document;
use crate::source::Source;

/// The parsed parts of one tool.
#[derive(Debug)]
pub struct Draft {
    /// The source of findings about the directory as a whole.
    pub folder: Arc<Source>,
    pub directory: String,
    /// The tool id for the directory's name.
    pub expected_id: Option<ToolId>,
    pub schema: Option<Document>,
    /// The typed contract, if `schema.json` is valid.
    pub spec: Option<ToolSpec>,
    /// The compiled `parameters`, if they are a valid schema.
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
