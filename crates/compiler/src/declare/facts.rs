//! The keywords of all schemas that apply to one value.
//!
//! `$ref`, its siblings and the parts of an `allOf` all apply to the same value. Instead of merging
//! their JSON, the walk collects the keywords with their places, so that every loss is reported
//! where it was written.

use std::borrow::Cow;
use std::collections::BTreeSet;
use std::rc::Rc;

use serde_json::Value;

use super::keyword::{constrains, is_annotation};
use super::types::{self, Type};
use crate::document::join;

/// A schema and its place.
#[derive(Debug, Clone)]
pub(super) struct LocatedSchema<'a> {
    /// JSON Pointer below `parameters`.
    pub(super) at: Rc<str>,
    pub(super) value: &'a Value,
}

impl<'a> LocatedSchema<'a> {
    pub(super) fn new(at: impl Into<Rc<str>>, value: &'a Value) -> Self {
        Self { at: at.into(), value }
    }
}

/// A keyword, its value and the place of its schema.
#[derive(Debug, Clone)]
pub(super) struct SchemaKeyword<'a> {
    pub(super) keyword: &'a str,
    /// JSON Pointer of the schema below `parameters`.
    pub(super) at: Rc<str>,
    pub(super) value: &'a Value,
}

/// A `$ref` that leads back to a schema which holds it.
#[derive(Debug, Clone)]
pub(super) struct Recursion<'a> {
    /// The place of the `$ref`.
    pub(super) at: Rc<str>,
    pub(super) target: LocatedSchema<'a>,
}

/// All keywords about one value.
#[derive(Debug, Clone)]
pub(super) struct Facts<'a> {
    /// The place of the value's schema.
    pub(super) at: Rc<str>,
    /// Sorted by keyword; for one keyword, in the order of the schemas.
    said: Vec<SchemaKeyword<'a>>,
    /// The definitions that were inlined.
    pub(super) followed: BTreeSet<Rc<str>>,
    /// A reference that could not be inlined because it contains this value.
    pub(super) recursion: Option<Recursion<'a>>,
    /// The place of a schema `false`, which forbids the value.
    pub(super) never: Option<Rc<str>>,
    /// Sentences that replace removed keywords.
    pub(super) remarks: Vec<String>,
}

impl<'a> Facts<'a> {
    pub(super) fn new(at: Rc<str>) -> Self {
        Self {
            at,
            said: Vec::new(),
            followed: BTreeSet::new(),
            recursion: None,
            never: None,
            remarks: Vec::new(),
        }
    }

    pub(super) fn add(&mut self, said: SchemaKeyword<'a>) {
        let at = self.said.partition_point(|other| other.keyword <= said.keyword);
        self.said.insert(at, said);
    }

    /// All keywords.
    pub(super) fn iter(&self) -> impl Iterator<Item = (&'a str, &[SchemaKeyword<'a>])> {
        let keywords = self.said.chunk_by(|a, b| a.keyword == b.keyword);
        keywords.filter_map(|said| Some((said.first()?.keyword, said)))
    }

    /// Every occurrence of a keyword.
    pub(super) fn get(&self, keyword: &str) -> &[SchemaKeyword<'a>] {
        let start = self.said.partition_point(|said| said.keyword < keyword);
        let rest = self.said.get(start..).unwrap_or_default();
        let length = rest.iter().take_while(|said| said.keyword == keyword).count();
        rest.get(..length).unwrap_or_default()
    }

    pub(super) fn has(&self, keyword: &str) -> bool {
        !self.get(keyword).is_empty()
    }

    pub(super) fn remove(&mut self, keyword: &str) -> Vec<SchemaKeyword<'a>> {
        let removed = self.get(keyword).to_vec();
        self.said.retain(|said| said.keyword != keyword);
        removed
    }

    /// The value of a keyword in the schema at a place.
    pub(super) fn beside(&self, keyword: &str, at: &str) -> Option<&'a Value> {
        self.get(keyword).iter().find(|said| &*said.at == at).map(|said| said.value)
    }

    /// Whether it constrains nothing.
    pub(super) fn only_annotates(&self) -> bool {
        self.never.is_none() && self.said.iter().all(|said| is_annotation(said.keyword))
    }

    /// Splits annotations from constraints.
    pub(super) fn split(mut self) -> (Self, Self) {
        let mut constraints = Self::new(Rc::clone(&self.at));
        (self.said, constraints.said) =
            self.said.into_iter().partition(|said| is_annotation(said.keyword));
        constraints.followed = self.followed.clone();
        constraints.recursion = self.recursion.take();
        constraints.never = self.never.take();
        (self, constraints)
    }

    /// Without keywords that do not apply to these types.
    pub(super) fn about(&self, kinds: &[Type]) -> Cow<'_, Self> {
        let concerns = |said: &SchemaKeyword<'_>| match constrains(said.keyword) {
            Some(kind) => kinds.iter().any(|other| kind == other.family()),
            None => true,
        };
        if self.said.iter().all(concerns) {
            return Cow::Borrowed(self);
        }
        let mut about = self.clone();
        about.said.retain(concerns);
        Cow::Owned(about)
    }

    /// The keywords of two schemas about the same value; those of this one come first.
    pub(super) fn join(mut self, other: Self) -> Self {
        self.said.extend(other.said);
        self.said.sort_by_key(|said| said.keyword);
        self.followed.extend(other.followed);
        self.recursion = self.recursion.or(other.recursion);
        self.never = self.never.or(other.never);
        self.remarks.extend(other.remarks);
        self
    }

    /// The types the value may have; `None` if not restricted, empty if none remains.
    pub(super) fn types(&self) -> Option<Vec<Type>> {
        let said = self.get("type").iter().filter_map(|said| types::parse(said.value));
        said.reduce(|a, b| types::intersect(&a, &b))
    }

    /// The values that `enum` and `const` allow; `None` if there is neither.
    pub(super) fn values(&self) -> Option<Vec<&'a Value>> {
        let lists = self.get("enum").iter().filter_map(|said| said.value.as_array());
        let lists = lists.map(|values| values.iter().collect::<Vec<_>>());
        let one = self.get("const").iter().map(|said| vec![said.value]);
        lists.chain(one).reduce(|a, b| a.into_iter().filter(|value| b.contains(value)).collect())
    }

    /// The required names.
    pub(super) fn required(&self) -> BTreeSet<&'a str> {
        let lists = self.get("required").iter().filter_map(|said| said.value.as_array());
        lists.flatten().filter_map(Value::as_str).collect()
    }

    /// Where the first schema that has a property lists its properties.
    pub(super) fn property_place(&self, name: &str) -> String {
        let has = |said: &&SchemaKeyword<'_>| said.value.get(name).is_some();
        let said = self.get("properties").iter().find(has);
        join(said.map_or(&self.at, |said| &said.at), "properties")
    }

    /// The types implied by other keywords, if `type` is missing.
    pub(super) fn implied_types(&self) -> Vec<Type> {
        let implied: BTreeSet<_> = match (self.values(), &self.recursion) {
            (Some(values), _) => values.into_iter().map(Type::of).collect(),
            (None, Some(recursion)) => {
                types::of_schema(recursion.target.value).into_iter().collect()
            }
            (None, None) => self.said.iter().filter_map(|said| constrains(said.keyword)).collect(),
        };
        if implied.is_empty() && self.has("format") {
            return vec![Type::String];
        }
        implied.into_iter().collect()
    }
}
