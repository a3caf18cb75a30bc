//! Removes repeated findings of the walk.

use std::collections::HashMap;

use super::pair::{SchemaChange, Variance};
use crate::breaking::promise::{Promise, PromiseBreach};

/// Merges equal changes of the same place, under its shortest name. A definition that is used twice
/// is one place, and alternatives share their surroundings.
pub(super) fn merge(all: Vec<SchemaChange>) -> Vec<SchemaChange> {
    let mut merged: Vec<SchemaChange> = Vec::with_capacity(all.len());
    let mut known: HashMap<(String, String), usize> = HashMap::new();
    for mut found in all {
        let key = (found.pointer.clone(), found.what.clone());
        let place = *known.entry(key).or_insert(merged.len());
        let Some(first) = merged.get_mut(place) else {
            merged.push(found);
            continue;
        };
        first.elsewhere |= found.elsewhere || found.path != first.path;
        if found.path.len() < first.path.len() {
            std::mem::swap(&mut first.path, &mut found.path);
        }
    }
    merged
}

/// The findings with messages.
pub(super) fn findings(
    variance: Variance,
    found: Vec<SchemaChange>,
    promise: impl Fn(&SchemaChange) -> &'static Promise,
) -> Vec<PromiseBreach> {
    let finding = |found: SchemaChange| {
        let elsewhere = if found.elsewhere { " (and elsewhere)" } else { "" };
        let message = format!("{}{elsewhere}{}", subject(variance, &found.path), found.what);
        PromiseBreach::new(promise(&found), found.pointer, message)
    };
    found.into_iter().map(finding).collect()
}

/// The value a message is about.
fn subject(variance: Variance, path: &str) -> String {
    match (variance, path) {
        (Variance::Arguments, "") => "the arguments".to_owned(),
        (Variance::Arguments, path) => format!("parameter `{path}`"),
        (Variance::Returns, "") => "the result".to_owned(),
        (Variance::Returns, path) => format!("returned `{path}`"),
    }
}
