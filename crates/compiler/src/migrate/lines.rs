//! The lines in which two texts differ.

use std::collections::BTreeMap;

use aileron_contract::artifact::source_text;

use crate::tree::SourceTree;

/// Most bytes of a file that is compared.
const LARGEST: u64 = 1 << 20;

/// One line that changes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LineChange {
    /// The path to show.
    pub file: String,
    /// The line in the present text, from 1; an added line goes before it.
    pub line: usize,
    /// The present line; none if a line is added.
    pub before: Option<String>,
    /// The proposed line; none if a line is removed.
    pub after: Option<String>,
}

/// The lines that change in these files.
pub(super) fn changes(tree: &dyn SourceTree, texts: &BTreeMap<String, String>) -> Vec<LineChange> {
    let mut changes = Vec::new();
    for (path, after) in texts {
        let bytes = tree.read(path, LARGEST).unwrap_or_default();
        let before = source_text(&String::from_utf8_lossy(&bytes));
        changes.extend(between(&tree.display(path), &before, after));
    }
    changes
}

/// The lines in which two texts differ. The texts are equal but for few lines, so the next equal line
/// is near.
fn between(file: &str, before: &str, after: &str) -> Vec<LineChange> {
    let (old, new): (Vec<_>, Vec<_>) = (before.lines().collect(), after.lines().collect());
    let (mut at, mut to) = (0, 0);
    let mut changes = Vec::new();
    while at < old.len() || to < new.len() {
        if at < old.len() && to < new.len() && old.get(at) == new.get(to) {
            (at, to) = (at + 1, to + 1);
            continue;
        }
        let (removed, added) =
            next_equal(old.get(at..).unwrap_or_default(), new.get(to..).unwrap_or_default());
        for step in 0..removed.max(added) {
            let text = |lines: &[&str], from: usize, count: usize| {
                (step < count)
                    .then(|| lines.get(from + step).map(|line| (*line).to_owned()))
                    .flatten()
            };
            let (before, after) = (text(&old, at, removed), text(&new, to, added));
            let line = at + step.min(removed) + 1;
            changes.push(LineChange { file: file.to_owned(), line, before, after });
        }
        (at, to) = (at + removed, to + added);
    }
    changes
}

/// How many lines of each text come before the nearest line that both have.
fn next_equal(old: &[&str], new: &[&str]) -> (usize, usize) {
    for distance in 1..=old.len() + new.len() {
        for removed in 0..=distance.min(old.len()) {
            let added = distance - removed;
            if let (Some(one), Some(other)) = (old.get(removed), new.get(added))
                && one == other
            {
                return (removed, added);
            }
        }
    }
    (old.len(), new.len())
}
