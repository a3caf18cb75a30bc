//! A parameter that became required.

use crate::breaking::promise::promise;
use crate::breaking::schema::Node;
use crate::breaking::schema::pair::{Pair, SchemaChange, Variance};
use crate::breaking::schema::types::Types;

promise! {
    /// No parameter becomes required.
    ///
    /// ## Why
    /// Every call that leaves it out, which was right before, is refused. That holds for a new
    /// required parameter and for one that was optional. A parameter with a `default` is filled in
    /// and does not count, unless it is inside of a union or of unnamed properties, where nothing
    /// is filled in.
    ///
    /// ## Example
    /// ```json
    /// { "required": ["query"] }
    /// { "required": ["query", "namespace"] }
    /// ```
    ///
    /// ## Fix
    /// Leave it optional, or give it a `default` that means what leaving it out meant.
    PARAM_NO_NEW_REQUIRED, "PARAM_NO_NEW_REQUIRED", "param-newly-required", Major
}

pub(in crate::breaking) fn check(pair: &Pair<'_, '_>, found: &mut Vec<SchemaChange>) {
    if !pair.shared().meets(Types::OBJECT) {
        return;
    }
    let needed = pair.sub.required();
    let what = if pair.view.older_is_sub() { "became required" } else { "became optional" };
    for name in pair.sup.required().difference(&needed) {
        if is_filled(pair, name) || is_reported(pair, name) {
            continue;
        }
        let pointer = pointer(pair.newer(), name);
        found.push(SchemaChange::new(&PROMISE, &pair.name.property(name), pointer, what));
    }
}

fn is_filled(pair: &Pair<'_, '_>, name: &str) -> bool {
    let arguments = pair.view.variance == Variance::Arguments;
    arguments && pair.name.filled && pair.sup.property(name).default().is_some()
}

/// A deleted property of the result is reported as that.
fn is_reported(pair: &Pair<'_, '_>, name: &str) -> bool {
    pair.view.variance == Variance::Returns
        && pair.sup.names().contains(name)
        && !pair.sub.names().contains(name)
}

fn pointer(node: &Node<'_>, name: &str) -> String {
    if node.names().contains(name) { node.property_pointer(name) } else { node.pointer("required") }
}
