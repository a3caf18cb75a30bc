//! A tool id that is not its directory's.

use aileron_contract::ToolId;
use serde_json::Value;

use crate::diagnostic::Diagnostic;
use crate::document::Document;
use crate::rule::rule;

rule! {
    /// The tool id does not match the directory's name.
    ///
    /// ## Why
    /// A tool that is called `kb_search` is found in `kb-search`, by people and by the
    /// compiler. A copied directory with the old id inside would replace the other tool.
    ///
    /// ## Example
    /// `tools/kb-find/schema.json` with
    /// ```json
    /// { "toolId": "kb_search" }
    /// ```
    ///
    /// ## Fix
    /// Change the id, or rename the directory.
    TOOL_ID_MISMATCH, "AIL-S009", "tool-id-mismatch", Error
}

pub(crate) fn check(schema: &Document, expected: Option<&ToolId>, found: &mut Vec<Diagnostic>) {
    let written = schema.get("/toolId").and_then(Value::as_str);
    let (Some(written), Some(expected)) = (written, expected) else { return };
    if written == expected.as_str() {
        return;
    }
    let directory = expected.directory();
    let message =
        format!("directory `{directory}` holds tool `{expected}`, found `toolId` {written:?}");
    let help = match ToolId::new(written) {
        Ok(id) => format!("write `{expected}`, or rename the directory to `{}`", id.directory()),
        Err(_) => format!("write `{expected}`"),
    };
    found.push(schema.at_value(&TOOL_ID_MISMATCH, "/toolId", message).help(help));
}
