//! The changes between two JSON Schemas that affect writers or readers of the value.

pub(super) mod pair;
pub(super) mod same;
pub(super) mod types;

mod alternatives;
mod children;
mod disjoint;
mod node;
mod report;
mod root;
mod site;
mod union;
mod walk;

use std::collections::HashSet;

use serde_json::Value;

use super::arguments::{param_no_delete, schema_no_unjudged_change};
use super::promise::{Promise, PromiseBreach};
use super::version::addition_needs_minor;
pub(super) use node::Node;
use pair::{CompareDirection, Name, SchemaChange, Variance, View};
use root::Root;
pub(super) use root::SchemaRef;
pub(super) use site::Site;
use walk::CompareWalk;

/// The changes of the arguments.
pub(super) fn arguments(previous: &Value, current: &Value) -> Vec<PromiseBreach> {
    let variance = Variance::Arguments;
    let compare = |look| compare(previous, current, "/parameters", View { variance, look });
    let breaks = compare(CompareDirection::Breaks);
    let mut additions = compare(CompareDirection::Additions);
    let paths: HashSet<_> = breaks.iter().map(|found| found.path.clone()).collect();
    let pointers: HashSet<_> = breaks.iter().map(|found| found.pointer.clone()).collect();
    additions.retain(|found| !paths.contains(&found.path) && !pointers.contains(&found.pointer));
    let mut found = report::findings(variance, breaks, |found| found.promise);
    found.extend(report::findings(variance, additions, |_| &addition_needs_minor::PROMISE));
    found
}

/// The changes of the result; those that break a reader are breaches of `narrowed`.
pub(super) fn returns(
    previous: &Value,
    current: &Value,
    narrowed: &'static Promise,
) -> Vec<PromiseBreach> {
    let variance = Variance::Returns;
    let compare = |look| compare(previous, current, "/returns", View { variance, look });
    let mut additions = compare(CompareDirection::Additions);
    // A narrower schema of the result is no addition; a new property is.
    additions.retain(|found| found.promise.rule == param_no_delete::PROMISE.rule);
    let breaks = compare(CompareDirection::Breaks);
    let mut found = report::findings(variance, breaks, |_| narrowed);
    found.extend(report::findings(variance, additions, |_| &addition_needs_minor::PROMISE));
    found
}

fn compare(previous: &Value, current: &Value, base: &'static str, view: View) -> Vec<SchemaChange> {
    if previous == current {
        return Vec::new();
    }
    let site = |schema| Site::top(Root { schema, base });
    let (sub, sup) = view.roles(site(previous), site(current));
    if let Some(keyword) = root::rescoping(previous).or_else(|| root::rescoping(current)) {
        return vec![schema_no_unjudged_change::rescoped(keyword, base)];
    }
    CompareWalk::new(view).compare(&sub, &sup, &Name::top())
}

#[cfg(test)]
#[path = "schema_tests.rs"]
mod tests;

#[cfg(test)]
#[path = "schema_property_tests.rs"]
mod property_tests;

#[cfg(test)]
#[path = "schema_corpus_tests.rs"]
mod corpus_tests;
