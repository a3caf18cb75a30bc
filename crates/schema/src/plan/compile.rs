//! Compiles a schema to a plan, if a plan can check all its keywords exactly.
//!
//! A keyword is checked by the plan, or does not restrict values, or makes the `jsonschema` crate
//! validate the whole schema. Unknown keywords do the last.

mod rule;

use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;

use jsonschema::ValidationOptions;
use jsonschema::error::ValidationErrorKind;
use serde_json::{Map, Value};

use super::check::{Check, Rule, Types};
use super::fill::FilledDefault;
use super::{Array, Member, Node, Object, OtherMembers, Plan, Property, Required};
use crate::expected::Expected;
use crate::keys::Keys;
use crate::place::ValuePath;

/// Keywords that do not restrict values. `$defs` is read where it is referred to.
const ANNOTATIONS: &[&str] = &[
    "$comment",
    "$defs",
    "default",
    "deprecated",
    "description",
    "examples",
    "readOnly",
    "title",
    "writeOnly",
];

/// Keywords that change the target of references.
const NAMES: &[&str] = &["$id", "$anchor", "$dynamicAnchor"];

/// The dialect of a schema without `$schema`.
const DIALECT: &str = "https://json-schema.org/draft/2020-12/schema";

/// Maximum nesting of a plan, references included. The recursion of a walk is as deep, and the
/// stack is limited.
const DEEPEST: usize = 64;

type Keywords = Map<String, Value>;

/// The plan of a schema that these options build; `None` if there is none.
pub(super) fn plan(schema: &Value, options: &ValidationOptions<'_>) -> Option<Plan> {
    if names_a_part(schema) {
        return None;
    }
    let (targets, expected) = (HashMap::new(), Vec::new());
    let mut compiler = Compiler { root: schema, options, targets, expected, depth: 0 };
    let root = compiler.node(schema, &ValuePath::Root)?;
    Some(Plan { root, expected: compiler.expected.into() })
}

struct Compiler<'a> {
    root: &'a Value,
    options: &'a ValidationOptions<'a>,
    /// The plans of referenced schemas; none while one is being built.
    targets: HashMap<&'a str, Option<Arc<Node>>>,
    /// The expectations in the messages of the plan.
    expected: Vec<Expected>,
    depth: usize,
}

impl<'a> Compiler<'a> {
    fn node(&mut self, schema: &'a Value, place: &ValuePath<'_>) -> Option<Arc<Node>> {
        if self.depth == DEEPEST {
            return None;
        }
        self.depth += 1;
        let node = self.node_of(schema, place);
        self.depth -= 1;
        node
    }

    fn node_of(&mut self, schema: &'a Value, place: &ValuePath<'_>) -> Option<Arc<Node>> {
        match schema {
            Value::Bool(true) => Some(Arc::default()),
            Value::Bool(false) => {
                let never = self.check(Rule::Never, &ValidationErrorKind::FalseSchema, place);
                Some(Arc::new(Node { checks: vec![never], ..Node::default() }))
            }
            Value::Object(keywords) => match keywords.get("$ref") {
                Some(target) => self.target(keywords, target.as_str()?),
                None => self.keywords(keywords, place).map(Arc::new),
            },
            _ => None,
        }
    }

    /// The plan of the target of a `$ref`, which must be the only keyword beside annotations. A
    /// recursive schema has no plan.
    fn target(&mut self, keywords: &Keywords, target: &'a str) -> Option<Arc<Node>> {
        let is_alone = keywords.keys().all(|keyword| keyword == "$ref" || is_annotation(keyword));
        let pointer = target.strip_prefix('#').filter(|pointer| is_alone && is_plain(pointer))?;
        if let Some(known) = self.targets.get(pointer) {
            return known.clone();
        }
        self.targets.insert(pointer, None);
        let node =
            self.node(self.root.pointer(pointer)?, &ValuePath::Written(&ValuePath::Root, pointer))?;
        self.targets.insert(pointer, Some(node.clone()));
        Some(node)
    }

    fn keywords(&mut self, keywords: &'a Keywords, place: &ValuePath<'_>) -> Option<Node> {
        let object = self.object(keywords, place)?;
        let array = self.array(keywords, place)?;
        let (mut types, mut checks) = (None, Vec::new());
        for (keyword, value) in keywords {
            match keyword.as_str() {
                "additionalProperties" if refuses_all_members(keywords) => {
                    let place = ValuePath::Member(place, keyword);
                    let kind = ValidationErrorKind::FalseSchema;
                    checks.push(self.check(Rule::NoMembers, &kind, &place));
                }
                "type" => types = Some(self.types(value, &ValuePath::Member(place, keyword))?),
                "properties" | "required" | "additionalProperties" | "prefixItems" | "items" => {}
                "uniqueItems" if value == &Value::Bool(false) => {}
                "$schema" if value == DIALECT && matches!(place, ValuePath::Root) => {}
                other if is_annotation(other) => {}
                other => {
                    let (rule, kind) = rule::of(other, value, self.options)?;
                    checks.push(self.check(rule, &kind, &ValuePath::Member(place, other)));
                }
            }
        }
        let fills = Node::fills(object.as_ref(), array.as_ref());
        Some(Node { types, checks, object, array, fills })
    }

    /// The checks of members. The outer `Option` is `None` if there is no plan.
    fn object(&mut self, keywords: &'a Keywords, place: &ValuePath<'_>) -> Option<Option<Object>> {
        let (properties, required) = (keywords.get("properties"), keywords.get("required"));
        let others = self.others(keywords, place)?;
        if properties.is_none() && required.is_none() && matches!(others, OtherMembers::Allowed) {
            return Some(None);
        }
        let mut names = BTreeMap::new();
        let below = ValuePath::Member(place, "properties");
        for (name, schema) in properties.and_then(Value::as_object).into_iter().flatten() {
            let node = self.node(schema, &ValuePath::Member(&below, name))?;
            let step = ValuePath::Member(&ValuePath::Root, name).pointer().into();
            let property = Some(Property { step, node });
            names.insert(name.as_str(), Member { property, is_required: false });
        }
        let required: Vec<_> = list(required).filter_map(Value::as_str).collect();
        let is_refused = |name: &&str| others.refuse() && !names.contains_key(name);
        if required.iter().any(is_refused) {
            // No object is valid, and the engines would report that with different faults.
            return None;
        }
        for &name in &required {
            names.entry(name).or_default().is_required = true;
        }
        let required = required.into_iter().map(|name| self.required(place, name)).collect();
        let (names, members): (Vec<_>, Vec<_>) = names.into_iter().unzip();
        let defaults = self.defaults(properties, &names, &members);
        Some(Some(Object { names: Keys::of(names), members, required, others, defaults }))
    }

    fn defaults(
        &self,
        properties: Option<&'a Value>,
        names: &[&str],
        members: &[Member],
    ) -> Vec<FilledDefault> {
        let filled = |(place, (name, member)): (usize, (&&str, &Member))| {
            let default = self.default(properties?.get(name)?)?;
            Some(FilledDefault::of(place, name, default, &member.property.as_ref()?.node))
        };
        names.iter().zip(members).enumerate().filter_map(filled).collect()
    }

    /// The default of a schema, or of what it refers to.
    fn default(&self, schema: &'a Value) -> Option<&'a Value> {
        let target = |schema: &&'a Value| {
            let pointer = schema.get("$ref")?.as_str()?.strip_prefix('#')?;
            self.root.pointer(pointer)
        };
        let mut schemas = std::iter::successors(Some(schema), target).take(DEEPEST);
        schemas.find_map(|schema| schema.get("default"))
    }

    fn others(&mut self, keywords: &'a Keywords, place: &ValuePath<'_>) -> Option<OtherMembers> {
        let place = ValuePath::Member(place, "additionalProperties");
        match keywords.get("additionalProperties") {
            None | Some(Value::Bool(true)) => Some(OtherMembers::Allowed),
            _ if refuses_all_members(keywords) => Some(OtherMembers::Allowed),
            Some(Value::Bool(false)) => Some(OtherMembers::Refused {
                expected: self.expect(Expected::no_others(&place.pointer())),
            }),
            Some(schema) => self.node(schema, &place).map(OtherMembers::Checked),
        }
    }

    /// The checks of items. The outer `Option` is `None` if there is no plan.
    fn array(&mut self, keywords: &'a Keywords, place: &ValuePath<'_>) -> Option<Option<Array>> {
        let (first, rest) = (keywords.get("prefixItems"), keywords.get("items"));
        if first.is_none() && rest.is_none() {
            return Some(None);
        }
        let below = ValuePath::Member(place, "prefixItems");
        let first: Option<Vec<_>> = list(first)
            .enumerate()
            .map(|(index, schema)| self.node(schema, &ValuePath::Item(&below, index)))
            .collect();
        let rest = match rest {
            Some(schema) => Some(self.node(schema, &ValuePath::Member(place, "items"))?),
            None => None,
        };
        Some(Some(Array { first: first?, rest }))
    }

    fn check(&mut self, rule: Rule, kind: &ValidationErrorKind, place: &ValuePath<'_>) -> Check {
        Check { rule, expected: self.expect(Expected::of(kind, &place.pointer())) }
    }

    fn types(&mut self, value: &Value, place: &ValuePath<'_>) -> Option<Types> {
        let (allowed, kind) = rule::types(value)?;
        Some(Types { allowed, expected: self.expect(Expected::of(&kind, &place.pointer())) })
    }

    fn required(&mut self, place: &ValuePath<'_>, name: &str) -> Required {
        let kind = ValidationErrorKind::Required { property: name.into() };
        let pointer = ValuePath::Member(place, "required").pointer();
        Required { name: name.into(), expected: self.expect(Expected::of(&kind, &pointer)) }
    }

    /// Adds an expectation and returns its index.
    fn expect(&mut self, expected: Expected) -> usize {
        self.expected.push(expected);
        self.expected.len() - 1
    }
}

/// Without `properties` a refused member is a fault of another kind, one for all of them.
fn refuses_all_members(keywords: &Keywords) -> bool {
    keywords.get("additionalProperties") == Some(&Value::Bool(false))
        && !keywords.contains_key("properties")
}

fn list(value: Option<&Value>) -> impl Iterator<Item = &Value> {
    value.and_then(Value::as_array).into_iter().flatten()
}

fn is_annotation(keyword: &str) -> bool {
    ANNOTATIONS.contains(&keyword)
}

/// Whether a pointer is written without escapes of any kind.
fn is_plain(pointer: &str) -> bool {
    let is_plain = |byte: u8| byte.is_ascii_alphanumeric() || b"/$_-.".contains(&byte);
    pointer.bytes().all(is_plain)
}

/// Whether any part of a schema has `$id` or an anchor; a property of such a name counts too.
fn names_a_part(schema: &Value) -> bool {
    match schema {
        Value::Object(keywords) => keywords
            .iter()
            .any(|(keyword, value)| NAMES.contains(&keyword.as_str()) || names_a_part(value)),
        Value::Array(items) => items.iter().any(names_a_part),
        _ => false,
    }
}
