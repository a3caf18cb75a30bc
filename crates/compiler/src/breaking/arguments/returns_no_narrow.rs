//! A result that became wider for its readers.

use aileron_contract::ToolSpec;

use crate::breaking::promise::{PromiseBreach, promise};
use crate::breaking::schema;
use crate::breaking::version::addition_needs_minor;

promise! {
    /// A program that could read the result still can.
    ///
    /// ## Why
    /// For results the rules are reversed. A property that is deleted or becomes optional, a
    /// type, an `enum` or a bound that becomes wider, a dropped `returns`: each gives readers
    /// values that the schema excluded before. A further property or a narrower type is no
    /// break, and closed objects may gain properties too: readers are expected to ignore
    /// unknown properties.
    ///
    /// ## Example
    /// ```json
    /// { "returns": { "properties": { "status": { "enum": ["sent", "failed"] } } } }
    /// { "returns": { "properties": { "status": { "enum": ["sent", "failed", "queued"] } } } }
    /// ```
    ///
    /// ## Fix
    /// Keep the property, and add another one for the new value.
    RETURNS_NO_NARROW, "RETURNS_NO_NARROW", "returns-narrowed", Major
}

pub(in crate::breaking) fn check(
    previous: &ToolSpec,
    current: &ToolSpec,
    found: &mut Vec<PromiseBreach>,
) {
    match (&previous.returns, &current.returns) {
        (Some(before), Some(after)) => found.extend(schema::returns(before, after, &PROMISE)),
        (Some(_), None) => {
            let message = "the result is not described any more, `returns` is deleted";
            found.push(PromiseBreach::new(&PROMISE, "/returns", message));
        }
        (None, Some(_)) => {
            let message = "the result is described, `returns` is added";
            found.push(PromiseBreach::new(&addition_needs_minor::PROMISE, "/returns", message));
        }
        (None, None) => {}
    }
}
