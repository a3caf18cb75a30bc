//! A call that needs a new confirmation.

use aileron_contract::ToolSpec;

use super::asking::ConfirmationNeed;
use crate::breaking::promise::{PromiseBreach, promise};

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

pub(super) fn check(previous: &ToolSpec, current: &ToolSpec, found: &mut Vec<PromiseBreach>) {
    let (before, after) = (ConfirmationNeed::of(previous), ConfirmationNeed::of(current));
    let added = match (before, after) {
        (ConfirmationNeed::Never, after) => after != ConfirmationNeed::Never,
        (ConfirmationNeed::When(_), after) => after == ConfirmationNeed::Always,
        (ConfirmationNeed::Always, _) => false,
    };
    if added {
        let message = format!("the person was {before}, is {after}");
        found.push(PromiseBreach::new(&PROMISE, ConfirmationNeed::pointer(current), message));
    }
}
