//! One alternative: schemas that apply together, without references and unions, and their
//! statements about a value.

use std::collections::BTreeSet;

use aileron_contract::canonical;
use aileron_schema::Validator;
use serde_json::{Value, json};

use super::root::{Root, SchemaRef};
use super::site::Site;
use super::types::Types;
use crate::document::join;

/// Keywords whose evaluated properties depend on the value.
const DEPENDING: [&str; 5] = ["anyOf", "oneOf", "if", "contains", "dependentSchemas"];

/// The schemas of one value.
#[derive(Debug, Clone)]
pub(in crate::breaking) struct Node<'a> {
    pub(in crate::breaking) root: Root<'a>,
    /// Where the value is described, or would be, in `schema.json`.
    pub(in crate::breaking) at: String,
    pub(in crate::breaking) parts: Vec<SchemaRef<'a>>,
    /// Whether all the schemas were reached from the first.
    rooted: bool,
    /// The types that `type` allows.
    declared: Types,
    /// All values that may fit, where `enum` or `const` lists them.
    values: Option<Vec<&'a Value>>,
    /// The listed value of this piece.
    only: Option<&'a Value>,
    names: BTreeSet<&'a str>,
}

impl<'a> Node<'a> {
    pub(super) fn new(site: &Site<'a>, parts: Vec<SchemaRef<'a>>) -> Self {
        let types = parts.iter().filter_map(|part| part.get("type")).map(Types::of_keyword);
        let declared = types.fold(Types::ALL, Types::and);
        let rooted = site.schemas.len() == 1;
        let (root, at, names) = (site.root, site.at.clone(), BTreeSet::new());
        let mut node = Self { root, at, parts, rooted, declared, values: None, only: None, names };
        node.values = node.listed();
        let open = |name: &&str| !node.property(name).is_closed();
        node.names = node.mentioned().filter(open).collect();
        node
    }

    fn listed(&self) -> Option<Vec<&'a Value>> {
        let mut lists = self.lists();
        let first = lists.next()?;
        let others: Vec<_> = lists.collect();
        let fits = |value: &&Value| {
            let typed = Types::of_value(value).within(self.declared);
            typed && others.iter().all(|list| holds(list, value))
        };
        Some(first.iter().filter(fits).collect())
    }

    /// Every value of a keyword.
    pub(in crate::breaking) fn keyword(&self, name: &str) -> impl Iterator<Item = &'a Value> {
        self.parts.iter().filter_map(move |part| part.get(name))
    }

    /// The pointer of a keyword; that of the node if the keyword is missing.
    pub(in crate::breaking) fn pointer(&self, keyword: &str) -> String {
        let part = self.parts.iter().find(|part| part.get(keyword).is_some());
        part.map_or_else(|| self.at.clone(), |part| join(&part.pointer, keyword))
    }

    /// Whether `unevaluatedProperties` or `unevaluatedItems` is equivalent to
    /// `additionalProperties` or `items`: it is at the top, and the evaluated properties do not
    /// depend on the value.
    pub(in crate::breaking) fn is_plain(&self, unevaluated: &str) -> bool {
        let has = |part: &SchemaRef<'_>, keyword: &str| part.get(keyword).is_some();
        let depends = |part: &SchemaRef<'_>| DEPENDING.iter().any(|keyword| has(part, keyword));
        let below = self.parts.iter().skip(1).any(|part| has(part, unevaluated));
        self.rooted && !below && !self.parts.iter().any(depends)
    }

    /// The types that `type` allows.
    pub(in crate::breaking) fn declared(&self) -> Types {
        self.declared
    }

    /// The types of the possible values.
    pub(in crate::breaking) fn types(&self) -> Types {
        let Some(values) = &self.values else { return self.declared };
        let types = values.iter().map(|value| Types::of_value(value));
        types.fold(Types::NONE, Types::or)
    }

    /// Whether a value may fit at all.
    pub(super) fn is_possible(&self) -> bool {
        !self.types().is_empty()
    }

    /// All values that may fit, where `enum` or `const` lists them.
    pub(in crate::breaking) fn values(&self) -> Option<&[&'a Value]> {
        self.values.as_deref()
    }

    /// The lists of `enum` and `const`.
    pub(in crate::breaking) fn lists(&self) -> impl Iterator<Item = &'a [Value]> {
        self.parts.iter().flat_map(|part| {
            let listed = part.get("enum").and_then(Value::as_array).map(Vec::as_slice);
            listed.into_iter().chain(part.get("const").map(std::slice::from_ref))
        })
    }

    /// The node, split so that each piece fits into one branch of a union.
    pub(super) fn pieces(&self) -> Vec<Self> {
        match &self.values {
            Some(values) => values.iter().map(|value| self.piece(value)).collect(),
            None => {
                let piece = |declared| Self { declared, ..self.clone() };
                self.declared.families().map(piece).collect()
            }
        }
    }

    fn piece(&self, value: &'a Value) -> Self {
        let (root, at, parts) = (self.root, self.at.clone(), self.parts.clone());
        let (rooted, declared, names) = (self.rooted, self.declared, self.names.clone());
        let (values, only) = (Some(vec![value]), Some(value));
        Self { root, at, parts, rooted, declared, values, only, names }
    }

    /// The listed value of this piece.
    pub(in crate::breaking) fn only(&self) -> Option<&'a Value> {
        self.only
    }

    /// The properties that it names and does not forbid.
    pub(in crate::breaking) fn names(&self) -> &BTreeSet<&'a str> {
        &self.names
    }

    /// The properties that it forbids by name.
    pub(in crate::breaking) fn forbidden(&self) -> BTreeSet<&'a str> {
        self.mentioned().filter(|name| self.property(name).is_closed()).collect()
    }

    fn mentioned(&self) -> impl Iterator<Item = &'a str> {
        let maps = self.keyword("properties").filter_map(Value::as_object);
        maps.flat_map(|map| map.keys()).map(String::as_str)
    }

    /// The properties that it requires.
    pub(in crate::breaking) fn required(&self) -> BTreeSet<&'a str> {
        let lists = self.keyword("required").filter_map(Value::as_array);
        lists.flatten().filter_map(Value::as_str).collect()
    }

    /// The schemas of a property, whether it is named or not.
    pub(in crate::breaking) fn property(&self, name: &str) -> Site<'a> {
        let found = self.parts.iter().flat_map(|part| property_of(part, name)).collect();
        self.site(found, "unevaluatedProperties", || join(&join(&self.at, "properties"), name))
    }

    /// The pointer of a property, also if it is not named.
    pub(in crate::breaking) fn property_pointer(&self, name: &str) -> String {
        let named = |part: &&SchemaRef<'_>| {
            part.get("properties").is_some_and(|all| all.get(name).is_some())
        };
        let list = match self.parts.iter().find(named) {
            Some(part) => join(&part.pointer, "properties"),
            None if self.keyword("properties").next().is_some() => self.pointer("properties"),
            None => join(&self.at, "properties"),
        };
        join(&list, name)
    }

    /// The schemas of all properties that it does not name.
    pub(in crate::breaking) fn unlisted(&self) -> Site<'a> {
        let keyword = "additionalProperties";
        let found = self.parts.iter().filter_map(|part| part.below(keyword)).collect();
        self.site(found, "unevaluatedProperties", || join(&self.at, keyword))
    }

    /// The schemas of the item at an index; beyond the prefix, those of all other items.
    pub(in crate::breaking) fn item(&self, index: usize) -> Site<'a> {
        let item = |part: &SchemaRef<'a>| part.list("prefixItems").into_iter().nth(index);
        let found = self.parts.iter().filter_map(|part| item(part).or_else(|| part.below("items")));
        self.site(found.collect(), "unevaluatedItems", || join(&self.at, "items"))
    }

    /// The number of items with their own schema.
    pub(in crate::breaking) fn prefix(&self) -> usize {
        let prefixes = self.keyword("prefixItems").filter_map(Value::as_array);
        prefixes.map(Vec::len).max().unwrap_or_default()
    }

    fn site(&self, found: Vec<SchemaRef<'a>>, rest: &str, at: impl Fn() -> String) -> Site<'a> {
        let schemas = if found.is_empty() && self.is_plain(rest) {
            self.parts.iter().filter_map(|part| part.below(rest)).collect()
        } else {
            found
        };
        let at = schemas.first().map_or_else(at, |part: &SchemaRef<'_>| part.pointer.clone());
        Site { root: self.root, at, schemas }
    }
}

/// The parts of one schema that apply to a property.
fn property_of<'a>(part: &SchemaRef<'a>, name: &str) -> Vec<SchemaRef<'a>> {
    let mut found: Vec<_> = part
        .below("properties")
        .and_then(|properties| properties.below(name))
        .into_iter()
        .collect();
    if let Some(patterns) = part.below("patternProperties") {
        let names = patterns.schema.as_object().into_iter().flat_map(|map| map.keys());
        let matching = names.filter(|pattern| accepts("pattern", &json!(pattern), &json!(name)));
        found.extend(matching.filter_map(|pattern| patterns.below(pattern)));
    }
    if found.is_empty() {
        found.extend(part.below("additionalProperties"));
    }
    found
}

/// Whether a keyword alone accepts a value; false if it does not compile.
pub(in crate::breaking) fn accepts(keyword: &str, wanted: &Value, value: &Value) -> bool {
    Validator::compile(&json!({ keyword: wanted })).is_ok_and(|schema| schema.accepts(value))
}

/// Whether a list holds a value; 1 and 1.0 are the same.
pub(in crate::breaking) fn holds(list: &[Value], value: &Value) -> bool {
    list.iter().any(|other| same(other, value))
}

fn same(a: &Value, b: &Value) -> bool {
    match (a, b) {
        (Value::Number(_), Value::Number(_))
        | (Value::Array(_), Value::Array(_))
        | (Value::Object(_), Value::Object(_)) => {
            a == b || canonical::to_string(a) == canonical::to_string(b)
        }
        (a, b) => a == b,
    }
}
