//! The identity of a call: its tool, its id and its key.

use std::sync::Arc;

use aileron_contract::spec::SideEffects;
use aileron_contract::{CallId, ContentHash, Execution, ToolSpec};
use aileron_store::ToolStamp;

use crate::toolset::ToolEntry;

/// The maximum length of a stored name of an unknown tool.
const LONGEST_NAME: usize = 128;

/// The identity of a call, without its arguments.
#[derive(Debug, Clone)]
pub(crate) struct CallIdentity {
    pub(crate) call_id: CallId,
    /// The tool's name as the model wrote it.
    pub(crate) tool_id: String,
    pub(crate) entry: Option<Arc<ToolEntry>>,
    /// The same key in the same conversation is the same call.
    pub(crate) key: Arc<str>,
    /// The hash of the original arguments, if a mode's limits changed them.
    pub(crate) given: Option<ContentHash>,
}

impl CallIdentity {
    pub(crate) fn spec(&self) -> Option<&ToolSpec> {
        self.entry.as_ref().map(|entry| entry.spec())
    }

    pub(crate) fn writes(&self) -> bool {
        self.spec().is_some_and(|spec| spec.side_effects == SideEffects::Writes)
    }

    /// Whether its tool runs in the background.
    pub(crate) fn is_background(&self) -> bool {
        self.spec().is_some_and(|spec| spec.execution() == Execution::Background)
    }

    /// The tool for the record. An unknown tool counts as one without writes.
    pub(crate) fn tool_stamp(&self) -> Arc<ToolStamp> {
        match &self.entry {
            Some(entry) => entry.stamp.clone(),
            None => Arc::new(ToolStamp {
                id: self.tool_id.clone(),
                version: None,
                category: None,
                side_effects: SideEffects::None,
                redact: Vec::new(),
            }),
        }
    }
}

/// The name of a tool as a model wrote it, truncated to a maximum length.
pub(crate) fn bounded(mut tool_id: String) -> String {
    if let Some((end, _)) = tool_id.char_indices().nth(LONGEST_NAME) {
        tool_id.truncate(end);
    }
    tool_id
}
