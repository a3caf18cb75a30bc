//! A tool that is no longer idempotent.

use aileron_contract::ToolSpec;

use crate::breaking::promise::{PromiseBreach, promise};

promise! {
    /// A call that could safely be repeated can be repeated still.
    ///
    /// ## Why
    /// Callers send an idempotent call again when they did not hear the answer. Once it is not
    /// idempotent any more, each of them may do its work twice.
    ///
    /// ## Example
    /// ```json
    /// { "idempotent": true }
    /// { "idempotent": false }
    /// ```
    ///
    /// ## Fix
    /// Use `context.idempotencyKey` to recognise a call that was made before.
    IDEMPOTENT_NO_DROP, "IDEMPOTENT_NO_DROP", "idempotent-dropped", Major
}

pub(super) fn check(previous: &ToolSpec, current: &ToolSpec, found: &mut Vec<PromiseBreach>) {
    if previous.idempotent && !current.idempotent {
        let message = "the tool was idempotent, is not any more";
        found.push(PromiseBreach::new(&PROMISE, "/idempotent", message));
    }
}
