//! A type that was removed.

use crate::breaking::promise::promise;
use crate::breaking::schema::Site;
use crate::breaking::schema::pair::{Name, Pair, SchemaChange, View};

promise! {
    /// A parameter still accepts every type it accepted.
    ///
    /// ## Why
    /// A value of the lost type is refused before the handler sees it. More types than before
    /// are no break: `integer` may become `number`, `string` may become `string` or `null`.
    ///
    /// ## Example
    /// ```json
    /// { "top_k": { "type": "number" } }
    /// { "top_k": { "type": "integer" } }
    /// ```
    ///
    /// ## Fix
    /// Keep the type, or list it beside the other: `"type": ["integer", "string"]`. Where a
    /// parameter has to mean something else, add one with another name.
    PARAM_SAME_TYPE, "PARAM_SAME_TYPE", "param-type-changed", Major
}

pub(in crate::breaking) fn check(pair: &Pair<'_, '_>, found: &mut Vec<SchemaChange>) {
    let (sub, sup) = (pair.sub.types(), pair.sup.declared());
    if !sub.within(sup) {
        found.push(pair.became(&PROMISE, "type", &sub.to_string(), &sup.to_string()));
    }
}

/// The finding that `sup` accepts no value.
pub(in crate::breaking) fn nothing_left(
    view: View,
    sub: &Site<'_>,
    sup: &Site<'_>,
    name: &Name,
) -> SchemaChange {
    let newer = if view.older_is_sub() { sup } else { sub };
    let what = if view.older_is_sub() { "can have no value any more" } else { "can have a value" };
    SchemaChange::new(&PROMISE, name, &newer.at, what)
}
