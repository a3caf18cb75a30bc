//! What a model is told it may call: the tools of the conversation's mode whose own condition holds.
//! Whether a call of one is made is decided when it is made.

use std::sync::Arc;

use aileron_runtime::Tool;

use super::{Conversation, Shared};
use crate::expression::Variables;
use crate::toolset::Entry;

impl Conversation {
    /// The tools to declare, in the order of the registry. A condition that cannot be told does not
    /// hold.
    pub fn tools(&self) -> Vec<Arc<Tool>> {
        let conversation = self.0.lock().memory.view();
        let variables = Variables {
            mode: self.0.mode,
            user: &self.0.user_view,
            conversation: Some(&conversation),
            args: None,
        };
        let offered = self.0.toolset.entries().filter(|entry| self.0.offers(entry, &variables));
        offered.map(|entry| entry.tool.clone()).collect()
    }
}

impl Shared {
    fn offers(&self, entry: &Entry, variables: &Variables<'_>) -> bool {
        let in_mode = entry.spec().allowed_modes.contains(self.mode);
        let available = entry.available.as_ref();
        in_mode && available.is_none_or(|condition| condition.holds(variables) == Ok(true))
    }
}
