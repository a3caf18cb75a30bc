//! A lower result limit.

use aileron_contract::ToolSpec;

use crate::breaking::promise::{PromiseBreach, promise};

promise! {
    /// A result that was short enough for the model is still short enough.
    ///
    /// ## Why
    /// A result is cut at `maxResultChars`. The cut is announced, so a minor step is enough.
    /// Without the field the limit of the mode applies, which may be higher or lower, so adding
    /// or dropping the field counts.
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

pub(super) fn check(previous: &ToolSpec, current: &ToolSpec, found: &mut Vec<PromiseBreach>) {
    let (before, after) = (previous.max_result_chars, current.max_result_chars);
    let lowered = match (before, after) {
        (Some(before), Some(after)) => after < before,
        (before, after) => before != after,
    };
    if lowered {
        let message = format!("`maxResultChars` was {}, is {}", words(before), words(after));
        found.push(PromiseBreach::new(&PROMISE, "/maxResultChars", message));
    }
}

fn words(limit: Option<u64>) -> String {
    limit.map_or_else(|| "the mode's own".to_owned(), |limit| limit.to_string())
}
