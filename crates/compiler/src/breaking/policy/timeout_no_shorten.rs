//! A shorter timeout.

use aileron_contract::ToolSpec;

use crate::breaking::promise::{PromiseBreach, promise};

promise! {
    /// The deadline of a call is not shortened.
    ///
    /// ## Why
    /// A call that took long and was answered is stopped at the deadline. Without `timeoutMs`
    /// that is four times `latencyBudgetMs`. How long a call takes was never promised, so a
    /// minor step is enough.
    ///
    /// ## Example
    /// ```json
    /// { "timeoutMs": 20000 }
    /// { "timeoutMs": 5000 }
    /// ```
    ///
    /// ## Fix
    /// Keep the deadline. To get warnings about slow calls, lower `latencyBudgetMs` and set
    /// `timeoutMs` explicitly.
    TIMEOUT_NO_SHORTEN, "TIMEOUT_NO_SHORTEN", "timeout-shortened", Minor
}

pub(super) fn check(previous: &ToolSpec, current: &ToolSpec, found: &mut Vec<PromiseBreach>) {
    let (before, after) = (previous.timeout_ms(), current.timeout_ms());
    if after < before {
        let written = current.timeout_ms.is_some();
        let pointer = if written { "/timeoutMs" } else { "/latencyBudgetMs" };
        let message = format!("the deadline was {before} ms, is {after} ms");
        found.push(PromiseBreach::new(&PROMISE, pointer, message));
    }
}
