//! A removed alternative.

use crate::breaking::arguments::{enum_value_no_delete, param_same_type};
use crate::breaking::promise::promise;
use crate::breaking::schema::Node;
use crate::breaking::schema::pair::{Pair, SchemaChange};

promise! {
    /// Every alternative of `anyOf` and `oneOf` stays.
    ///
    /// ## Why
    /// A call that matches only the lost alternative is refused. Alternatives may be added,
    /// reordered, or written in another way that takes the same values.
    ///
    /// ## Example
    /// ```json
    /// { "when": { "anyOf": [{ "type": "string" }, { "type": "integer" }] } }
    /// { "when": { "anyOf": [{ "type": "string" }] } }
    /// ```
    ///
    /// ## Fix
    /// Keep the alternative, and let the handler translate it.
    UNION_NO_NARROW, "UNION_NO_NARROW", "union-narrowed", Major
}

/// The finding that a piece of `sub` fits into no alternative of `sup`.
pub(in crate::breaking) fn lost(pair: &Pair<'_, '_>, of_union: bool) -> SchemaChange {
    let mut found = match pair.sub.only() {
        Some(value) => enum_value_no_delete::lose(pair, "", &[value]),
        None if of_union => gone(pair),
        None => {
            let types = pair.sub.types();
            let what = if pair.view.older_is_sub() {
                format!("can no longer be {types}")
            } else {
                format!("can be {types} as well")
            };
            pair.found(&param_same_type::PROMISE, "", what)
        }
    };
    found.pointer.clone_from(&pair.newer().at);
    found
}

fn gone(pair: &Pair<'_, '_>) -> SchemaChange {
    let what = if pair.view.older_is_sub() { "lost" } else { "gained" };
    let what = format!("{what} the alternative {} ({})", label(pair.sub), pair.sub.types());
    pair.found(&PROMISE, "", what)
}

/// The branch of a piece: its title, or its position.
fn label(piece: &Node<'_>) -> String {
    let branch =
        |pointer: &str| pointer.rsplit('/').nth(1).is_some_and(|list| list.ends_with("Of"));
    let part = piece.parts.iter().find(|part| branch(&part.pointer));
    let title = piece.parts.iter().rev().find_map(|part| part.schema.get("title")?.as_str());
    match (title, part) {
        (Some(title), Some(_)) => format!("{title:?}"),
        (_, Some(part)) => format!("`{}`", part.pointer),
        (_, None) => format!("`{}`", piece.at),
    }
}
