//! Model Context Protocol: the schemas as they are written, and hints about the effects.

use serde_json::{Value, json};

use super::declaration::{Declaration, DeclaredTool, object};
use super::loss::Losses;
use super::lower;

const TITLE: &str = "MCP";
const NOT_AN_OBJECT: &str = "clients before 2026-07-28 take only `type: \"object\"`";

/// Capabilities that reach external systems.
const OPEN_WORLD: &[&str] = &["messaging", "tools"];

pub(super) fn declare(tool: DeclaredTool<'_>) -> Declaration {
    let mut losses = Losses::new(TITLE);
    lower::check_root(tool.parameters, &mut losses);
    let mut value = object([
        ("name", tool.name.into()),
        ("description", tool.description.into()),
        ("inputSchema", tool.parameters.clone()),
        ("annotations", annotations(tool.schema)),
    ]);
    if let Some(Value::String(title)) = tool.schema.get("title") {
        value["title"] = title.as_str().into();
    }
    if let Some(schema) = output_schema(tool, &mut losses) {
        value["outputSchema"] = schema.clone();
    }
    Declaration { value, losses: losses.finish() }
}

/// A client that cannot read one output schema refuses the whole list of tools.
fn output_schema<'a>(tool: DeclaredTool<'a>, losses: &mut Losses) -> Option<&'a Value> {
    let returns = tool.schema.get("returns")?;
    if returns.get("type").is_some_and(|t| t == "object") {
        return Some(returns);
    }
    losses.returns_dropped(NOT_AN_OBJECT);
    None
}

/// Hints; by default as cautious as the protocol's.
fn annotations(tool: &Value) -> Value {
    let side_effects = tool.get("sideEffects").and_then(Value::as_str);
    let reads_only = matches!(side_effects, Some("none" | "read_only"));
    json!({
        "readOnlyHint": reads_only,
        "destructiveHint": !reads_only,
        "idempotentHint": tool.get("idempotent").and_then(Value::as_bool).unwrap_or(false),
        "openWorldHint": is_open_world(tool),
    })
}

fn is_open_world(tool: &Value) -> bool {
    let capabilities = tool.get("capabilities").and_then(Value::as_array);
    let mut names = capabilities.into_iter().flatten().filter_map(Value::as_str);
    names.any(|name| name.starts_with("http:") || OPEN_WORLD.contains(&name))
}
