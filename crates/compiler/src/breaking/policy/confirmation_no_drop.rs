//! A dropped confirmation.

use aileron_contract::ToolSpec;

use super::asking::ConfirmationNeed;
use crate::breaking::promise::{PromiseBreach, promise};

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

pub(super) fn check(previous: &ToolSpec, current: &ToolSpec, found: &mut Vec<PromiseBreach>) {
    let (before, after) = (ConfirmationNeed::of(previous), ConfirmationNeed::of(current));
    let dropped = match (before, after) {
        (ConfirmationNeed::Never, _) | (_, ConfirmationNeed::Always) => false,
        (before, after) => before != after,
    };
    if dropped {
        let message = format!("the person was {before}, is {after}");
        found.push(PromiseBreach::new(&PROMISE, ConfirmationNeed::pointer(current), message));
    }
}
