//! A lower version.

use std::cmp::Ordering;

use aileron_contract::ToolSpec;

use crate::breaking::promise::{PromiseBreach, promise};

promise! {
    /// A version is never lowered.
    ///
    /// ## Why
    /// Records name tools by their version. A lowered version is sooner or later used a second
    /// time, and then names two different tools.
    ///
    /// ## Example
    /// ```json
    /// { "version": "1.4.2" }
    /// { "version": "1.4.1" }
    /// ```
    ///
    /// ## Fix
    /// Raise the version, also when the change reverts an earlier one.
    VERSION_NO_LOWER, "VERSION_NO_LOWER", "version-lowered", Patch
}

pub(in crate::breaking) fn check(
    previous: &ToolSpec,
    current: &ToolSpec,
    found: &mut Vec<PromiseBreach>,
) {
    let (before, after) = (&previous.version, &current.version);
    if after.cmp_precedence(before) == Ordering::Less {
        let message = format!("the version is lowered from {before} to {after}");
        found.push(PromiseBreach::new(&PROMISE, "/version", message));
    }
}
