//! A changed effect of barge-in on a running call.

use aileron_contract::ToolSpec;
use aileron_contract::spec::OnInterrupt;

use crate::breaking::promise::{PromiseBreach, promise};

promise! {
    /// The effect of barge-in on a running call does not change.
    ///
    /// ## Why
    /// A write that was finished may be left half done (`continue` to `cancel`), and one that
    /// was stopped may go on after the person said no (`cancel` to `continue`).
    ///
    /// ## Example
    /// ```json
    /// { "sideEffects": "writes", "onInterrupt": "continue" }
    /// { "sideEffects": "writes", "onInterrupt": "cancel" }
    /// ```
    ///
    /// ## Fix
    /// Keep it as it was; without the field it is `continue` for `writes` and `cancel` otherwise.
    ON_INTERRUPT_SAME, "ON_INTERRUPT_SAME", "on-interrupt-changed", Major
}

/// A default that changed because of `sideEffects` is reported by that rule.
pub(super) fn check(previous: &ToolSpec, current: &ToolSpec, found: &mut Vec<PromiseBreach>) {
    let (before, after) = (previous.on_interrupt(), current.on_interrupt());
    let written = previous.on_interrupt.is_some() || current.on_interrupt.is_some();
    if before != after && written {
        let message = format!(
            "an interruption was to {} a running call, is to {} it",
            words(before),
            words(after)
        );
        found.push(PromiseBreach::new(&PROMISE, "/onInterrupt", message));
    }
}

fn words(action: OnInterrupt) -> &'static str {
    match action {
        OnInterrupt::Continue => "continue",
        OnInterrupt::Cancel => "cancel",
        OnInterrupt::Detach => "detach",
    }
}
