//! Something that no log showed.

use aileron_contract::ToolSpec;

use crate::breaking::promise::{Finding, promise};

promise! {
    /// What was kept out of logs stays out of them.
    ///
    /// ## Why
    /// A pointer that `redact` does not list any more shows in every log, audit record and event,
    /// and a record once written cannot be taken back. A pointer to something that contains it
    /// will do.
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

pub(super) fn check(previous: &ToolSpec, current: &ToolSpec, found: &mut Vec<Finding>) {
    let covered = |pointer: &str| current.redact.iter().any(|cover| covers(cover, pointer));
    for pointer in previous.redact.iter().filter(|pointer| !covered(pointer)) {
        let message = format!("`{pointer}` is not redacted any more");
        found.push(Finding::new(&PROMISE, "/redact", message));
    }
}

/// Whether a pointer leads to another one, or to something that contains it.
fn covers(cover: &str, pointer: &str) -> bool {
    pointer.strip_prefix(cover).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
}
