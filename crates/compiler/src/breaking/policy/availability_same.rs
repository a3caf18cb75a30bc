//! A tool that is there for others than before.

use aileron_contract::ToolSpec;

use crate::breaking::promise::{Finding, promise};

promise! {
    /// A tool is there when it was there, and not when it was not.
    ///
    /// ## Why
    /// A condition that is added takes the tool away from someone, one that is dropped gives it
    /// to someone, and what another condition does cannot be told from its words.
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

pub(super) fn check(previous: &ToolSpec, current: &ToolSpec, found: &mut Vec<Finding>) {
    let (before, after) = (condition(previous), condition(current));
    if before != after {
        let message = format!("the tool was there {}, is there {}", when(before), when(after));
        found.push(Finding::new(&PROMISE, "/availability/condition", message));
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
