//! A handler that is given more than it was.

use aileron_contract::ToolSpec;

use crate::breaking::promise::{Finding, promise};
use crate::document::join;

promise! {
    /// A handler is not given more than it was.
    ///
    /// ## Why
    /// Capabilities are what a tool was reviewed for: which hosts it reaches, which secrets it
    /// reads, whose calendar it holds. One more is something nobody agreed to yet.
    ///
    /// ## Example
    /// ```json
    /// { "capabilities": ["kb"] }
    /// { "capabilities": ["kb", "http:api.example.com"] }
    /// ```
    ///
    /// ## Fix
    /// Do without it, or put what needs it into a tool of its own.
    CAPABILITY_NO_WIDEN, "CAPABILITY_NO_WIDEN", "capability-widened", Major
}

pub(super) fn check(previous: &ToolSpec, current: &ToolSpec, found: &mut Vec<Finding>) {
    for (index, capability) in current.capabilities.iter().enumerate() {
        if !previous.capabilities.contains(capability) {
            let pointer = join("/capabilities", &index.to_string());
            let message = format!("the handler is given the capability `{capability}` as well");
            found.push(Finding::new(&PROMISE, pointer, message));
        }
    }
}
