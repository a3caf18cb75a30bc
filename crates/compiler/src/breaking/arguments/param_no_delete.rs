//! A deleted parameter.

use crate::breaking::promise::promise;
use crate::breaking::schema::pair::{CompareDirection, Pair, SchemaChange, Variance};
use crate::breaking::schema::types::Types;

promise! {
    /// A parameter is not deleted.
    ///
    /// ## Why
    /// A prompt, a saved call or another tool that sends it is refused from then on, because
    /// `parameters` allows no other properties. A property of a nested object is a parameter too,
    /// even if that object accepts unknown ones: a value sent there is silently ignored. A renamed
    /// parameter is a deleted and an added one.
    ///
    /// ## Example
    /// ```json
    /// { "properties": { "query": { "type": "string" }, "top_k": { "type": "integer" } } }
    /// { "properties": { "query": { "type": "string" } } }
    /// ```
    ///
    /// ## Fix
    /// Keep it, and say in its description that it has no effect any more.
    PARAM_NO_DELETE, "PARAM_NO_DELETE", "param-deleted", Major
}

pub(in crate::breaking) fn check(pair: &Pair<'_, '_>, found: &mut Vec<SchemaChange>) {
    if !pair.shared().meets(Types::OBJECT) {
        return;
    }
    let (from, to) = match pair.view.variance {
        Variance::Arguments => (pair.sub, pair.sup),
        Variance::Returns => (pair.sup, pair.sub),
    };
    let what = match pair.view.look {
        CompareDirection::Breaks => "is deleted",
        CompareDirection::Additions => "is added",
    };
    for name in from.names().difference(to.names()) {
        let pointer = pair.newer().property_pointer(name);
        found.push(SchemaChange::new(&PROMISE, &pair.name.property(name), pointer, what));
    }
}
