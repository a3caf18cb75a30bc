//! A changed category, which changes the budget.

use aileron_contract::ToolSpec;

use crate::breaking::promise::{PromiseBreach, promise};

promise! {
    /// A tool keeps its category, and with it its budget.
    ///
    /// ## Why
    /// Retrieval has a separate budget in each turn. A tool that becomes `retrieval` uses that
    /// budget and is refused when it is used up; a tool that is no longer `retrieval` has more
    /// room. Parameters and results stay the same, so a minor step is enough.
    ///
    /// ## Example
    /// ```json
    /// { "category": "utility" }
    /// { "category": "retrieval" }
    /// ```
    ///
    /// ## Fix
    /// Keep the category, or raise the version.
    CATEGORY_SAME, "CATEGORY_SAME", "category-changed", Minor
}

pub(super) fn check(previous: &ToolSpec, current: &ToolSpec, found: &mut Vec<PromiseBreach>) {
    let (before, after) = (previous.category, current.category);
    if before != after {
        let message = format!("`category` was `{}`, is `{}`", before.as_str(), after.as_str());
        found.push(PromiseBreach::new(&PROMISE, "/category", message));
    }
}
