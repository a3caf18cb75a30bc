//! Alternatives and `null` in Gemini's protobuf schema.
//!
//! `null` becomes `nullable`. Other alternatives of `anyOf`, `oneOf` and a list of types become an
//! `anyOf` without siblings: each branch repeats the keywords beside it.

use serde_json::Value;

use super::super::describe;
use super::super::emit::Emission;
use super::super::facts::{Facts, LocatedSchema, SchemaKeyword};
use super::super::loss::LossDescription;
use super::super::lower::Lowering;
use super::super::types::{self, Type};
use super::any::any_value;
use super::typed::typed;
use crate::document::join;

const NULLABLE: &str = "`nullable`";
const ANY_OF: &str = "`anyOf`";
const PLAIN_TYPES: &str = "an `anyOf` of all types";
const REPEATED: &str = "an `anyOf` whose branches repeat the keywords beside it";
const ONLY_BRANCH: &str = "the one branch that is left";
const IMPOSSIBLE: &str = "no branch agrees with the keywords beside it";

/// The result of resolving a schema's alternatives.
enum Choice<'a> {
    /// No alternatives are left.
    One(Facts<'a>),
    /// Several branches, and the keywords common to them.
    Many { common: Facts<'a>, branches: Vec<Facts<'a>>, from: SchemaKeyword<'a> },
}

pub(super) fn shape<'a>(lowering: &mut Lowering<'a>, facts: &Facts<'a>) -> Value {
    let mut takes_null = false;
    let mut emission = if facts.has("anyOf") || facts.has("oneOf") {
        match choose(lowering, facts.clone(), &mut takes_null) {
            Choice::One(facts) => one(lowering, &facts, &mut takes_null),
            Choice::Many { common, branches, from } => many(lowering, common, branches, &from),
        }
    } else {
        one(lowering, facts, &mut takes_null)
    };
    if takes_null {
        emission.set("nullable", true);
    }
    emission.finish()
}

/// Resolves the alternatives one after the other.
fn choose<'a>(
    lowering: &mut Lowering<'a>,
    mut facts: Facts<'a>,
    takes_null: &mut bool,
) -> Choice<'a> {
    while let Some(from) = take_alternatives(lowering, &mut facts) {
        let mut branches = branches(lowering, &facts, &from);
        let count = branches.len();
        if count > 1 && branches.iter().any(is_null) {
            lowering.losses.rewritten(&from.at, from.keyword, NULLABLE);
            branches.retain(|branch| !is_null(branch));
            *takes_null = true;
        }
        match branches.pop() {
            None => lowering.losses.dropped_because(&from.at, from.keyword, IMPOSSIBLE),
            Some(branch) if branches.is_empty() => {
                if count == 1 {
                    lowering.losses.rewritten(&from.at, from.keyword, ONLY_BRANCH);
                }
                facts = facts.join(branch);
            }
            Some(branch) => {
                branches.push(branch);
                return Choice::Many { common: facts, branches, from };
            }
        }
    }
    Choice::One(facts)
}

/// The first alternatives that can be expressed; the others go into the description.
fn take_alternatives<'a>(
    lowering: &mut Lowering<'a>,
    facts: &mut Facts<'a>,
) -> Option<SchemaKeyword<'a>> {
    let mut first = None;
    let all = [facts.remove("anyOf"), facts.remove("oneOf")].concat();
    for said in lowering.fitting(&all).iter() {
        let is_prose = lowering.is_at_root() || describe::required_only(said.value).is_some();
        if first.is_none() && !is_prose {
            first = Some(said.clone());
            continue;
        }
        let sentence = describe::sentence(said, facts);
        let described = if sentence.is_some() { LossDescription::Yes } else { LossDescription::No };
        lowering.losses.dropped(&said.at, said.keyword, described);
        facts.remarks.extend(sentence);
    }
    first
}

/// The branches that are compatible with the keywords beside them.
fn branches<'a>(
    lowering: &mut Lowering<'a>,
    facts: &Facts<'a>,
    from: &SchemaKeyword<'a>,
) -> Vec<Facts<'a>> {
    let place = join(&from.at, from.keyword);
    let common = facts.types();
    lowering.active.push(facts.followed.clone());
    let list = from.value.as_array().into_iter().flatten().enumerate();
    let mut branches: Vec<_> = list
        .map(|(i, v)| lowering.gather(vec![LocatedSchema::new(format!("{place}/{i}"), v)]))
        .collect();
    lowering.active.pop();
    branches.retain(|branch| agree(common.as_deref(), branch.types().as_deref()));
    branches
}

fn agree(a: Option<&[Type]>, b: Option<&[Type]>) -> bool {
    match (a, b) {
        (Some(a), Some(b)) => !types::intersect(a, b).is_empty(),
        _ => true,
    }
}

fn is_null(branch: &Facts<'_>) -> bool {
    let values = branch.values();
    branch.types().is_some_and(|types| types == [Type::Null])
        || values.is_some_and(|values| values.iter().all(|value| value.is_null()))
}

fn many<'a>(
    lowering: &mut Lowering<'a>,
    common: Facts<'a>,
    branches: Vec<Facts<'a>>,
    from: &SchemaKeyword<'a>,
) -> Emission {
    let (annotations, constraints) = common.split();
    if !constraints.only_annotates() {
        lowering.losses.rewritten(&from.at, from.keyword, REPEATED);
    } else if from.keyword == "oneOf" {
        lowering.losses.rewritten(&from.at, from.keyword, ANY_OF);
    }
    let mut emission = lowering.emit(&annotations);
    let repeat = |branch| lowering.shape(&constraints.clone().join(branch));
    let branches: Vec<_> = branches.into_iter().map(repeat).collect();
    emission.set("anyOf", branches);
    emission
}

/// The schema of a value without alternatives.
fn one<'a>(lowering: &mut Lowering<'a>, facts: &Facts<'a>, takes_null: &mut bool) -> Emission {
    let mut kinds = types_of(lowering, facts);
    if kinds.len() > 1 && kinds.contains(&Type::Null) {
        kinds.retain(|kind| *kind != Type::Null);
        *takes_null |= facts.values().is_none_or(|values| values.contains(&&Value::Null));
        for said in facts.get("type").iter().filter(|said| said.value.is_array()) {
            lowering.losses.rewritten(&said.at, "type", NULLABLE);
        }
    }
    if kinds.is_empty() {
        *takes_null |= facts.never.is_none();
        return any(lowering, facts);
    }
    let facts = lowering.about(facts, &kinds);
    match kinds.as_slice() {
        [kind] => typed(lowering, &facts, *kind),
        kinds => each_type(lowering, facts.into_owned(), kinds),
    }
}

/// The types of a value: declared, or implied by other keywords.
fn types_of<'a>(lowering: &mut Lowering<'a>, facts: &Facts<'a>) -> Vec<Type> {
    let named = lowering.carry("type", facts).and_then(|value| types::parse(&value));
    let Some(kinds) = named else {
        let implied = facts.implied_types();
        if !implied.is_empty() && facts.recursion.is_none() {
            lowering.losses.supplied(&facts.at, "type", &types::shown(&implied));
        }
        return implied;
    };
    let Some(values) = facts.values() else { return kinds };
    let possible = |kind: &Type| values.iter().any(|value| kind.admits(value));
    let possible: Vec<_> = kinds.iter().copied().filter(possible).collect();
    if possible.is_empty() { kinds } else { possible }
}

fn any<'a>(lowering: &mut Lowering<'a>, facts: &Facts<'a>) -> Emission {
    lowering.losses.supplied(&facts.at, "type", PLAIN_TYPES);
    let mut emission = lowering.emit(facts);
    emission.set("anyOf", any_value());
    emission
}

fn each_type<'a>(lowering: &mut Lowering<'a>, facts: Facts<'a>, kinds: &[Type]) -> Emission {
    for said in facts.get("type") {
        lowering.losses.rewritten(&said.at, "type", ANY_OF);
    }
    let (annotations, constraints) = facts.split();
    let mut emission = lowering.emit(&annotations);
    let branch = |kind: &Type| typed(lowering, &constraints, *kind).finish();
    let branches: Vec<_> = kinds.iter().map(branch).collect();
    emission.set("anyOf", branches);
    emission
}
