//! A removed mode.

use aileron_contract::ToolSpec;

use crate::breaking::promise::{PromiseBreach, promise};

promise! {
    /// A tool still works in every mode it worked in.
    ///
    /// ## Why
    /// In a mode that is not allowed any more, the tool is not declared and every call of it is
    /// answered with `MODE_RESTRICTED`.
    ///
    /// ## Example
    /// ```json
    /// { "allowedModes": ["text", "voice"] }
    /// { "allowedModes": ["text"] }
    /// ```
    ///
    /// ## Fix
    /// Keep the mode. Where it should do less there, `modeLimits` clamps its parameters.
    MODE_NO_REMOVE, "MODE_NO_REMOVE", "mode-removed", Major
}

pub(super) fn check(previous: &ToolSpec, current: &ToolSpec, found: &mut Vec<PromiseBreach>) {
    let removed =
        previous.allowed_modes.iter().filter(|mode| !current.allowed_modes.contains(*mode));
    found.extend(removed.map(|mode| {
        PromiseBreach::new(
            &PROMISE,
            "/allowedModes",
            format!("mode `{mode}` is not allowed any more"),
        )
    }));
}
