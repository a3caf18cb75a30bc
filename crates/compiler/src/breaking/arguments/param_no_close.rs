//! An object that accepts fewer properties.

use crate::breaking::promise::promise;
use crate::breaking::schema::pair::{Pair, SchemaChange, Variance};
use crate::breaking::schema::types::Types;

promise! {
    /// An object that accepts properties it does not name still accepts them.
    ///
    /// ## Why
    /// Without `additionalProperties`, or with `true`, callers may send any further
    /// properties. With `false` every such call is refused. A property whose schema is `false` is
    /// refused in the same way.
    ///
    /// ## Example
    /// ```json
    /// { "filters": { "type": "object" } }
    /// { "filters": { "type": "object", "additionalProperties": false } }
    /// ```
    ///
    /// ## Fix
    /// Leave it open. For the future: close nested objects from their first version on.
    PARAM_NO_CLOSE, "PARAM_NO_CLOSE", "param-closed", Major
}

/// Results are not checked: readers are expected to ignore unknown properties.
pub(in crate::breaking) fn check(pair: &Pair<'_, '_>, found: &mut Vec<SchemaChange>) {
    let arguments = pair.view.variance == Variance::Arguments;
    if !arguments || !pair.shared().meets(Types::OBJECT) {
        return;
    }
    if pair.sup.unlisted().is_closed() && !pair.sub.unlisted().is_closed() {
        let what = if pair.view.older_is_sub() {
            "takes no other properties any more"
        } else {
            "takes other properties as well"
        };
        found.push(SchemaChange::new(&PROMISE, pair.name, pair.newer().unlisted().at, what));
    }
    let what = if pair.view.older_is_sub() { "is not taken any more" } else { "is taken as well" };
    let named = pair.sub.names();
    for name in pair.sup.forbidden().difference(named) {
        if !pair.sub.property(name).is_closed() {
            let pointer = pair.newer().property_pointer(name);
            found.push(SchemaChange::new(&PROMISE, &pair.name.property(name), pointer, what));
        }
    }
}
