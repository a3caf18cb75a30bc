//! A call that ran at once and has to wait for a person.

use aileron_contract::ToolSpec;

use super::asking::Asking;
use crate::breaking::promise::{Finding, promise};

promise! {
    /// A call that ran without approval still runs without it.
    ///
    /// ## Why
    /// The call is answered with `CONFIRMATION_REQUIRED` and runs only after the person approved
    /// it. An unattended agent would wait for ever. The change is on the safe side, so a minor
    /// step is enough.
    ///
    /// ## Example
    /// ```json
    /// { "requiresConfirmation": false }
    /// { "requiresConfirmation": true }
    /// ```
    ///
    /// ## Fix
    /// Ask only where it matters, by `confirmation.when`, and raise the version.
    CONFIRMATION_NO_ADD, "CONFIRMATION_NO_ADD", "confirmation-added", Minor
}

pub(super) fn check(previous: &ToolSpec, current: &ToolSpec, found: &mut Vec<Finding>) {
    let (before, after) = (Asking::of(previous), Asking::of(current));
    let added = match (before, after) {
        (Asking::Never, after) => after != Asking::Never,
        (Asking::When(_), after) => after == Asking::Always,
        (Asking::Always, _) => false,
    };
    if added {
        let message = format!("the person was {before}, is {after}");
        found.push(Finding::new(&PROMISE, Asking::pointer(current), message));
    }
}
