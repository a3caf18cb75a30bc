//! A call as a model made it, before anything was checked.

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::id::CallId;

/// One call of one tool. The name and the arguments are the model's own words.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct ToolCall {
    pub call_id: CallId,
    pub tool_id: String,
    #[serde(default = "no_arguments")]
    pub args: Value,
}

fn no_arguments() -> Value {
    Value::Object(serde_json::Map::new())
}
