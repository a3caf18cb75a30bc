//! Follows `$ref` and `allOf` and collects all keywords about a value.

use std::collections::BTreeMap;
use std::rc::Rc;

use serde_json::{Map, Value};

use super::dialect::{Cycles, Refs};
use super::facts::{Facts, LocatedSchema, Recursion, SchemaKeyword};
use super::lower::Lowering;
use super::reference::percent_decoded;
use crate::document::join;

const WRITTEN_OUT: &str = "the schema itself";
const IN_PLACE: &str = "schemas written out where they are used";
const MERGED: &str = "one schema";
const NOT_HERE: &str = "it leads to nothing in this schema";
const NOT_A_SCHEMA: &str = "expected a schema, an object or a boolean";

/// The cost of following one `$ref`, in bytes of the size limit.
const STEP: usize = 32;

impl<'a> Lowering<'a> {
    /// Collects the keywords about one value, with `$ref` and `allOf` followed.
    pub(super) fn gather(&mut self, parts: Vec<LocatedSchema<'a>>) -> Facts<'a> {
        let at = parts.first().map_or_else(|| Rc::from(""), |part| Rc::clone(&part.at));
        let mut facts = Facts::new(at);
        let mut waiting: Vec<_> = parts.into_iter().rev().collect();
        while let Some(part) = waiting.pop() {
            match part.value {
                Value::Object(schema) => self.take(&part.at, schema, &mut facts, &mut waiting),
                Value::Bool(true) => {}
                Value::Bool(false) => facts.never = Some(part.at),
                _ => self.not_a_schema(&part.at),
            }
        }
        facts
    }

    fn take(
        &mut self,
        at: &Rc<str>,
        schema: &'a Map<String, Value>,
        facts: &mut Facts<'a>,
        waiting: &mut Vec<LocatedSchema<'a>>,
    ) {
        for (keyword, value) in schema {
            match (keyword.as_str(), value) {
                ("allOf", Value::Array(parts)) => {
                    self.losses.rewritten(at, "allOf", MERGED);
                    let place = join(at, "allOf");
                    let parts = parts.iter().enumerate();
                    waiting.extend(
                        parts.rev().map(|(i, v)| LocatedSchema::new(format!("{place}/{i}"), v)),
                    );
                }
                ("$ref", Value::String(_)) => {}
                ("$defs" | "definitions", _) if self.dialect.refs == Refs::WrittenOut => {
                    self.losses.rewritten(at, keyword, IN_PLACE);
                }
                _ => facts.add(SchemaKeyword { keyword, at: Rc::clone(at), value }),
            }
        }
        if let Some(Value::String(reference)) = schema.get("$ref") {
            waiting.extend(self.follow(at, reference, facts));
        }
    }

    /// The target of a `$ref`, unless it was followed already.
    fn follow(
        &mut self,
        at: &Rc<str>,
        reference: &str,
        facts: &mut Facts<'a>,
    ) -> Option<LocatedSchema<'a>> {
        self.spend(STEP);
        let Some(target) = self.resolve(reference) else {
            self.losses.refused(at, "$ref", NOT_HERE);
            return None;
        };
        if self.is_active(&target.at) {
            facts.recursion = Some(Recursion { at: Rc::clone(at), target });
            return None;
        }
        self.losses.rewritten(at, "$ref", WRITTEN_OUT);
        facts.followed.insert(Rc::clone(&target.at)).then_some(target)
    }

    /// The definition of a schema that consists only of a `$ref`, if the target supports that.
    pub(super) fn bare_reference(&self, schema: &Value) -> Option<LocatedSchema<'a>> {
        let Refs::Bare(_) = self.dialect.refs else { return None };
        let schema = schema.as_object()?;
        let reference = schema.get("$ref")?.as_str()?;
        if !schema.keys().all(|keyword| keyword.starts_with('$')) {
            return None;
        }
        let target = self.resolve(reference)?;
        self.is_definition(&target.at).then_some(target)
    }

    /// Whether a kept `$ref` may lead to that pointer.
    pub(super) fn is_definition(&self, pointer: &str) -> bool {
        let own = |name: &str| self.document.get("$defs").is_some_and(|d| d.get(name).is_some());
        match (pointer.strip_prefix("/$defs/"), pointer.strip_prefix("/definitions/")) {
            (Some(name), _) => !name.contains('/'),
            (_, Some(name)) => !name.contains('/') && !own(name),
            _ => pointer.is_empty(),
        }
    }

    /// Whether a `$ref` kept here would lead back here through required properties only, which the
    /// target refuses. Records the `$ref` otherwise.
    pub(super) fn closes_cycle(&mut self, target: &Rc<str>) -> bool {
        if self.dialect.refs != Refs::Bare(Cycles::OptionalOnly) || self.is_optional {
            return false;
        }
        let mut reached = vec![Rc::clone(target)];
        let mut next = 0;
        while let Some(definition) = reached.get(next).cloned() {
            if definition == self.home {
                return true;
            }
            self.spend(STEP);
            for further in self.kept.get(&definition).into_iter().flatten() {
                if !reached.contains(further) {
                    reached.push(Rc::clone(further));
                }
            }
            next += 1;
        }
        self.kept.entry(Rc::clone(&self.home)).or_default().insert(Rc::clone(target));
        false
    }

    /// Moves `definitions` to `$defs`, the target of kept `$ref`s.
    pub(super) fn move_definitions(&mut self, facts: &Facts<'a>, schema: &mut Map<String, Value>) {
        let Some(Value::Object(moved)) = self.carry("definitions", facts) else { return };
        for said in facts.get("definitions") {
            self.losses.rewritten(&said.at, "definitions", "`$defs`");
        }
        let definitions = schema.entry("$defs").or_insert_with(|| Value::Object(Map::new()));
        for (name, definition) in moved {
            if let Value::Object(definitions) = definitions {
                definitions.entry(name).or_insert(definition);
            }
        }
    }

    /// The schema that a reference leads to inside of the document.
    fn resolve(&self, reference: &str) -> Option<LocatedSchema<'a>> {
        let base = self.document.get("$id").and_then(Value::as_str).unwrap_or_default();
        let local = reference.strip_prefix(base).unwrap_or(reference);
        let fragment = percent_decoded(local.strip_prefix('#')?)?;
        if fragment.is_empty() || fragment.starts_with('/') {
            let value = self.document.pointer(&fragment)?;
            return Some(LocatedSchema::new(fragment, value));
        }
        self.anchors.get_or_init(|| anchors(self.document)).get(&*fragment).cloned()
    }

    fn not_a_schema(&mut self, at: &str) {
        let (parent, step) = at.rsplit_once('/').unwrap_or_default();
        self.losses.refused(parent, &step.replace("~1", "/").replace("~0", "~"), NOT_A_SCHEMA);
    }
}

/// The schemas with an `$anchor`, by its name.
fn anchors(document: &Value) -> BTreeMap<&str, LocatedSchema<'_>> {
    let mut anchors = BTreeMap::new();
    let mut waiting = vec![LocatedSchema::new("", document)];
    while let Some(part) = waiting.pop() {
        match part.value {
            Value::Object(map) => {
                waiting
                    .extend(map.iter().map(|(key, v)| LocatedSchema::new(join(&part.at, key), v)));
                if let Some(Value::String(name)) = map.get("$anchor") {
                    anchors.insert(name.as_str(), part);
                }
            }
            Value::Array(list) => {
                let items = list.iter().enumerate();
                waiting
                    .extend(items.map(|(i, v)| LocatedSchema::new(format!("{}/{i}", part.at), v)));
            }
            _ => {}
        }
    }
    anchors
}
