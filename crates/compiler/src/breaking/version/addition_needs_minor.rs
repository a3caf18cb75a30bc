//! An addition.

use aileron_contract::ToolSpec;

use crate::breaking::promise::{PromiseBreach, promise};

promise! {
    /// An addition raises the minor version.
    ///
    /// ## Why
    /// A new parameter, value, mode or returned property breaks no caller. But its users must be
    /// able to name the first version that has it. Every change that lets a parameter accept
    /// more counts: another type, a wider bound, one requirement less.
    ///
    /// ## Example
    /// ```json
    /// { "properties": { "query": { "type": "string" } } }
    /// { "properties": { "query": { "type": "string" }, "top_k": { "type": "integer" } } }
    /// ```
    ///
    /// ## Fix
    /// Raise the version.
    ADDITION_NEEDS_MINOR, "ADDITION_NEEDS_MINOR", "addition-without-minor", Minor
}

/// Additions outside of the schemas.
pub(in crate::breaking) fn check(
    previous: &ToolSpec,
    current: &ToolSpec,
    found: &mut Vec<PromiseBreach>,
) {
    let added = current.allowed_modes.iter().filter(|mode| !previous.allowed_modes.contains(*mode));
    found.extend(added.map(|mode| {
        PromiseBreach::new(&PROMISE, "/allowedModes", format!("mode `{mode}` is allowed as well"))
    }));
    if current.idempotent && !previous.idempotent {
        let message = "the tool was not idempotent, is";
        found.push(PromiseBreach::new(&PROMISE, "/idempotent", message));
    }
}
