//! A tool id that not every provider would accept.

use aileron_contract::ToolId;
use serde_json::Value;

use crate::diagnostic::Diagnostic;
use crate::document::Document;
use crate::rule::rule;

rule! {
    /// The tool id has characters or a length that not every provider accepts.
    ///
    /// ## Why
    /// The id is the name under which every model calls the tool. The strictest provider
    /// takes 64 characters of letters, digits, `_` and `-`; lower case keeps two ids from
    /// being one on a file system that folds case.
    ///
    /// ## Example
    /// ```json
    /// { "toolId": "KB.search" }
    /// ```
    ///
    /// ## Fix
    /// A lower-case letter, then at most 63 lower-case letters, digits and underscores: `kb_search`.
    BAD_TOOL_ID, "AIL-S007", "bad-tool-id", Error
}

pub(crate) fn diagnose(schema: &Document) -> Diagnostic {
    let written = schema.get("/toolId").and_then(Value::as_str).unwrap_or_default();
    let message = match ToolId::new(written) {
        Err(error) => format!("field `toolId`: {error}"),
        Ok(_) => "field `toolId` is not well formed".to_owned(),
    };
    schema
        .at_value(&BAD_TOOL_ID, "/toolId", message)
        .help("use the directory's name with underscores for dashes")
}
