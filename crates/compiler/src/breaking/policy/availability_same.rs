//! A changed availability condition.

use aileron_contract::ToolSpec;

use crate::breaking::promise::{PromiseBreach, promise};

promise! {
    /// The availability of a tool does not change.
    ///
    /// ## Why
    /// An added condition may remove the tool for some people, a dropped one may add it for
    /// others, and the compiler cannot compare two conditions.
    ///
    /// ## Example
    /// ```json
    /// { "availability": { "condition": "user.plan == 'pro'" } }
    /// { "availability": { "condition": "user.plan == 'team'" } }
    /// ```
    ///
    /// ## Fix
    /// Keep the condition, or add a tool for the others.
    AVAILABILITY_SAME, "AVAILABILITY_SAME", "availability-changed", Major
}

pub(super) fn check(previous: &ToolSpec, current: &ToolSpec, found: &mut Vec<PromiseBreach>) {
    let (before, after) = (condition(previous), condition(current));
    if before != after {
        let message =
            format!("the tool was available {}, is available {}", when(before), when(after));
        found.push(PromiseBreach::new(&PROMISE, "/availability/condition", message));
    }
}

/// The condition; one that is always true is none.
fn condition(spec: &ToolSpec) -> Option<&str> {
    let condition = spec.availability.as_ref().map(|availability| availability.condition.trim());
    condition.filter(|condition| *condition != "true")
}

fn when(condition: Option<&str>) -> String {
    condition.map_or_else(|| "always".to_owned(), |condition| format!("when `{condition}`"))
}
