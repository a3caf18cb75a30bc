//! The walk for targets with their own dialect: converts the keywords about a value to the target's
//! schema.
//!
//! The dialect's table gives the treatment of each keyword (`emit`); its `shape` does the rest. The
//! walk ends for every schema: it cuts recursion, and stops at a size and a depth that no provider
//! accepts.

use std::cell::OnceCell;
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use serde_json::{Map, Value, json};

use super::dialect::{Dialect, Refs};
use super::facts::{Facts, LocatedSchema};
use super::loss::{Loss, LossDescription, Losses};
use super::reference::reference;
use super::{describe, types};

/// Maximum approximate bytes of a schema with references inlined.
const SIZE_LIMIT: usize = 512 * 1024;
/// Maximum nesting of schemas.
const DEPTH_LIMIT: usize = 64;
/// The cost of an empty schema, in bytes of the size limit.
const EMPTY_SCHEMA: usize = 16;

const TOO_LARGE: &str = "is larger than 512 KiB";
const TOO_DEEP: &str = "nests deeper than 64 schemas";
pub(super) const NOT_AT_ROOT: &str = "it is allowed inside of a property, not at the root";
const ALONE: &str = "the one branch of an `anyOf`";
const NOT_AN_OBJECT: &str = "the root must be `type: \"object\"`";

/// Makes the target's schema from the facts about a value.
pub(super) type Shape = for<'a> fn(&mut Lowering<'a>, &Facts<'a>) -> Value;

/// The state of one walk.
#[derive(Debug)]
pub(super) struct Lowering<'a> {
    pub(super) dialect: &'static Dialect,
    shape: Shape,
    /// The value of `parameters`.
    pub(super) document: &'a Value,
    pub(super) losses: Losses,
    /// The definitions around the current place.
    pub(super) active: Vec<BTreeSet<Rc<str>>>,
    depth: usize,
    /// The rest of the size limit.
    budget: usize,
    /// The definition whose schema is being built; empty for the root.
    pub(super) home: Rc<str>,
    /// Whether the walk is below a property of `home` that is not required.
    pub(super) is_optional: bool,
    /// The definitions that each one refers to outside of optional properties.
    pub(super) kept: BTreeMap<Rc<str>, BTreeSet<Rc<str>>>,
    /// The schemas with an `$anchor`, looked up once.
    pub(super) anchors: OnceCell<BTreeMap<&'a str, LocatedSchema<'a>>>,
}

/// Lowers the schema of a tool's arguments.
pub(super) fn lower(
    dialect: &'static Dialect,
    shape: Shape,
    parameters: &Value,
) -> (Value, Vec<Loss>) {
    let root: Rc<str> = Rc::from("");
    let mut lowering = Lowering {
        dialect,
        shape,
        document: parameters,
        losses: Losses::new(dialect.title),
        active: vec![BTreeSet::from([Rc::clone(&root)])],
        depth: 0,
        budget: SIZE_LIMIT,
        home: root,
        is_optional: false,
        kept: BTreeMap::new(),
        anchors: OnceCell::new(),
    };
    let value = lowering.root();
    (value, lowering.losses.finish())
}

/// Reports arguments that are not an object, which every target refuses.
pub(super) fn check_root(schema: &Value, losses: &mut Losses) {
    let is_object = |name: &str| name.eq_ignore_ascii_case("object");
    if !schema.get("type").and_then(Value::as_str).is_some_and(is_object) {
        losses.refused("", "type", NOT_AN_OBJECT);
    }
}

impl<'a> Lowering<'a> {
    fn root(&mut self) -> Value {
        let facts = self.gather(vec![LocatedSchema::new("", self.document)]);
        for keyword in self.dialect.refused_at_root {
            for said in facts.get(keyword) {
                self.losses.refused(&said.at, keyword, NOT_AT_ROOT);
            }
        }
        let value = self.shape(&facts);
        check_root(&value, &mut self.losses);
        value
    }

    /// Lowers the schemas that apply to one value.
    pub(super) fn lower(&mut self, parts: Vec<LocatedSchema<'a>>) -> Value {
        if let [part] = parts.as_slice()
            && let Some(target) = self.bare_reference(part.value)
        {
            return self.refer(part, &target);
        }
        let facts = self.gather(parts);
        self.shape(&facts)
    }

    /// Builds the target's schema, within the limits.
    pub(super) fn shape(&mut self, facts: &Facts<'a>) -> Value {
        if !self.has_room() {
            return json!({});
        }
        if let Some(value) = self.refer_back(facts) {
            return value;
        }
        self.depth += 1;
        self.active.push(facts.followed.clone());
        let value = (self.shape)(self, facts);
        self.active.pop();
        self.depth -= 1;
        value
    }

    /// Whether the current schema is that of all arguments.
    pub(super) fn is_at_root(&self) -> bool {
        self.depth == 1
    }

    fn has_room(&mut self) -> bool {
        if self.depth >= DEPTH_LIMIT {
            self.losses.too_large(TOO_DEEP);
            return false;
        }
        self.spend(EMPTY_SCHEMA);
        self.budget > 0
    }

    /// Subtracts bytes from the size limit.
    pub(super) fn spend(&mut self, bytes: usize) {
        if self.budget == 0 {
            return;
        }
        self.budget = self.budget.saturating_sub(bytes);
        if self.budget == 0 {
            self.losses.too_large(TOO_LARGE);
        }
    }

    /// Whether the walk is inside of a definition.
    pub(super) fn is_active(&self, pointer: &str) -> bool {
        self.active.iter().any(|definitions| definitions.contains(pointer))
    }

    /// A `$ref` that is kept, unless it closes a cycle that the target refuses.
    fn refer(&mut self, part: &LocatedSchema<'a>, target: &LocatedSchema<'a>) -> Value {
        if self.closes_cycle(&target.at) {
            let name = describe::definition(&target.at);
            self.losses.recursive(&part.at, &name);
            let mut cut = json!({ "description": describe::same_form(&name) });
            let types = types::of_schema(target.value);
            if !types.is_empty() {
                cut["type"] = types::keyword(&types);
            }
            return cut;
        }
        for keyword in part.value.as_object().into_iter().flat_map(Map::keys) {
            if keyword != "$ref" {
                self.losses.dropped(&part.at, keyword, LossDescription::No);
            }
        }
        json!({ "$ref": reference(&target.at) })
    }

    /// A recursive `$ref`, separated from the annotations beside it.
    fn refer_back(&mut self, facts: &Facts<'a>) -> Option<Value> {
        let recursion = facts.recursion.as_ref()?;
        let keeps = matches!(self.dialect.refs, Refs::Bare(_));
        if !keeps || !facts.only_annotates() || !self.is_definition(&recursion.target.at) {
            return None;
        }
        let mut annotations = facts.clone();
        annotations.recursion = None;
        let mut emission = self.emit(&annotations);
        self.losses.rewritten(&recursion.at, "$ref", ALONE);
        let part = LocatedSchema { at: Rc::clone(&recursion.at), value: &Value::Null };
        let branch = self.refer(&part, &recursion.target);
        emission.set("anyOf", vec![branch]);
        Some(emission.finish())
    }
}
