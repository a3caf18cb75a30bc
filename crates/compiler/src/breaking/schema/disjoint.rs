//! Whether two alternatives share no value. If this cannot be decided, they count as overlapping.

use std::cell::RefCell;
use std::collections::HashMap;

use super::node::{Node, holds};
use super::root::SchemaRef;
use super::site::Site;
use super::types::Types;

/// Maximum depth of the comparison.
const DEPTH: usize = 4;

/// Cached results: which lists of branches overlap.
#[derive(Debug, Default)]
pub(in crate::breaking) struct Overlaps(RefCell<HashMap<(usize, Types), bool>>);

impl Overlaps {
    /// Whether a value may fit two branches of a schema's `oneOf`.
    pub(in crate::breaking) fn of<'a>(&self, node: &Node<'a>, part: &SchemaRef<'a>) -> bool {
        let types = node.declared();
        let key = (part.identity(), types);
        let known = self.0.borrow().get(&key).copied();
        known.unwrap_or_else(|| {
            let overlaps = !branches(node, &part.list("oneOf"), types);
            self.0.borrow_mut().insert(key, overlaps);
            overlaps
        })
    }
}

/// Whether no two branches share a value of the given types.
fn branches<'a>(node: &Node<'a>, branches: &[SchemaRef<'a>], types: Types) -> bool {
    let sites = branches.iter().map(|branch| Site::of(node.root, branch.clone()));
    let Some(branches) = sites.map(|site| site.alternatives()).collect::<Option<Vec<_>>>() else {
        return false;
    };
    let pairs = |(index, branch): (usize, &Vec<Node<'_>>)| {
        branches.iter().take(index).all(|other| all_disjoint(branch, other, types, DEPTH))
    };
    branches.iter().enumerate().all(pairs)
}

/// Whether two alternatives share no value of the given types.
pub(super) fn nodes(a: &Node<'_>, b: &Node<'_>, types: Types) -> bool {
    are_disjoint(a, b, types, DEPTH)
}

/// Whether no value fits an alternative: it does not even share one with itself.
pub(super) fn is_empty(node: &Node<'_>) -> bool {
    nodes(node, node, Types::ALL)
}

fn are_disjoint(a: &Node<'_>, b: &Node<'_>, types: Types, depth: usize) -> bool {
    let shared = a.types().and(b.types()).and(types);
    if shared.is_empty() {
        return true;
    }
    if let (Some(values), Some(others)) = (a.values(), b.values()) {
        let held = |value| others.iter().any(|other| holds(std::slice::from_ref(*other), value));
        return !values.iter().any(|value| held(value));
    }
    shared == Types::OBJECT && depth > 0 && by_property(a, b, depth - 1)
}

/// Whether a property that a shared value would need cannot suit both.
fn by_property(a: &Node<'_>, b: &Node<'_>, depth: usize) -> bool {
    let needed = a.required();
    needed.union(&b.required()).any(|name| {
        let (a, b) = (a.property(name).alternatives(), b.property(name).alternatives());
        a.zip(b).is_some_and(|(a, b)| all_disjoint(&a, &b, Types::ALL, depth))
    })
}

fn all_disjoint(a: &[Node<'_>], b: &[Node<'_>], types: Types, depth: usize) -> bool {
    a.iter().all(|a| b.iter().all(|b| are_disjoint(a, b, types, depth)))
}
