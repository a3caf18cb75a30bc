//! A result that is cut earlier than it was.

use aileron_contract::ToolSpec;

use crate::breaking::promise::{Finding, promise};

promise! {
    /// A result that reached the model whole reaches it whole still.
    ///
    /// ## Why
    /// What is past `maxResultChars` is cut. The cut is announced, so a minor step is enough.
    /// Without the field the limit is that of the mode, which may be more or less: to add or
    /// to drop it counts.
    ///
    /// ## Example
    /// ```json
    /// { "maxResultChars": 8000 }
    /// { "maxResultChars": 4000 }
    /// ```
    ///
    /// ## Fix
    /// Keep the limit, or raise the version.
    RESULT_LIMIT_NO_LOWER, "RESULT_LIMIT_NO_LOWER", "result-limit-lowered", Minor
}

pub(super) fn check(previous: &ToolSpec, current: &ToolSpec, found: &mut Vec<Finding>) {
    let (before, after) = (previous.max_result_chars, current.max_result_chars);
    let lowered = match (before, after) {
        (Some(before), Some(after)) => after < before,
        (before, after) => before != after,
    };
    if lowered {
        let message = format!("`maxResultChars` was {}, is {}", words(before), words(after));
        found.push(Finding::new(&PROMISE, "/maxResultChars", message));
    }
}

fn words(limit: Option<u64>) -> String {
    limit.map_or_else(|| "the mode's own".to_owned(), |limit| limit.to_string())
}
