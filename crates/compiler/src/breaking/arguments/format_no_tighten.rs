//! A format that was added or changed.

use crate::breaking::promise::promise;
use crate::breaking::schema::pair::{Pair, SchemaChange, say};
use crate::breaking::schema::types::Types;

promise! {
    /// Texts that were valid stay valid: no `format` is added or changed.
    ///
    /// ## Why
    /// Formats are checked before the handler runs. A text that was accepted before is refused once
    /// it has to be a `date` or a `uri`. Dropping a format is no break.
    ///
    /// ## Example
    /// ```json
    /// { "since": { "type": "string" } }
    /// { "since": { "type": "string", "format": "date-time" } }
    /// ```
    ///
    /// ## Fix
    /// Leave the format out, say in the description which one is wanted, and let the handler
    /// read both.
    FORMAT_NO_TIGHTEN, "FORMAT_NO_TIGHTEN", "format-tightened", Major
}

pub(in crate::breaking) fn check(pair: &Pair<'_, '_>, found: &mut Vec<SchemaChange>) {
    if !pair.shared().meets(Types::STRING) || pair.excused("format") {
        return;
    }
    let is_new = |format: &_| !pair.sub.keyword("format").any(|other| other == *format);
    if let Some(format) = pair.sup.keyword("format").find(is_new) {
        let sub = say("format", pair.sub.keyword("format").next());
        found.push(pair.became(&PROMISE, "format", &sub, &say("format", Some(format))));
    }
}
