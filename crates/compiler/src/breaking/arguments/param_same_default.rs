//! A changed default, which changes the meaning of the same call.

use crate::breaking::promise::promise;
use crate::breaking::schema::Site;
use crate::breaking::schema::pair::{CompareDirection, Name, SchemaChange, Variance, View, say};

promise! {
    /// A default does not change.
    ///
    /// ## Why
    /// A missing argument is filled in from its `default`. With another one, the same call
    /// does something else, without any error. A `default` where
    /// there was none is no break, nor is any change inside of a union or of unnamed
    /// properties, where nothing is filled in.
    ///
    /// ## Example
    /// ```json
    /// { "notify": { "type": "boolean", "default": false } }
    /// { "notify": { "type": "boolean", "default": true } }
    /// ```
    ///
    /// ## Fix
    /// Keep the default. Callers can still send the other value.
    PARAM_SAME_DEFAULT, "PARAM_SAME_DEFAULT", "param-default-changed", Major
}

pub(in crate::breaking) fn check(
    view: View,
    older: &Site<'_>,
    newer: &Site<'_>,
    name: &Name,
) -> Option<SchemaChange> {
    if view.variance != Variance::Arguments || view.look != CompareDirection::Breaks || !name.filled
    {
        return None;
    }
    let (before, after) = (older.default()?, newer.default());
    let filled = after.as_ref().map(|after| after.schema);
    if filled == Some(before.schema) {
        return None;
    }
    let what =
        format!("had {}, has {}", say("default", Some(before.schema)), say("default", filled));
    let pointer = after.map_or_else(|| newer.at.clone(), |after| after.pointer);
    Some(SchemaChange::new(&PROMISE, name, pointer, what))
}
