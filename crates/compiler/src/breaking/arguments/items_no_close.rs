//! An array that accepts fewer items.

use crate::breaking::promise::promise;
use crate::breaking::schema::pair::{Pair, SchemaChange};
use crate::breaking::schema::types::Types;

promise! {
    /// A list that accepts items after its `prefixItems` still accepts them.
    ///
    /// ## Why
    /// `"items": false` ends a list after the items that have a schema of their own. A call
    /// that sends one more is refused.
    ///
    /// ## Example
    /// ```json
    /// { "point": { "prefixItems": [{ "type": "number" }, { "type": "number" }] } }
    /// { "point": { "prefixItems": [{ "type": "number" }, { "type": "number" }], "items": false } }
    /// ```
    ///
    /// ## Fix
    /// Leave it open. For the future: close such lists from their first version on.
    ITEMS_NO_CLOSE, "ITEMS_NO_CLOSE", "items-closed", Major
}

pub(in crate::breaking) fn check(pair: &Pair<'_, '_>, found: &mut Vec<SchemaChange>) {
    if !pair.shared().meets(Types::ARRAY) {
        return;
    }
    let told_apart = pair.sub.prefix().max(pair.sup.prefix());
    let closed =
        |index: &usize| pair.sup.item(*index).is_closed() && !pair.sub.item(*index).is_closed();
    if let Some(count) = (0..=told_apart).find(closed) {
        let what = if pair.view.older_is_sub() {
            format!("takes no more than {count} items any more")
        } else {
            format!("takes more than {count} items")
        };
        found.push(pair.found(&PROMISE, "items", what));
    }
}
