//! A tool that says it no longer writes.

use aileron_contract::ToolSpec;
use aileron_contract::spec::SideEffects;

use crate::breaking::promise::{Finding, promise};

promise! {
    /// A tool that was known to write does not turn into one that only reads.
    ///
    /// ## Why
    /// `writes` is what protects a call: it is made durable before it runs, it runs alone, it is
    /// never run a second time, and an interruption does not cut it. A tool that still writes
    /// and says `none` loses all of that, and nobody who reviews the change sees it as one.
    ///
    /// ## Example
    /// ```json
    /// { "sideEffects": "writes" }
    /// { "sideEffects": "none" }
    /// ```
    ///
    /// ## Fix
    /// Keep `writes`. Where the writing was really taken out, raise the version.
    SIDE_EFFECTS_NO_UNDERSTATE, "SIDE_EFFECTS_NO_UNDERSTATE", "side-effects-understated", Major
}

pub(super) fn check(previous: &ToolSpec, current: &ToolSpec, found: &mut Vec<Finding>) {
    let (before, after) = (previous.side_effects, current.side_effects);
    if before == SideEffects::Writes && after < before {
        let message = format!("`sideEffects` was `{}`, is `{}`", before.as_str(), after.as_str());
        found.push(Finding::new(&PROMISE, "/sideEffects", message));
    }
}
