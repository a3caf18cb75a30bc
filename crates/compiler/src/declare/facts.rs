//! What is said about one value, by however many schemas apply to it.
//!
//! `$ref`, its siblings and the parts of an `allOf` all say something about
//! the same value. Instead of merging their JSON, the walk collects who says
//! what and where, so that every loss is reported at the place it was written.

use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use serde_json::Value;

use super::keyword::{constrains, is_annotation};
use super::types::{self, Type};
use crate::document::join;

/// A value and the schema it was said in.
#[derive(Debug, Clone)]
pub(super) struct Said<'a> {
    /// JSON Pointer of that schema below `parameters`.
    pub(super) at: Rc<str>,
    pub(super) value: &'a Value,
}

impl<'a> Said<'a> {
    pub(super) fn new(at: impl Into<Rc<str>>, value: &'a Value) -> Self {
        Self { at: at.into(), value }
    }
}

/// A `$ref` that leads back to a schema which holds it.
#[derive(Debug, Clone)]
pub(super) struct Recursion<'a> {
    /// Where the `$ref` stands.
    pub(super) at: Rc<str>,
    pub(super) target: Said<'a>,
}

/// Everything said about one value, by keyword.
#[derive(Debug, Clone)]
pub(super) struct Facts<'a> {
    /// Where the value's schema stands.
    pub(super) at: Rc<str>,
    said: BTreeMap<&'a str, Vec<Said<'a>>>,
    /// The definitions that were written out to learn this.
    pub(super) followed: BTreeSet<Rc<str>>,
    /// What could not be written out because it holds this value.
    pub(super) recursion: Option<Recursion<'a>>,
    /// Where a schema `false` says that there is no such value.
    pub(super) never: Option<Rc<str>>,
    /// Sentences that stand for what was taken out.
    pub(super) remarks: Vec<String>,
}

impl<'a> Facts<'a> {
    pub(super) fn new(at: Rc<str>) -> Self {
        Self {
            at,
            said: BTreeMap::new(),
            followed: BTreeSet::new(),
            recursion: None,
            never: None,
            remarks: Vec::new(),
        }
    }

    pub(super) fn add(&mut self, keyword: &'a str, said: Said<'a>) {
        self.said.entry(keyword).or_default().push(said);
    }

    pub(super) fn iter(&self) -> impl Iterator<Item = (&'a str, &[Said<'a>])> {
        self.said.iter().map(|(keyword, said)| (*keyword, said.as_slice()))
    }

    /// Every saying of that keyword.
    pub(super) fn get(&self, keyword: &str) -> &[Said<'a>] {
        self.said.get(keyword).map_or(&[], Vec::as_slice)
    }

    pub(super) fn has(&self, keyword: &str) -> bool {
        self.said.contains_key(keyword)
    }

    pub(super) fn remove(&mut self, keyword: &str) -> Vec<Said<'a>> {
        self.said.remove(keyword).unwrap_or_default()
    }

    /// What that keyword says in the same schema as another saying.
    pub(super) fn beside(&self, keyword: &str, at: &str) -> Option<&'a Value> {
        self.get(keyword).iter().find(|said| &*said.at == at).map(|said| said.value)
    }

    /// Whether it constrains nothing.
    pub(super) fn only_annotates(&self) -> bool {
        self.never.is_none() && self.said.keys().all(|keyword| is_annotation(keyword))
    }

    /// What tells, apart from what constrains.
    pub(super) fn split(mut self) -> (Self, Self) {
        let mut constraints = Self::new(Rc::clone(&self.at));
        (self.said, constraints.said) =
            self.said.into_iter().partition(|(keyword, _)| is_annotation(keyword));
        constraints.followed = self.followed.clone();
        constraints.recursion = self.recursion.take();
        constraints.never = self.never.take();
        (self, constraints)
    }

    /// Without what says nothing about values of these types.
    pub(super) fn about(mut self, kinds: &[Type]) -> Self {
        let concerns = |kind: Type| kinds.iter().any(|other| kind == other.family());
        self.said.retain(|keyword, _| constrains(keyword).is_none_or(concerns));
        self
    }

    /// What two schemas say about the same value; this one's words come first.
    pub(super) fn join(mut self, other: Self) -> Self {
        for (keyword, said) in other.said {
            self.said.entry(keyword).or_default().extend(said);
        }
        self.followed.extend(other.followed);
        self.recursion = self.recursion.or(other.recursion);
        self.never = self.never.or(other.never);
        self.remarks.extend(other.remarks);
        self
    }

    /// The types the value may have; `None` when nobody says, empty when none remains.
    pub(super) fn types(&self) -> Option<Vec<Type>> {
        let said = self.get("type").iter().filter_map(|said| types::parse(said.value));
        said.reduce(|a, b| types::intersect(&a, &b))
    }

    /// The values that `enum` and `const` leave; `None` when neither is said.
    pub(super) fn values(&self) -> Option<Vec<&'a Value>> {
        let lists = self.get("enum").iter().filter_map(|said| said.value.as_array());
        let lists = lists.map(|values| values.iter().collect::<Vec<_>>());
        let one = self.get("const").iter().map(|said| vec![said.value]);
        lists.chain(one).reduce(|a, b| a.into_iter().filter(|value| b.contains(value)).collect())
    }

    /// The names that must be there.
    pub(super) fn required(&self) -> BTreeSet<&'a str> {
        let lists = self.get("required").iter().filter_map(|said| said.value.as_array());
        lists.flatten().filter_map(Value::as_str).collect()
    }

    /// Where the first schema that has a property lists its properties.
    pub(super) fn property_place(&self, name: &str) -> String {
        let has = |said: &&Said<'_>| said.value.get(name).is_some();
        let said = self.get("properties").iter().find(has);
        join(said.map_or(&self.at, |said| &said.at), "properties")
    }

    /// The types that the other keywords stand for, where `type` is missing.
    pub(super) fn implied_types(&self) -> Vec<Type> {
        let implied: BTreeSet<_> = match (self.values(), &self.recursion) {
            (Some(values), _) => values.into_iter().map(Type::of).collect(),
            (None, Some(recursion)) => {
                let types = recursion.target.value.get("type").and_then(types::parse);
                types.unwrap_or_else(|| vec![Type::Object]).into_iter().collect()
            }
            (None, None) => self.said.keys().filter_map(|keyword| constrains(keyword)).collect(),
        };
        if implied.is_empty() && self.has("format") {
            return vec![Type::String];
        }
        implied.into_iter().collect()
    }
}
