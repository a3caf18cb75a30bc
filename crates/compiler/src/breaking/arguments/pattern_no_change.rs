//! A pattern that was added or changed.

use crate::breaking::promise::promise;
use crate::breaking::schema::pair::{Pair, SchemaChange, say};
use crate::breaking::schema::types::Types;

promise! {
    /// Texts that were valid stay valid: no `pattern` is added or changed.
    ///
    /// ## Why
    /// Whether one regular expression takes everything that another one took cannot be
    /// decided in general, so every other pattern counts as a tighter one. Dropping a pattern
    /// is no break.
    ///
    /// ## Example
    /// ```json
    /// { "id": { "type": "string", "pattern": "^[a-z]+:" } }
    /// { "id": { "type": "string", "pattern": "^[a-z]+:[0-9]+$" } }
    /// ```
    ///
    /// ## Fix
    /// Keep the pattern, and let the handler refuse unsuitable values.
    PATTERN_NO_CHANGE, "PATTERN_NO_CHANGE", "pattern-changed", Major
}

pub(in crate::breaking) fn check(pair: &Pair<'_, '_>, found: &mut Vec<SchemaChange>) {
    if !pair.shared().meets(Types::STRING) || pair.excused("pattern") {
        return;
    }
    let is_new = |pattern: &_| !pair.sub.keyword("pattern").any(|other| other == *pattern);
    if let Some(pattern) = pair.sup.keyword("pattern").find(is_new) {
        let sub = say("pattern", pair.sub.keyword("pattern").next());
        found.push(pair.became(&PROMISE, "pattern", &sub, &say("pattern", Some(pattern))));
    }
}
