//! A call that ran only after a person said yes.

use aileron_contract::ToolSpec;

use super::asking::Asking;
use crate::breaking::promise::{Finding, promise};

promise! {
    /// A call that needed the person's approval still needs it.
    ///
    /// ## Why
    /// Without the confirmation, the model alone decides. People who added the tool to an agent
    /// relied on that confirmation. The compiler cannot compare two expressions, so any change of
    /// `confirmation.when` counts.
    ///
    /// ## Example
    /// ```json
    /// { "requiresConfirmation": true }
    /// { "requiresConfirmation": false, "confirmation": { "when": "size(args.attendees) > 5" } }
    /// ```
    ///
    /// ## Fix
    /// Keep the confirmation. If a tool asks too often, add one that does less and needs none.
    CONFIRMATION_NO_DROP, "CONFIRMATION_NO_DROP", "confirmation-dropped", Major
}

pub(super) fn check(previous: &ToolSpec, current: &ToolSpec, found: &mut Vec<Finding>) {
    let (before, after) = (Asking::of(previous), Asking::of(current));
    let dropped = match (before, after) {
        (Asking::Never, _) | (_, Asking::Always) => false,
        (before, after) => before != after,
    };
    if dropped {
        let message = format!("the person was {before}, is {after}");
        found.push(Finding::new(&PROMISE, Asking::pointer(current), message));
    }
}
