//! Finds the existing module that an import most likely means.

use super::resolve::{directory, relative};
use crate::suggest;
use crate::tree::{EntryKind, SourceTree};

/// File extensions to try, most common first.
const ENDINGS: &[&str] = &[".js", ".ts", ".mjs", ".mts"];

/// The import of the existing module nearest to a missing path.
pub(crate) fn nearest(tree: &dyn SourceTree, from: &str, path: &str) -> Option<String> {
    let found = same_stem(tree, path)
        .or_else(|| similar_name(tree, path))
        .or_else(|| same_name_elsewhere(tree, from, path))?;
    Some(relative(from, &found))
}

/// `./ranking` or `./ranking.js` if `ranking.ts` or `ranking/index.js` exists.
fn same_stem(tree: &dyn SourceTree, path: &str) -> Option<String> {
    let stem = ENDINGS.iter().find_map(|ending| path.strip_suffix(ending)).unwrap_or(path);
    let stem = if stem.is_empty() { "index" } else { stem };
    let candidates = ENDINGS
        .iter()
        .map(|ending| format!("{stem}{ending}"))
        .chain(ENDINGS.iter().map(|ending| format!("{stem}/index{ending}")));
    candidates.into_iter().find(|candidate| exists(tree, candidate))
}

/// A misspelt name in the right directory.
fn similar_name(tree: &dyn SourceTree, path: &str) -> Option<String> {
    let folder = directory(path);
    let name = path.rsplit('/').next()?;
    let names = modules(tree, folder);
    let best = suggest::closest(name, names.iter().map(String::as_str))?;
    Some(join(folder, best))
}

/// The right name in the wrong directory: beside the module, in the tools folder, or
/// in a directory of shared code.
fn same_name_elsewhere(tree: &dyn SourceTree, from: &str, path: &str) -> Option<String> {
    let name = path.rsplit('/').next()?;
    let shared = tree.entries("").unwrap_or_default().into_iter().flatten();
    let shared = shared
        .filter(|entry| entry.kind == EntryKind::Directory && entry.name.starts_with('_'))
        .map(|entry| entry.name);
    [directory(from).to_owned(), String::new()]
        .into_iter()
        .chain(shared)
        .find(|folder| modules(tree, folder).iter().any(|module| module == name))
        .map(|folder| join(&folder, name))
}

fn exists(tree: &dyn SourceTree, path: &str) -> bool {
    let name = path.rsplit('/').next().unwrap_or_default();
    modules(tree, directory(path)).iter().any(|module| module == name)
}

/// The modules in a directory.
fn modules(tree: &dyn SourceTree, folder: &str) -> Vec<String> {
    let entries = tree.entries(folder).unwrap_or_default().into_iter().flatten();
    entries
        .filter(|entry| entry.kind == EntryKind::File)
        .map(|entry| entry.name)
        .filter(|name| ENDINGS.iter().any(|ending| name.ends_with(ending)))
        .collect()
}

fn join(folder: &str, name: &str) -> String {
    if folder.is_empty() { name.to_owned() } else { format!("{folder}/{name}") }
}
