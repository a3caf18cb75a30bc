//! An enum value that was removed.

use std::collections::HashSet;

use aileron_contract::canonical;
use serde_json::Value;

use crate::breaking::promise::promise;
use crate::breaking::schema::pair::{Pair, SchemaChange, show};
use crate::breaking::schema::types::Types;

promise! {
    /// A value that could be chosen can be chosen still.
    ///
    /// ## Why
    /// A call that sends a value which `enum` or `const` does not list any more is refused. An
    /// `enum` where there was none forbids every other value.
    ///
    /// ## Example
    /// ```json
    /// { "order": { "enum": ["newest", "oldest", "best"] } }
    /// { "order": { "enum": ["newest", "best"] } }
    /// ```
    ///
    /// ## Fix
    /// Keep the value, and treat it as the one that took its place.
    ENUM_VALUE_NO_DELETE, "ENUM_VALUE_NO_DELETE", "enum-value-deleted", Major
}

/// The most values that a message lists.
const LISTED: usize = 5;

pub(in crate::breaking) fn check(pair: &Pair<'_, '_>, found: &mut Vec<SchemaChange>) {
    let listed = pair.sup.lists().next().is_some();
    let Some(keyword) = keyword(pair).filter(|_| listed) else { return };
    let Some(values) = values(pair) else {
        let shared = pair.shared();
        let allowed = pair.sup.values().unwrap_or_default();
        let (sub, sup) = (format!("any {shared}"), format!("only {}", list(allowed)));
        return found.push(pair.became(&PROMISE, keyword, &sub, &sup));
    };
    let lost = missing(values, pair.sup.lists());
    if !lost.is_empty() {
        found.push(lose(pair, keyword, &lost));
    }
}

/// The values that some list lacks.
fn missing<'a, 'b>(
    values: Vec<&'a Value>,
    lists: impl Iterator<Item = &'b [Value]>,
) -> Vec<&'a Value> {
    let texts =
        |list: &[Value]| -> HashSet<String> { list.iter().map(canonical::to_string).collect() };
    let lists: Vec<_> = lists.map(texts).collect();
    let listed = |value: &&Value| {
        let text = canonical::to_string(value);
        lists.iter().all(|list| list.contains(&text))
    };
    values.into_iter().filter(|value| !listed(value)).collect()
}

/// The finding that values which `sub` lists do not fit into `sup`.
pub(in crate::breaking) fn lose(
    pair: &Pair<'_, '_>,
    keyword: &str,
    lost: &[&Value],
) -> SchemaChange {
    let values = list(lost);
    let what = if pair.view.older_is_sub() {
        format!("can no longer be {values}")
    } else {
        format!("can be {values} as well")
    };
    pair.found(&PROMISE, keyword, what)
}

/// The keyword by which `sup` lists its values.
fn keyword(pair: &Pair<'_, '_>) -> Option<&'static str> {
    ["enum", "const"].into_iter().find(|keyword| pair.sup.keyword(keyword).next().is_some())
}

/// The values of `sub` whose types `sup` takes, where they can be listed.
fn values<'a>(pair: &Pair<'_, 'a>) -> Option<Vec<&'a Value>> {
    let shared = pair.shared();
    let listed = pair.sub.values().map(<[_]>::to_vec).or_else(|| few(shared));
    let taken = |value: &&Value| Types::of_value(value).within(shared);
    listed.map(|values| values.into_iter().filter(taken).collect())
}

/// All values of types that have only a few.
fn few(types: Types) -> Option<Vec<&'static Value>> {
    static FEW: [Value; 3] = [Value::Null, Value::Bool(false), Value::Bool(true)];
    types.within(Types::NULL.or(Types::BOOLEAN)).then(|| FEW.iter().collect())
}

fn list(values: &[&Value]) -> String {
    let mut shown: Vec<_> = values.iter().take(LISTED).map(|value| show(value)).collect();
    if values.len() > LISTED {
        shown.push(format!("{} more", values.len() - LISTED));
    }
    shown.join(", ")
}
