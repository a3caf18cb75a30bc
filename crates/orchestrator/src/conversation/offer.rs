//! What a model is told it may call: the tools of the conversation's mode whose own condition holds.
//! Whether a call of one is made is decided when it is made.

use std::sync::Arc;

use aileron_runtime::Tool;

use super::Conversation;
use crate::expression::Variables;
use crate::toolset::Entry;

impl Conversation {
    /// The tools to declare, in the order of the registry. A condition that cannot be told does not
    /// hold.
    pub fn tools(&self) -> Vec<Arc<Tool>> {
        let conversation = self.0.lock().memory.view();
        let variables = Variables {
            mode: self.0.mode(),
            user: &self.0.user_view,
            conversation: Some(&conversation),
            args: None,
        };
        let offered = self.0.toolset.entries().filter(|entry| is_offered(entry, &variables));
        offered.map(|entry| entry.tool.clone()).collect()
    }
}

fn is_offered(entry: &Entry, variables: &Variables<'_>) -> bool {
    let in_mode = entry.spec().allowed_modes.contains(variables.mode);
    let available = entry.available.as_ref();
    in_mode && available.is_none_or(|condition| condition.holds(variables) == Ok(true))
}
