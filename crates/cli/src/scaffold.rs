//! The files of a fresh tool, from templates. `{{id}}` stands for its id.

use aileron_contract::ToolId;

use crate::args::{NewCategory, NewHandler};

const SCHEMA: &str = include_str!("scaffold/schema.json.in");
const GUIDE: &str = include_str!("scaffold/guide.md.in");
const CASES: &str = include_str!("scaffold/cases.json.in");
const HANDLER_JS: &str = include_str!("scaffold/handler.js.in");
const HANDLER_TS: &str = include_str!("scaffold/handler.ts.in");
const HANDLER_RS: &str = include_str!("scaffold/handler.rs.in");

/// Name and text of each file.
pub(crate) fn files(
    id: &ToolId,
    category: NewCategory,
    handler: NewHandler,
) -> [(&'static str, String); 4] {
    let (name, code) = match handler {
        NewHandler::Js => ("handler.js", HANDLER_JS),
        NewHandler::Ts => ("handler.ts", HANDLER_TS),
        NewHandler::Rust => ("handler.rs", HANDLER_RS),
    };
    let fill = |template: &str| fill(template, id, category);
    [
        ("schema.json", fill(SCHEMA)),
        ("guide.md", fill(GUIDE)),
        (name, fill(code)),
        ("cases.json", fill(CASES)),
    ]
}

fn fill(template: &str, id: &ToolId, category: NewCategory) -> String {
    let (category, effects, idempotent, asks) = match category {
        NewCategory::Retrieval => ("retrieval", "read_only", "true", "false"),
        NewCategory::Action => ("action", "writes", "false", "true"),
        NewCategory::Utility => ("utility", "none", "true", "false"),
    };
    template
        .replace("{{id}}", id.as_str())
        .replace("{{category}}", category)
        .replace("{{sideEffects}}", effects)
        .replace("{{idempotent}}", idempotent)
        .replace("{{requiresConfirmation}}", asks)
}
