//! A call that ran only after a person said yes.

use aileron_contract::ToolSpec;

use super::asking::Asking;
use crate::breaking::promise::{Finding, promise};

promise! {
    /// A person who was asked goes on to be asked.
    ///
    /// ## Why
    /// A question that is not asked any more leaves the decision to the model. Whoever put the
    /// tool into an agent relied on that question. Whether one `confirmation.when` asks in all
    /// cases in which another one did cannot be told, so any other expression counts.
    ///
    /// ## Example
    /// ```json
    /// { "requiresConfirmation": true }
    /// { "requiresConfirmation": false, "confirmation": { "when": "size(args.attendees) > 5" } }
    /// ```
    ///
    /// ## Fix
    /// Go on to ask. Where a tool asks too often, add one that does less and needs no question.
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
