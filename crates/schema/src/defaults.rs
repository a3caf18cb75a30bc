//! Fills in the defaults of a schema.
//!
//! The defaults are collected once, when the schema is loaded, each with its nested defaults:
//! through `properties`, `items`, `prefixItems`, `allOf` and local `$ref`. A default under `anyOf`,
//! `oneOf`, `not` or `if` is not filled in, because it depends on the value whether it applies.

use std::collections::HashMap;

use serde_json::{Map, Value};

use crate::keys::Keys;
use crate::present::PresentProperties;

/// The defaults of one schema.
#[derive(Debug, Clone, Default)]
pub(crate) struct Defaults {
    nodes: Vec<Node>,
    /// The default of each node as it is filled in.
    filled: Vec<Option<Value>>,
}

/// The defaults at one place. Children are named by index, so that a recursive schema gives a
/// finite plan.
#[derive(Debug, Clone, Default)]
struct Node {
    default: Option<Value>,
    properties: Vec<(String, usize)>,
    /// The places of `properties` by name.
    names: Keys,
    prefix_items: Vec<usize>,
    items: Option<usize>,
    /// The nodes that apply to the same value, directly or through others.
    all_of: Vec<usize>,
}

const ROOT: usize = 0;

/// The nodes whose default is being built, innermost first. A default that contains itself ends
/// there.
#[derive(Clone, Copy)]
struct DefaultsInProgress<'a> {
    node: usize,
    within: Option<&'a DefaultsInProgress<'a>>,
}

impl Defaults {
    /// Collects the defaults of a schema.
    pub(crate) fn of(schema: &Value) -> Self {
        let mut plan = Plan { root: schema, nodes: Vec::new(), known: HashMap::new() };
        plan.visit(schema);
        let nodes = with_names(without_idle_edges(with_all_of_flat(plan.nodes)));
        let defaults = Self { nodes, filled: Vec::new() };
        let filled = (0..defaults.nodes.len()).map(|index| defaults.make(index, None)).collect();
        Self { filled, ..defaults }
    }

    /// Fills in missing values.
    pub(crate) fn fill(&self, value: &mut Value) {
        self.fill_node(ROOT, value, None);
    }

    fn fill_node(&self, index: usize, value: &mut Value, making: Option<&DefaultsInProgress<'_>>) {
        let Some(node) = self.nodes.get(index) else { return };
        self.fill_children(node, value, making);
        for also in node.all_of.iter().filter_map(|also| self.nodes.get(*also)) {
            self.fill_children(also, value, making);
        }
    }

    fn fill_children(
        &self,
        node: &Node,
        value: &mut Value,
        making: Option<&DefaultsInProgress<'_>>,
    ) {
        match value {
            Value::Object(fields) => self.fill_members(node, fields, making),
            Value::Array(items) => {
                for (position, item) in items.iter_mut().enumerate() {
                    if let Some(child) = node.prefix_items.get(position).or(node.items.as_ref()) {
                        self.fill_node(*child, item, making);
                    }
                }
            }
            _ => {}
        }
    }

    fn fill_members(
        &self,
        node: &Node,
        fields: &mut Map<String, Value>,
        making: Option<&DefaultsInProgress<'_>>,
    ) {
        let mut present = PresentProperties::default();
        for (name, field) in fields.iter_mut() {
            let Some(place) = node.names.find(name) else { continue };
            present.insert(place);
            if let Some((_, child)) = node.properties.get(place) {
                self.fill_node(*child, field, making);
            }
        }
        for (place, (name, child)) in node.properties.iter().enumerate() {
            if present.lacks(place, || fields.contains_key(name))
                && let Some(field) = self.default_of(*child, making)
            {
                fields.insert(name.clone(), field);
            }
        }
    }

    /// The default of a node with its nested defaults filled in.
    fn default_of(&self, index: usize, making: Option<&DefaultsInProgress<'_>>) -> Option<Value> {
        match (making, self.filled.get(index)) {
            (None, Some(filled)) => filled.clone(),
            _ => self.make(index, making),
        }
    }

    fn make(&self, index: usize, within: Option<&DefaultsInProgress<'_>>) -> Option<Value> {
        let node = self.nodes.get(index)?;
        let mut outer = std::iter::successors(within, |making| making.within);
        if outer.any(|making| making.node == index) {
            return None;
        }
        let inherited =
            || node.all_of.iter().find_map(|child| self.nodes.get(*child)?.default.as_ref());
        let mut value = node.default.as_ref().or_else(inherited)?.clone();
        self.fill_node(index, &mut value, Some(&DefaultsInProgress { node: index, within }));
        Some(value)
    }
}

/// Builds the nodes of a schema, each once.
struct Plan<'a> {
    root: &'a Value,
    nodes: Vec<Node>,
    known: HashMap<*const Value, usize>,
}

impl<'a> Plan<'a> {
    fn visit(&mut self, schema: &'a Value) -> usize {
        if let Some(index) = self.known.get(&std::ptr::from_ref(schema)) {
            return *index;
        }
        let index = self.nodes.len();
        self.known.insert(std::ptr::from_ref(schema), index);
        self.nodes.push(Node::default());
        let node = self.node(schema);
        if let Some(place) = self.nodes.get_mut(index) {
            *place = node;
        }
        index
    }

    fn node(&mut self, schema: &'a Value) -> Node {
        let mut all_of: Vec<_> = list(schema, "allOf").map(|schema| self.visit(schema)).collect();
        if let Some(target) = self.referenced(schema) {
            all_of.push(self.visit(target));
        }
        let properties = schema.get("properties").and_then(Value::as_object).into_iter().flatten();
        let properties =
            properties.map(|(name, schema)| (name.clone(), self.visit(schema))).collect();
        let prefix_items = list(schema, "prefixItems").map(|schema| self.visit(schema)).collect();
        let items = schema.get("items").map(|schema| self.visit(schema));
        let default = schema.get("default").cloned();
        Node { default, properties, prefix_items, items, all_of, names: Keys::default() }
    }

    /// The target of a local `$ref`.
    fn referenced(&self, schema: &Value) -> Option<&'a Value> {
        let pointer = schema.get("$ref")?.as_str()?.strip_prefix('#')?;
        self.root.pointer(pointer)
    }
}

fn list<'a>(schema: &'a Value, keyword: &str) -> impl Iterator<Item = &'a Value> {
    schema.get(keyword).and_then(Value::as_array).into_iter().flatten()
}

/// Gives each node the full list of nodes that apply to its value, so that a cycle among them ends.
fn with_all_of_flat(mut nodes: Vec<Node>) -> Vec<Node> {
    let flat: Vec<_> = (0..nodes.len()).map(|index| all_of_closure(&nodes, index)).collect();
    for (node, all_of) in nodes.iter_mut().zip(flat) {
        node.all_of = all_of;
    }
    nodes
}

fn all_of_closure(nodes: &[Node], start: usize) -> Vec<usize> {
    let mut reached = vec![start];
    let mut at = 0;
    while let Some(index) = reached.get(at).copied() {
        for next in nodes.get(index).map(|node| node.all_of.as_slice()).unwrap_or_default() {
            if !reached.contains(next) {
                reached.push(*next);
            }
        }
        at += 1;
    }
    reached.split_off(1)
}

/// Drops the edges to nodes below which there is no default, so that a call does not walk schemas
/// without defaults.
fn without_idle_edges(mut nodes: Vec<Node>) -> Vec<Node> {
    let mut useful: Vec<bool> = nodes.iter().map(|node| node.default.is_some()).collect();
    loop {
        let is_useful = |index: &usize| useful.get(*index).copied().unwrap_or_default();
        let next: Vec<bool> = nodes
            .iter()
            .zip(&useful)
            .map(|(node, useful)| *useful || node.children().any(|child| is_useful(&child)))
            .collect();
        if next == useful {
            break;
        }
        useful = next;
    }
    let is_useful = |index: &usize| useful.get(*index).copied().unwrap_or_default();
    for node in &mut nodes {
        node.properties.retain(|(_, child)| is_useful(child));
        node.all_of.retain(is_useful);
        node.items = node.items.filter(is_useful);
        if !node.prefix_items.iter().any(is_useful) && node.items.is_none() {
            node.prefix_items.clear();
        }
    }
    nodes
}

fn with_names(mut nodes: Vec<Node>) -> Vec<Node> {
    for node in &mut nodes {
        node.names = Keys::of(node.properties.iter().map(|(name, _)| name.as_str()));
    }
    nodes
}

impl Node {
    fn children(&self) -> impl Iterator<Item = usize> + '_ {
        let properties = self.properties.iter().map(|(_, child)| *child);
        properties
            .chain(self.prefix_items.iter().copied())
            .chain(self.items)
            .chain(self.all_of.iter().copied())
    }
}

#[cfg(test)]
#[path = "defaults_tests.rs"]
mod tests;
