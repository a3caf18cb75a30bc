//! Emits every keyword according to the dialect's table.

use std::borrow::Cow;
use std::collections::BTreeSet;
use std::rc::Rc;

use serde_json::{Map, Value};

use super::dialect::Treatment;
use super::facts::{Facts, LocatedSchema, SchemaKeyword};
use super::keyword::{self, SubschemaKind};
use super::loss::LossDescription;
use super::lower::Lowering;
use super::types::Type;
use super::{describe, merge};
use crate::document::join;

const INVALID: &str = "its value is not one that JSON Schema gives it";
const NOT_TAKEN: &str = "it has no such keyword";
const CONTRADICTED: &str = "another part of the schema says otherwise";
const SHUT_OUT: &str = "another part of the schema closes the object to it";
const PATTERNS_LOST: &str =
    "it would also apply to the names of `patternProperties`, which are left out";
const PREFIX_LOST: &str = "it would also apply to items of a `prefixItems` that is left out";
const ANOTHER_TYPE: &str = "it says nothing about values of this type";

/// A schema being built.
#[derive(Debug, Default)]
pub(super) struct Emission {
    pub(super) schema: Map<String, Value>,
    /// Additional sentences of the description.
    pub(super) sentences: Vec<String>,
}

impl Emission {
    pub(super) fn set(&mut self, keyword: &str, value: impl Into<Value>) {
        self.schema.insert(keyword.to_owned(), value.into());
    }

    /// Adds a sentence to the description, if there is one and it fits.
    pub(super) fn say(&mut self, sentence: Option<String>) -> LossDescription {
        match sentence {
            Some(sentence) if describe::has_room(&self.sentences, &sentence) => {
                self.sentences.push(sentence);
                LossDescription::Yes
            }
            _ => LossDescription::No,
        }
    }

    pub(super) fn finish(mut self) -> Value {
        describe::append(&mut self.schema, &self.sentences);
        Value::Object(self.schema)
    }
}

impl<'a> Lowering<'a> {
    /// Emits every keyword according to the table; the dialect's `shape` handles rewritten ones.
    pub(super) fn emit(&mut self, facts: &Facts<'a>) -> Emission {
        let mut emission = Emission { sentences: facts.remarks.clone(), ..Emission::default() };
        self.active.push(facts.followed.clone());
        for (keyword, said) in facts.iter() {
            match self.dialect.treatment(keyword) {
                Treatment::Keep => {
                    if let Some(value) = self.carry(keyword, facts) {
                        self.spend(keyword.len());
                        emission.set(keyword, value);
                    }
                }
                Treatment::Rewrite => drop(self.fitting(said)),
                treatment => self.leave_out(treatment, said, facts, &mut emission),
            }
        }
        self.active.pop();
        self.emit_limits(facts, &mut emission);
        emission
    }

    /// Reports a keyword that is not kept, and adds its sentence if it is described.
    pub(super) fn leave_out(
        &mut self,
        treatment: Treatment,
        said: &[SchemaKeyword<'a>],
        facts: &Facts<'a>,
        emission: &mut Emission,
    ) {
        for said in said {
            if treatment == Treatment::Refuse {
                self.losses.refused(&said.at, said.keyword, NOT_TAKEN);
                continue;
            }
            let sentence = match treatment {
                Treatment::Describe => describe::sentence(said, facts),
                _ => None,
            };
            self.losses.dropped(&said.at, said.keyword, emission.say(sentence));
        }
    }

    /// Emits the limits of the walk: forbidden values, and recursion.
    fn emit_limits(&mut self, facts: &Facts<'a>, emission: &mut Emission) {
        if let Some(at) = &facts.never {
            self.losses.dropped(at, "false", emission.say(Some(describe::NEVER.to_owned())));
        }
        if let Some(recursion) = &facts.recursion {
            let name = describe::definition(&recursion.target.at);
            self.losses.recursive(&recursion.at, &name);
            emission.say(Some(describe::same_form(&name)));
        }
    }

    /// The keywords that apply to values of these types; the others are reported.
    pub(super) fn about<'f>(&mut self, facts: &'f Facts<'a>, kinds: &[Type]) -> Cow<'f, Facts<'a>> {
        let about = facts.about(kinds);
        if let Cow::Owned(about) = &about {
            for (keyword, said) in facts.iter().filter(|(keyword, _)| !about.has(keyword)) {
                for said in said {
                    self.losses.dropped_because(&said.at, keyword, ANOTHER_TYPE);
                }
            }
        }
        about
    }

    /// The occurrences of a keyword with a valid value; the others are reported.
    pub(super) fn fitting<'s>(
        &mut self,
        said: &'s [SchemaKeyword<'a>],
    ) -> Cow<'s, [SchemaKeyword<'a>]> {
        let fits = |said: &SchemaKeyword<'_>| keyword::fits(said.keyword, said.value);
        if said.iter().all(fits) {
            return Cow::Borrowed(said);
        }
        let (fitting, other): (Vec<_>, Vec<_>) = said.iter().cloned().partition(fits);
        for said in other {
            self.losses.refused(&said.at, said.keyword, INVALID);
        }
        Cow::Owned(fitting)
    }

    /// The value of a keyword for the target, the schemas inside of it lowered.
    pub(super) fn carry(&mut self, keyword: &str, facts: &Facts<'a>) -> Option<Value> {
        let said = self.fitting(facts.get(keyword));
        let said = self.without_exceptions(keyword, facts, said);
        let first = said.first()?;
        match keyword::shape(keyword) {
            SubschemaKind::Leaf => self.carry_value(&said),
            SubschemaKind::Schema => Some(self.carry_schema(&said)),
            SubschemaKind::Map => Some(self.carry_map(keyword, facts, &said)),
            SubschemaKind::List => {
                said.iter().skip(1).for_each(|said| self.contradicted(said));
                let place = join(&first.at, keyword);
                Some(self.lower_list(&place, first.value.as_array()?))
            }
        }
    }

    /// Leaves out a keyword about the other members or items if the keyword that names the
    /// exceptions is not emitted: it would forbid values that the schema allows.
    fn without_exceptions<'s>(
        &mut self,
        keyword: &str,
        facts: &Facts<'a>,
        said: Cow<'s, [SchemaKeyword<'a>]>,
    ) -> Cow<'s, [SchemaKeyword<'a>]> {
        let kept_prefix = facts.get("prefixItems").first().map(|said| Rc::clone(&said.at));
        // If the target refuses the other keyword, nothing is sent.
        let is_kept = |keyword| {
            matches!(self.dialect.treatment(keyword), Treatment::Keep | Treatment::Refuse)
        };
        let (patterns_kept, prefix_kept) = (is_kept("patternProperties"), is_kept("prefixItems"));
        let why = match keyword {
            "additionalProperties" => PATTERNS_LOST,
            "items" => PREFIX_LOST,
            _ => return said,
        };
        let is_whole = |said: &SchemaKeyword<'_>| match keyword {
            "additionalProperties" => {
                patterns_kept || facts.beside("patternProperties", &said.at).is_none()
            }
            _ => {
                facts.beside("prefixItems", &said.at).is_none()
                    || (prefix_kept && kept_prefix.as_ref() == Some(&said.at))
            }
        };
        if said.iter().all(&is_whole) {
            return said;
        }
        let (whole, partial): (Vec<_>, Vec<_>) = said.iter().cloned().partition(is_whole);
        for said in partial {
            self.losses.dropped_because(&said.at, said.keyword, why);
        }
        Cow::Owned(whole)
    }

    fn carry_value(&mut self, said: &[SchemaKeyword<'a>]) -> Option<Value> {
        let (value, left_out) = merge::combine(said)?;
        left_out.into_iter().for_each(|said| self.contradicted(said));
        self.spend(weight(&value));
        Some(value)
    }

    fn carry_schema(&mut self, said: &[SchemaKeyword<'a>]) -> Value {
        let flags = said.iter().map(|said| match said.keyword {
            "additionalProperties" => said.value.as_bool(),
            _ => None,
        });
        if let Some(flags) = flags.collect::<Option<Vec<_>>>() {
            return Value::Bool(!flags.contains(&false));
        }
        let part =
            |said: &SchemaKeyword<'a>| LocatedSchema::new(join(&said.at, said.keyword), said.value);
        self.lower(said.iter().map(part).collect())
    }

    fn lower_list(&mut self, place: &str, list: &'a [Value]) -> Value {
        let schemas = list.iter().enumerate();
        schemas
            .map(|(i, v)| self.lower(vec![LocatedSchema::new(format!("{place}/{i}"), v)]))
            .collect()
    }

    fn carry_map(&mut self, keyword: &str, facts: &Facts<'a>, said: &[SchemaKeyword<'a>]) -> Value {
        let maps = said.iter().filter_map(|said| said.value.as_object());
        let names: BTreeSet<_> = maps.flat_map(Map::keys).collect();
        let required = facts.required();
        let mut lowered = Map::new();
        for name in names {
            let parts = entries(name, said);
            let value = match keyword {
                "properties" => self.lower_property(name, &required, facts, parts),
                "$defs" | "definitions" => Some(self.lower_definition(parts)),
                _ => Some(self.lower(parts)),
            };
            self.spend(name.len());
            lowered.extend(value.map(|value| (name.clone(), value)));
        }
        Value::Object(lowered)
    }

    fn lower_property(
        &mut self,
        name: &str,
        required: &BTreeSet<&str>,
        facts: &Facts<'a>,
        parts: Vec<LocatedSchema<'a>>,
    ) -> Option<Value> {
        if merge::is_shut_out(facts, name) {
            self.losses.dropped_because(&facts.property_place(name), name, SHUT_OUT);
            return None;
        }
        if let Some(names) = self.dialect.names
            && !(names.allows)(name)
        {
            self.losses.bad_name(&facts.property_place(name), name, names.expected);
        }
        let was_optional = self.is_optional;
        self.is_optional = was_optional || !required.contains(name);
        let value = self.lower(parts);
        self.is_optional = was_optional;
        Some(value)
    }

    fn lower_definition(&mut self, parts: Vec<LocatedSchema<'a>>) -> Value {
        let definition = parts.first().map_or_else(|| Rc::from(""), |part| Rc::clone(&part.at));
        let home = std::mem::replace(&mut self.home, definition);
        let was_optional = std::mem::replace(&mut self.is_optional, false);
        self.active.push(BTreeSet::from([Rc::clone(&self.home)]));
        let value = self.lower(parts);
        self.active.pop();
        self.home = home;
        self.is_optional = was_optional;
        value
    }

    fn contradicted(&mut self, said: &SchemaKeyword<'a>) {
        match self.dialect.conflict {
            Treatment::Refuse => self.losses.refused(&said.at, said.keyword, CONTRADICTED),
            _ => self.losses.dropped_because(&said.at, said.keyword, CONTRADICTED),
        }
    }
}

/// The schemas of one entry of a map.
fn entries<'a>(name: &str, said: &[SchemaKeyword<'a>]) -> Vec<LocatedSchema<'a>> {
    let entry = |said: &SchemaKeyword<'a>| {
        let place = join(&join(&said.at, said.keyword), name);
        Some(LocatedSchema::new(place, said.value.get(name)?))
    };
    said.iter().filter_map(entry).collect()
}

/// The approximate size of a value in bytes.
fn weight(value: &Value) -> usize {
    match value {
        Value::String(text) => text.len() + 2,
        Value::Array(list) => list.iter().map(|item| weight(item) + 1).sum(),
        Value::Object(map) => map.iter().map(|(key, value)| key.len() + 4 + weight(value)).sum(),
        Value::Null | Value::Bool(_) | Value::Number(_) => 4,
    }
}
