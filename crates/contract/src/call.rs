//! A call as a model made it, before anything was checked.

use serde::{Deserialize, Serialize};

use crate::arguments::Arguments;
use crate::id::CallId;

/// One call of one tool. The name and the arguments are unchecked text of the model.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct ToolCall {
    pub call_id: CallId,
    pub tool_id: String,
    #[serde(default)]
    pub args: Arguments,
}
