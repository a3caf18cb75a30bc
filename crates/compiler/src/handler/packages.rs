//! The packages of a handler that runs in a worker process: the nearest manifest, and the lock file
//! beside it.

use aileron_contract::ContentHash;
use aileron_contract::artifact::{Packages, source_text};

use crate::diagnostic::Diagnostic;
use crate::lint::files;
use crate::reader::limit;
use crate::source::Source;
use crate::tree::{ReadError, SourceTree};

/// Maximum number of folders above the tools folder in which a manifest is looked for.
const MOST_ABOVE: usize = 8;

/// The manifest of a Node.js handler.
pub(super) const NODE_MANIFESTS: &[&str] = &["package.json"];
/// The lock files of Node.js package managers.
pub(super) const NODE_LOCKS: &[&str] =
    &["package-lock.json", "npm-shrinkwrap.json", "pnpm-lock.yaml", "yarn.lock", "bun.lock"];
/// The manifests of a Python handler.
pub(super) const PYTHON_MANIFESTS: &[&str] = &["requirements.txt", "pyproject.toml"];
/// The lock files of Python package managers.
pub(super) const PYTHON_LOCKS: &[&str] =
    &["uv.lock", "poetry.lock", "pdm.lock", "requirements.lock"];

/// Whether a file of this name is a manifest of packages or a lock file.
pub fn is_package_file(name: &str) -> bool {
    let lists = [NODE_MANIFESTS, NODE_LOCKS, PYTHON_MANIFESTS, PYTHON_LOCKS];
    lists.iter().any(|names| names.contains(&name))
}

/// A manifest: its path, relative to the tools folder, and its text.
#[derive(Debug)]
pub(super) struct Manifest {
    pub(super) path: String,
    pub(super) text: String,
}

/// The nearest manifest of one of these names: in the tool's directory, the tools folder, or a folder
/// of the project above it.
pub(super) fn nearest(
    tree: &dyn SourceTree,
    directory: &str,
    names: &[&str],
    found: &mut Vec<Diagnostic>,
) -> Option<Manifest> {
    let above = (0..=MOST_ABOVE).map(|levels| "../".repeat(levels));
    let folders = std::iter::once(format!("{directory}/")).chain(above);
    for path in folders.flat_map(|folder| names.iter().map(move |name| format!("{folder}{name}"))) {
        if let Some(text) = read(tree, &path, limit::TEXT, found) {
            return Some(Manifest { path, text });
        }
    }
    None
}

/// The manifest with the hash of its lock file; a manifest without one is its own lock.
pub(super) fn locked(
    tree: &dyn SourceTree,
    manifest: &Manifest,
    locks: &[&str],
    found: &mut Vec<Diagnostic>,
) -> Packages {
    let (folder, name) = manifest.path.rsplit_once('/').unwrap_or(("", &manifest.path));
    let beside = |lock: &str| match folder {
        "" => lock.to_owned(),
        folder => format!("{folder}/{lock}"),
    };
    let lock =
        locks.iter().find_map(|lock| Some((*lock, read(tree, &beside(lock), limit::LOCK, found)?)));
    let (lock, hash) = match &lock {
        Some((lock, text)) => (*lock, ContentHash::of_bytes(text.as_bytes())),
        None => (name, ContentHash::of_bytes(manifest.text.as_bytes())),
    };
    Packages { manifest: manifest.path.clone(), lock: lock.to_owned(), lock_hash: hash }
}

/// The text of a file of the project, if it exists.
fn read(
    tree: &dyn SourceTree,
    path: &str,
    limit: u64,
    found: &mut Vec<Diagnostic>,
) -> Option<String> {
    match tree.read_project(path, limit) {
        Ok(bytes) => Some(source_text(&String::from_utf8_lossy(&bytes))),
        Err(ReadError::NotFound) => None,
        Err(error) => {
            found.push(files::diagnose(&Source::new(tree.display(path), ""), &error));
            None
        }
    }
}

#[cfg(test)]
#[path = "packages_tests.rs"]
mod tests;
