//! A result that readers cannot rely on as they did.

use aileron_contract::ToolSpec;

use crate::breaking::promise::{Finding, promise};
use crate::breaking::schema;
use crate::breaking::version::addition_needs_minor;

promise! {
    /// Whoever could read the result can read it still.
    ///
    /// ## Why
    /// For a result everything is the other way round. A property that is deleted or becomes
    /// optional, a type, an `enum` or a bound that becomes wider, a `returns` that is dropped:
    /// each brings readers something they were told would not come. Saying more (a property
    /// more, a narrower type) is no break, and closed objects may gain properties too:
    /// readers are expected to pass over what they do not know.
    ///
    /// ## Example
    /// ```json
    /// { "returns": { "properties": { "status": { "enum": ["sent", "failed"] } } } }
    /// { "returns": { "properties": { "status": { "enum": ["sent", "failed", "queued"] } } } }
    /// ```
    ///
    /// ## Fix
    /// Keep what was there, and put what is different into a property of its own.
    RETURNS_NO_NARROW, "RETURNS_NO_NARROW", "returns-narrowed", Major
}

pub(in crate::breaking) fn check(
    previous: &ToolSpec,
    current: &ToolSpec,
    found: &mut Vec<Finding>,
) {
    match (&previous.returns, &current.returns) {
        (Some(before), Some(after)) => found.extend(schema::returns(before, after)),
        (Some(_), None) => {
            let message = "the result is not described any more, `returns` is deleted";
            found.push(Finding::new(&PROMISE, "/returns", message));
        }
        (None, Some(_)) => {
            let message = "the result is described, `returns` is added";
            found.push(Finding::new(&addition_needs_minor::PROMISE, "/returns", message));
        }
        (None, None) => {}
    }
}
