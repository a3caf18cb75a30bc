//! Walks two schemas together and asks every rule about each pair of values.
//!
//! References are followed on demand. A pair that occurs again inside of itself counts as fitting,
//! so that recursive schemas end; beyond a number of pairs or a depth the walk stops with a
//! finding.

use std::collections::HashMap;
use std::rc::Rc;

use serde_json::Value;

use super::disjoint::Overlaps;
use super::node::Node;
use super::pair::{Name, Pair, SchemaChange, View};
use super::report;
use super::root::REFERENCE;
use super::site::Site;
use crate::breaking::arguments::{self, schema_no_unjudged_change as unjudged};

/// Maximum number of compared pairs.
const MOST_PAIRS: usize = 20_000;

/// Maximum nesting depth of compared pairs.
const DEEPEST: usize = 100;

/// The identity of a pair: the schemas of both, and whether defaults are filled in.
type Identity = (Vec<usize>, Vec<usize>, bool);

/// The result of a pair, with the name at that time.
#[derive(Debug)]
struct PairResult {
    path: String,
    found: Vec<SchemaChange>,
}

/// The state of one comparison.
#[derive(Debug)]
pub(super) struct CompareWalk {
    pub(super) view: View,
    pairs: usize,
    open: Vec<Identity>,
    /// The outermost open pair that was assumed to fit since the last check.
    relied_on: usize,
    known: HashMap<Identity, PairResult>,
    overlaps: Rc<Overlaps>,
}

impl CompareWalk {
    pub(super) fn new(view: View) -> Self {
        Self {
            view,
            pairs: 0,
            open: Vec::new(),
            relied_on: usize::MAX,
            known: HashMap::new(),
            overlaps: Rc::default(),
        }
    }

    /// Why `sub` does not fit into `sup`.
    pub(super) fn compare(
        &mut self,
        sub: &Site<'_>,
        sup: &Site<'_>,
        name: &Name,
    ) -> Vec<SchemaChange> {
        let identity = (sub.identity(), sup.identity(), name.filled);
        if let Some(index) = self.open.iter().position(|open| *open == identity) {
            self.relied_on = self.relied_on.min(index);
            return Vec::new();
        }
        if let Some(known) = self.known.get(&identity) {
            return known.under(name);
        }
        if is_same(sub, sup) {
            return Vec::new();
        }
        if self.is_spent() || self.open.len() >= DEEPEST {
            return vec![unjudged::too_large(self.view, sub, sup, name)];
        }
        self.explore(identity, sub, sup, name)
    }

    /// Compares a pair and caches the result, unless it depends on an open pair that may turn out
    /// not to fit.
    fn explore(
        &mut self,
        identity: Identity,
        sub: &Site<'_>,
        sup: &Site<'_>,
        name: &Name,
    ) -> Vec<SchemaChange> {
        let index = self.open.len();
        let around = std::mem::replace(&mut self.relied_on, usize::MAX);
        self.open.push(identity.clone());
        let found = report::merge(self.alternatives(sub, sup, name));
        self.open.pop();
        if self.relied_on >= index {
            self.relied_on = around;
            let path = name.path.clone();
            self.known.insert(identity, PairResult { path, found: found.clone() });
        } else {
            self.relied_on = self.relied_on.min(around);
        }
        found
    }

    fn alternatives(&mut self, sub: &Site<'_>, sup: &Site<'_>, name: &Name) -> Vec<SchemaChange> {
        let (Some(subs), Some(sups)) = (sub.alternatives(), sup.alternatives()) else {
            return vec![unjudged::too_large(self.view, sub, sup, name)];
        };
        match (subs.as_slice(), sups.as_slice()) {
            ([], _) => Vec::new(),
            ([sub], [sup]) => self.nodes(sub, sup, name),
            (_, []) => vec![arguments::param_same_type::nothing_left(self.view, sub, sup, name)],
            (subs, sups) => self.unions(subs, sups, &name.unfilled()),
        }
    }

    /// Counts a pair; returns whether the limit is exceeded.
    fn is_spent(&mut self) -> bool {
        self.pairs += 1;
        self.pairs > MOST_PAIRS
    }

    /// Two alternatives to compare.
    pub(super) fn pair<'w, 'a>(
        &self,
        sub: &'w Node<'a>,
        sup: &'w Node<'a>,
        name: &'w Name,
    ) -> Pair<'w, 'a> {
        Pair { sub, sup, name, view: self.view, overlaps: Rc::clone(&self.overlaps) }
    }

    /// Why one alternative does not fit into another.
    pub(super) fn nodes(
        &mut self,
        sub: &Node<'_>,
        sup: &Node<'_>,
        name: &Name,
    ) -> Vec<SchemaChange> {
        let pair = self.pair(sub, sup, name);
        let mut found = Vec::new();
        if self.is_spent() {
            return vec![pair.found(&unjudged::PROMISE, "", unjudged::TOO_LARGE)];
        }
        arguments::param_same_type::check(&pair, &mut found);
        if pair.shared().is_empty() {
            return found;
        }
        for check in arguments::CHECKS {
            check(&pair, &mut found);
        }
        self.properties(&pair, &mut found);
        self.items(&pair, &mut found);
        found
    }
}

impl PairResult {
    fn under(&self, name: &Name) -> Vec<SchemaChange> {
        let rename = |found: &SchemaChange| SchemaChange {
            path: name.rebase(&self.path, &found.path),
            ..found.clone()
        };
        self.found.iter().map(rename).collect()
    }
}

/// Whether two places have equal schemas without references.
fn is_same(sub: &Site<'_>, sup: &Site<'_>) -> bool {
    let mut pairs = sub.schemas.iter().zip(&sup.schemas);
    sub.schemas.len() == sup.schemas.len()
        && pairs.all(|(sub, sup)| sub.schema == sup.schema && !refers(sub.schema))
}

fn refers(value: &Value) -> bool {
    match value {
        Value::Object(fields) => {
            fields.iter().any(|(key, value)| key == REFERENCE || refers(value))
        }
        Value::Array(items) => items.iter().any(refers),
        _ => false,
    }
}
