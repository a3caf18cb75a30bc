//! A handler with more capabilities.

use aileron_contract::ToolSpec;

use crate::breaking::promise::{PromiseBreach, promise};
use crate::document::join;

promise! {
    /// A tool gets no further capabilities.
    ///
    /// ## Why
    /// A tool was reviewed for its capabilities: the hosts it reaches, the secrets it reads, the
    /// calendar it uses. A further capability has not been reviewed.
    ///
    /// ## Example
    /// ```json
    /// { "capabilities": ["kb"] }
    /// { "capabilities": ["kb", "http:api.example.com"] }
    /// ```
    ///
    /// ## Fix
    /// Avoid it, or move the part that needs it into a separate tool.
    CAPABILITY_NO_WIDEN, "CAPABILITY_NO_WIDEN", "capability-widened", Major
}

pub(super) fn check(previous: &ToolSpec, current: &ToolSpec, found: &mut Vec<PromiseBreach>) {
    for (index, capability) in current.capabilities.iter().enumerate() {
        if !previous.capabilities.contains(capability) {
            let pointer = join("/capabilities", &index.to_string());
            let message = format!("the handler is given the capability `{capability}` as well");
            found.push(PromiseBreach::new(&PROMISE, pointer, message));
        }
    }
}
