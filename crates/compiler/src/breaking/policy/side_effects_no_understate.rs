//! Side effects that are declared weaker.

use aileron_contract::ToolSpec;
use aileron_contract::spec::SideEffects;

use crate::breaking::promise::{PromiseBreach, promise};

promise! {
    /// A tool that was known to write does not turn into one that only reads.
    ///
    /// ## Why
    /// `writes` protects a call: the call is durable before it runs, runs alone, never runs a
    /// second time, and barge-in does not cancel it. A tool that still writes but declares
    /// `none` loses all of that, and a reviewer may not notice.
    ///
    /// ## Example
    /// ```json
    /// { "sideEffects": "writes" }
    /// { "sideEffects": "none" }
    /// ```
    ///
    /// ## Fix
    /// Keep `writes`. If the tool really no longer writes, raise the version.
    SIDE_EFFECTS_NO_UNDERSTATE, "SIDE_EFFECTS_NO_UNDERSTATE", "side-effects-understated", Major
}

pub(super) fn check(previous: &ToolSpec, current: &ToolSpec, found: &mut Vec<PromiseBreach>) {
    let (before, after) = (previous.side_effects, current.side_effects);
    if before == SideEffects::Writes && after < before {
        let message = format!("`sideEffects` was `{}`, is `{}`", before.as_str(), after.as_str());
        found.push(PromiseBreach::new(&PROMISE, "/sideEffects", message));
    }
}
