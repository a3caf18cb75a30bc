//! Stronger side effects.

use aileron_contract::ToolSpec;

use crate::breaking::promise::{PromiseBreach, promise};

promise! {
    /// The side effects of a tool do not increase.
    ///
    /// ## Why
    /// A user who allowed a tool that only reads did not allow one that writes. The order is
    /// `none`, `read_only`, `writes`.
    ///
    /// ## Example
    /// ```json
    /// { "sideEffects": "read_only" }
    /// { "sideEffects": "writes" }
    /// ```
    ///
    /// ## Fix
    /// Move the writing into a separate tool.
    SIDE_EFFECTS_NO_ESCALATE, "SIDE_EFFECTS_NO_ESCALATE", "side-effects-escalated", Major
}

pub(super) fn check(previous: &ToolSpec, current: &ToolSpec, found: &mut Vec<PromiseBreach>) {
    let (before, after) = (previous.side_effects, current.side_effects);
    if after > before {
        let message = format!("`sideEffects` was `{}`, is `{}`", before.as_str(), after.as_str());
        found.push(PromiseBreach::new(&PROMISE, "/sideEffects", message));
    }
}
