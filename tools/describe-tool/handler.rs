//! Reads the guide of another tool, if this conversation has that tool.

use aileron_capability::{Context, ToolError, ToolResult, success};
use aileron_contract::ErrorType;
use serde::Deserialize;
use serde_json::json;

#[derive(Deserialize)]
pub struct Args {
    tool_id: String,
}

/// Runs one call.
pub async fn execute(args: Args, context: Context) -> ToolResult {
    let read = context.documentation(&args.tool_id);
    let read = read.map_err(|fault| fault.while_reading("read a guide"))?;
    match read {
        Ok(documentation) => {
            success(json!({ "tool_id": args.tool_id, "documentation": documentation }))
        }
        Err(closest) => Err(ToolError::new(ErrorType::Permanent, missing(&args.tool_id, &closest))),
    }
}

fn missing(id: &str, closest: &[String]) -> String {
    let id: String = id.chars().take(64).collect();
    match closest {
        [] => format!("no tool `{id}` is offered in this conversation"),
        _ => format!(
            "no tool `{id}` is offered in this conversation; the closest are {}",
            closest.join(", ")
        ),
    }
}
