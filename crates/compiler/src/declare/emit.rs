//! Treats every keyword as the dialect's table says.

use std::collections::BTreeSet;
use std::rc::Rc;

use serde_json::{Map, Value};

use super::dialect::Treatment;
use super::facts::{Facts, Said};
use super::keyword::{self, Shape};
use super::loss::Described;
use super::lower::Lowering;
use super::types::Type;
use super::{describe, merge};
use crate::document::join;

const INVALID: &str = "its value is not one that JSON Schema gives it";
const CONTRADICTED: &str = "another part of the schema says otherwise";
const ANOTHER_TYPE: &str = "it says nothing about values of this type";
const SHUT_OUT: &str = "another part of the schema closes the object to it";
const NOT_TAKEN: &str = "it has no such keyword";

/// A schema in the making.
#[derive(Debug, Default)]
pub(super) struct Emission {
    pub(super) schema: Map<String, Value>,
    /// What the description has to say besides.
    pub(super) sentences: Vec<String>,
}

impl Emission {
    pub(super) fn finish(mut self) -> Value {
        describe::append(&mut self.schema, &self.sentences);
        Value::Object(self.schema)
    }
}

/// The shape of dialects that take a schema as the table leaves it.
pub(super) fn as_emitted<'a>(lowering: &mut Lowering<'a>, facts: &Facts<'a>) -> Value {
    lowering.emit(facts).finish()
}

impl<'a> Lowering<'a> {
    /// Treats every keyword as the table says; what the dialect rewrites is left to its `shape`.
    pub(super) fn emit(&mut self, facts: &Facts<'a>) -> Emission {
        let mut emission = Emission { sentences: facts.remarks.clone(), ..Emission::default() };
        self.active.push(facts.followed.clone());
        for (keyword, said) in facts.iter() {
            match self.dialect.treatment(keyword) {
                Treatment::Keep => self.keep(keyword, facts, &mut emission.schema),
                Treatment::Rewrite => drop(self.fitting(keyword, said)),
                treatment => self.leave_out(treatment, keyword, facts, &mut emission),
            }
        }
        self.active.pop();
        self.emit_limits(facts, &mut emission);
        emission
    }

    /// Reports a keyword that is not kept, and says what it says if it is to be described.
    pub(super) fn leave_out(
        &mut self,
        treatment: Treatment,
        keyword: &str,
        facts: &Facts<'a>,
        emission: &mut Emission,
    ) {
        for said in facts.get(keyword) {
            if treatment == Treatment::Refuse {
                self.losses.refused(&said.at, keyword, NOT_TAKEN);
                continue;
            }
            let sentence = match treatment {
                Treatment::Describe => describe::sentence(keyword, said, facts),
                _ => None,
            };
            let described = if sentence.is_some() { Described::Yes } else { Described::No };
            self.losses.dropped(&said.at, keyword, described);
            emission.sentences.extend(sentence);
        }
    }

    /// What the walk could not follow: schemas that forbid, and recursion.
    fn emit_limits(&mut self, facts: &Facts<'a>, emission: &mut Emission) {
        if let Some(at) = &facts.never {
            self.losses.dropped(at, "false", Described::Yes);
            emission.sentences.push(describe::NEVER.to_owned());
        }
        if let Some(recursion) = &facts.recursion {
            let name = describe::definition(&recursion.target.at);
            self.losses.recursive(&recursion.at, &name);
            emission.sentences.push(describe::same_form(&name));
        }
    }

    /// What is said about values of these types; what says nothing about them is reported.
    pub(super) fn about(&mut self, facts: &Facts<'a>, kinds: &[Type]) -> Facts<'a> {
        let about = facts.clone().about(kinds);
        for (keyword, said) in facts.iter().filter(|(keyword, _)| !about.has(keyword)) {
            for said in said {
                self.losses.dropped_because(&said.at, keyword, ANOTHER_TYPE);
            }
        }
        about
    }

    /// The sayings whose value the keyword may have; the others are reported.
    pub(super) fn fitting(&mut self, keyword: &str, said: &[Said<'a>]) -> Vec<Said<'a>> {
        let (fitting, other): (Vec<_>, Vec<_>) =
            said.iter().cloned().partition(|said| keyword::fits(keyword, said.value));
        for said in other {
            self.losses.refused(&said.at, keyword, INVALID);
        }
        fitting
    }

    fn keep(&mut self, keyword: &str, facts: &Facts<'a>, schema: &mut Map<String, Value>) {
        let value = match facts.get(keyword) {
            [said] if self.takes_as_written() && !keyword::fits(keyword, said.value) => {
                Some(said.value.clone())
            }
            _ => self.carry(keyword, facts),
        };
        if let Some(value) = value {
            self.spend(keyword.len());
            schema.insert(keyword.to_owned(), value);
        }
    }

    /// The value of a keyword for the target, the schemas inside of it lowered.
    pub(super) fn carry(&mut self, keyword: &str, facts: &Facts<'a>) -> Option<Value> {
        let said = self.fitting(keyword, facts.get(keyword));
        let said = said.as_slice();
        let first = said.first()?;
        match keyword::shape(keyword) {
            Shape::Leaf => self.carry_value(keyword, said),
            Shape::Schema => Some(self.carry_schema(keyword, said)),
            Shape::Map => Some(self.carry_map(keyword, facts, said)),
            Shape::List => {
                self.contradicted(keyword, said.iter().skip(1));
                let place = join(&first.at, keyword);
                Some(self.lower_list(&place, first.value.as_array()?))
            }
        }
    }

    fn carry_value(&mut self, keyword: &str, said: &[Said<'a>]) -> Option<Value> {
        let (value, left_out) = merge::combine(keyword, said)?;
        self.contradicted(keyword, left_out.into_iter());
        self.spend(weight(&value));
        Some(value)
    }

    fn carry_schema(&mut self, keyword: &str, said: &[Said<'a>]) -> Value {
        let flags: Option<Vec<_>> = said.iter().map(|said| said.value.as_bool()).collect();
        if let Some(flags) = flags
            && keyword == "additionalProperties"
        {
            return Value::Bool(!flags.contains(&false));
        }
        let place = |said: &Said<'a>| Said::new(join(&said.at, keyword), said.value);
        self.lower(said.iter().map(place).collect())
    }

    pub(super) fn lower_list(&mut self, place: &str, list: &'a [Value]) -> Value {
        let schemas = list.iter().enumerate();
        schemas.map(|(i, v)| self.lower(vec![Said::new(format!("{place}/{i}"), v)])).collect()
    }

    fn carry_map(&mut self, keyword: &str, facts: &Facts<'a>, said: &[Said<'a>]) -> Value {
        let maps = said.iter().filter_map(|said| said.value.as_object());
        let names: BTreeSet<_> = maps.flat_map(Map::keys).collect();
        let required = facts.required();
        let mut lowered = Map::new();
        for name in names {
            let schemas = entries(keyword, name, said);
            let value = match keyword {
                "properties" => self.lower_property(name, &required, facts, schemas),
                "$defs" | "definitions" => Some(self.lower_definition(schemas)),
                _ => Some(self.lower(schemas)),
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
        schemas: Vec<Said<'a>>,
    ) -> Option<Value> {
        let at = facts.property_place(name);
        if !self.takes_as_written() && merge::is_shut_out(facts, name) {
            self.losses.dropped_because(&at, name, SHUT_OUT);
            return None;
        }
        if let Some(names) = self.dialect.names
            && !(names.allows)(name)
        {
            self.losses.bad_name(&at, name, names.expected);
        }
        let was_optional = self.is_optional;
        self.is_optional = was_optional || !required.contains(name);
        let value = self.lower(schemas);
        self.is_optional = was_optional;
        Some(value)
    }

    fn lower_definition(&mut self, schemas: Vec<Said<'a>>) -> Value {
        let definition = schemas.first().map_or_else(|| Rc::from(""), |said| Rc::clone(&said.at));
        let home = std::mem::replace(&mut self.home, definition);
        let was_optional = std::mem::replace(&mut self.is_optional, false);
        self.active.push(BTreeSet::from([Rc::clone(&self.home)]));
        let value = self.lower(schemas);
        self.active.pop();
        self.home = home;
        self.is_optional = was_optional;
        value
    }

    fn contradicted<'s>(&mut self, keyword: &str, said: impl Iterator<Item = &'s Said<'a>>)
    where
        'a: 's,
    {
        for said in said {
            match self.dialect.conflict {
                Treatment::Refuse => self.losses.refused(&said.at, keyword, CONTRADICTED),
                _ => self.losses.dropped_because(&said.at, keyword, CONTRADICTED),
            }
        }
    }
}

/// What every schema says about one entry of a map.
fn entries<'a>(keyword: &str, name: &str, said: &[Said<'a>]) -> Vec<Said<'a>> {
    let entry = |said: &Said<'a>| {
        let place = join(&join(&said.at, keyword), name);
        Some(Said::new(place, said.value.get(name)?))
    };
    said.iter().filter_map(entry).collect()
}

/// How many bytes a value takes, roughly.
fn weight(value: &Value) -> usize {
    match value {
        Value::String(text) => text.len() + 2,
        Value::Array(list) => list.iter().map(|item| weight(item) + 1).sum(),
        Value::Object(map) => map.iter().map(|(key, value)| key.len() + 4 + weight(value)).sum(),
        Value::Null | Value::Bool(_) | Value::Number(_) => 4,
    }
}
