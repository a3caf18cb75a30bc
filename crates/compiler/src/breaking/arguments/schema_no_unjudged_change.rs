//! A change that cannot be judged.

use crate::breaking::promise::promise;
use crate::breaking::schema::pair::{CompareDirection, Name, Pair, SchemaChange, View};
use crate::breaking::schema::types::Types;
use crate::breaking::schema::{Node, SchemaRef, Site, same};

promise! {
    /// A schema part that cannot be compared does not change.
    ///
    /// ## Why
    /// Whether `if`, `not`, `contains`, `patternProperties`, `propertyNames`, `dependentRequired`,
    /// `dependentSchemas`, a `oneOf` whose alternatives may overlap or a reference to another
    /// document accepts less than before cannot be decided by comparing the texts. Any change
    /// of them therefore counts as a break. Dropping one is none, except for
    /// `patternProperties`. Next to `unevaluatedProperties` or `unevaluatedItems` together with
    /// `anyOf`, `oneOf`, `if`, `contains` or `dependentSchemas`, any change counts. So does any
    /// change of a schema with a `$dynamicRef` or an `$id` inside, and of one too large or too
    /// deep to compare.
    ///
    /// ## Example
    /// ```json
    /// { "name": { "type": "string", "not": { "const": "root" } } }
    /// { "name": { "type": "string", "not": { "enum": ["root", "admin"] } } }
    /// ```
    ///
    /// ## Fix
    /// Leave it as it was, say it with keywords that can be judged (`enum`, bounds, `anyOf`),
    /// or let the handler check it.
    SCHEMA_NO_UNJUDGED_CHANGE, "SCHEMA_NO_UNJUDGED_CHANGE", "schema-change-unjudged", Major
}

/// Groups of dependent keywords; the first one is required for the others to have an effect.
const GROUPS: &[(&[&str], Types)] = &[
    (&["if", "then", "else"], Types::ALL),
    (&["not"], Types::ALL),
    (&["oneOf"], Types::ALL),
    (&["$ref"], Types::ALL),
    (&["contains", "minContains", "maxContains"], Types::ARRAY),
    (&["patternProperties"], Types::OBJECT),
    (&["propertyNames"], Types::OBJECT),
    (&["dependentRequired"], Types::OBJECT),
    (&["dependentSchemas"], Types::OBJECT),
];

const UNEVALUATED: [(&str, Types); 2] =
    [("unevaluatedProperties", Types::OBJECT), ("unevaluatedItems", Types::ARRAY)];

/// The message about schemas that are not compared.
pub(in crate::breaking) const TOO_LARGE: &str = "is too large to compare";

pub(in crate::breaking) fn check(pair: &Pair<'_, '_>, found: &mut Vec<SchemaChange>) {
    let shared = pair.shared();
    for (group, types) in GROUPS {
        let Some(lead) = group.first().filter(|_| shared.meets(*types)) else { continue };
        let unmet = has_unmet(pair, pair.sub, pair.sup, group);
        if unmet || *lead == "patternProperties" && has_unmet(pair, pair.sup, pair.sub, group) {
            found.push(unjudged(pair, lead));
        }
    }
    for (keyword, types) in UNEVALUATED {
        if shared.meets(types) && has_other_rest(pair, keyword) {
            found.push(unjudged(pair, keyword));
        }
    }
}

/// Whether a change affects `unevaluatedProperties` or `unevaluatedItems`.
fn has_other_rest(pair: &Pair<'_, '_>, keyword: &str) -> bool {
    let (sub, sup) = (pair.sub, pair.sup);
    let depends =
        |node: &Node<'_>| node.keyword(keyword).next().is_some() && !node.is_plain(keyword);
    let same = || {
        sub.parts.len() == sup.parts.len()
            && sub.parts.iter().zip(&sup.parts).all(|(ours, others)| {
                same::schema((sub.root, ours.schema), (sup.root, others.schema))
            })
    };
    (depends(sub) || depends(sup)) && !same()
}

/// Whether `sup` demands something by these keywords that `sub` does not.
fn has_unmet(pair: &Pair<'_, '_>, sub: &Node<'_>, sup: &Node<'_>, group: &[&str]) -> bool {
    let same = |ours: &SchemaRef<'_>, others: &SchemaRef<'_>| {
        group.iter().all(|keyword| {
            let ours = (sub.root, ours.schema.get(keyword));
            same::keyword(keyword, ours, (sup.root, others.schema.get(keyword)))
        })
    };
    let Some(lead) = group.first() else { return false };
    let leading = sup.parts.iter().filter(|part| part.schema.get(lead).is_some());
    leading
        .filter(|part| !sub.parts.iter().any(|ours| same(ours, part)))
        .any(|part| demands(pair, sup, part, lead))
}

/// Whether a keyword has a demand that no other rule checks.
fn demands(pair: &Pair<'_, '_>, node: &Node<'_>, part: &SchemaRef<'_>, keyword: &str) -> bool {
    match keyword {
        "$ref" => {
            let reference = part.schema.get(keyword).and_then(|reference| reference.as_str());
            reference.is_none_or(|reference| node.root.resolve(reference).is_none())
        }
        "oneOf" => pair.overlaps.of(node, part),
        "if" => part.schema.get("then").or_else(|| part.schema.get("else")).is_some(),
        _ => true,
    }
}

fn unjudged(pair: &Pair<'_, '_>, keyword: &str) -> SchemaChange {
    let has = |node: &Node<'_>| node.keyword(keyword).next().is_some();
    let change = match (has(pair.older()), has(pair.newer())) {
        (true, false) => "was dropped",
        (false, true) => "was added",
        _ => "was changed",
    };
    let rest = match pair.view.look {
        CompareDirection::Breaks => ", which cannot be judged",
        CompareDirection::Additions => "",
    };
    let mut found = pair.found(&PROMISE, keyword, "");
    found.what = format!(": `{keyword}` {change}{rest}");
    found
}

/// The finding that a keyword changes the targets of references.
pub(in crate::breaking) fn rescoped(keyword: &str, base: &str) -> SchemaChange {
    let what = format!("changed, and cannot be judged with `{keyword}` inside");
    SchemaChange::new(&PROMISE, &Name::top(), base, what)
}

/// The finding that two schemas are too large, or nested too deep, to compare.
pub(in crate::breaking) fn too_large(
    view: View,
    sub: &Site<'_>,
    sup: &Site<'_>,
    name: &Name,
) -> SchemaChange {
    let newer = if view.older_is_sub() { sup } else { sub };
    SchemaChange::new(&PROMISE, name, &newer.at, TOO_LARGE)
}
