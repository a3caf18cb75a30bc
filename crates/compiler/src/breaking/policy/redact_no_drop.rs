//! A value that is no longer redacted.

use aileron_contract::ToolSpec;

use crate::breaking::promise::{PromiseBreach, promise};

promise! {
    /// A value that was redacted from logs stays redacted.
    ///
    /// ## Why
    /// A value that `redact` no longer lists appears in logs, audit records and events, and a
    /// written record cannot be removed. A pointer to a parent of the value is accepted.
    ///
    /// ## Example
    /// ```json
    /// { "redact": ["/attendees", "/notes"] }
    /// { "redact": ["/notes"] }
    /// ```
    ///
    /// ## Fix
    /// Keep the pointer.
    REDACT_NO_DROP, "REDACT_NO_DROP", "redact-dropped", Major
}

pub(super) fn check(previous: &ToolSpec, current: &ToolSpec, found: &mut Vec<PromiseBreach>) {
    let covered = |pointer: &str| current.redact.iter().any(|cover| covers(cover, pointer));
    for pointer in previous.redact.iter().filter(|pointer| !covered(pointer)) {
        let message = format!("`{pointer}` is not redacted any more");
        found.push(PromiseBreach::new(&PROMISE, "/redact", message));
    }
}

/// Whether a pointer leads to another one, or to something that contains it.
fn covers(cover: &str, pointer: &str) -> bool {
    pointer.strip_prefix(cover).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
}
