//! The files of a Python handler, and the resolution of relative imports among them.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use super::scan::{self, PythonFacts, PythonImport};
use crate::diagnostic::Diagnostic;
use crate::lint::handler::too_many_modules::{self, LimitExceeded, MOST_BYTES, MOST_MODULES};
use crate::reader::{self, limit};
use crate::source::Source;
use crate::tree::{EntryKind, SourceTree};

/// Maximum depth of folders in a tool.
const MOST_DEPTH: usize = 16;

/// Folders of other programs.
const SKIPPED: &[&str] = &["__pycache__", "node_modules", "venv", "env", "site-packages"];

/// The modules of a handler by their path below the tools folder.
#[derive(Default)]
pub(super) struct PythonModules {
    pub(super) files: BTreeMap<String, PythonModule>,
    bytes: usize,
    full: bool,
}

pub(super) struct PythonModule {
    pub(super) source: Arc<Source>,
    pub(super) facts: PythonFacts,
}

/// The target of a relative import.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum PythonTarget {
    /// The files that are loaded.
    Files(Vec<String>),
    /// Neither a module nor a package; the name as it is written.
    Missing(String),
    /// A module above the tools folder, or in it but outside of the folders of shared code.
    Outside,
}

impl PythonModules {
    /// Reads every module below a folder.
    pub(super) fn read_folder(
        &mut self,
        tree: &dyn SourceTree,
        folder: &str,
        found: &mut Vec<Diagnostic>,
    ) {
        let mut open = vec![(folder.to_owned(), 0)];
        while let Some((folder, depth)) = open.pop() {
            for entry in tree.entries(&folder).unwrap_or_default().into_iter().flatten() {
                let path = format!("{folder}/{}", entry.name);
                let skipped = entry.name.starts_with('.') || SKIPPED.contains(&&*entry.name);
                match entry.kind {
                    EntryKind::Directory if !skipped && depth < MOST_DEPTH => {
                        open.push((path, depth + 1));
                    }
                    EntryKind::File if entry.name.ends_with(".py") => {
                        self.read(tree, path, found);
                    }
                    EntryKind::Directory | EntryKind::File => {}
                }
            }
        }
    }

    /// Reads the folders of shared code in the tools folder.
    pub(super) fn read_shared(&mut self, tree: &dyn SourceTree, found: &mut Vec<Diagnostic>) {
        let entries = tree.entries("").unwrap_or_default().into_iter().flatten();
        let is_shared = |name: &str| name.starts_with('_') && !SKIPPED.contains(&name);
        for entry in entries.filter(|entry| entry.kind == EntryKind::Directory) {
            if is_shared(&entry.name) {
                self.read_folder(tree, &entry.name, found);
            }
        }
    }

    fn read(&mut self, tree: &dyn SourceTree, path: String, found: &mut Vec<Diagnostic>) {
        if self.full {
            return;
        }
        let Some(source) = reader::read(tree, &path, limit::MODULE, found).source() else {
            return;
        };
        self.bytes += source.text.len();
        let excess = match (self.files.len() >= MOST_MODULES, self.bytes > MOST_BYTES) {
            (true, _) => Some(LimitExceeded::Modules),
            (_, true) => Some(LimitExceeded::Bytes),
            _ => None,
        };
        if let Some(excess) = excess {
            self.full = true;
            found.push(too_many_modules::diagnose(&source, excess, 0..0));
            return;
        }
        let facts = scan::scan(&source.text);
        self.files.insert(path, PythonModule { source, facts });
    }

    /// Whether a module imports from the tools folder, which holds the folders of shared code.
    pub(super) fn use_shared(&self) -> bool {
        let mut modules = self.files.iter();
        modules.any(|(path, module)| {
            let depth = path.split('/').count() - 1;
            module.facts.imports.iter().any(|import| import.level > depth)
        })
    }

    /// The modules that are loaded with the entry.
    pub(super) fn reached(&self, entry: &str) -> BTreeSet<String> {
        let mut reached = BTreeSet::new();
        let mut open = vec![entry.to_owned()];
        while let Some(path) = open.pop() {
            let Some(module) = self.files.get(&path) else { continue };
            if !reached.insert(path.clone()) {
                continue;
            }
            for import in module.facts.imports.iter().filter(|import| import.level > 0) {
                if let PythonTarget::Files(files) = self.resolve(&path, import) {
                    open.extend(files);
                }
            }
        }
        reached
    }

    /// The target of a relative import in the module `from`.
    pub(super) fn resolve(&self, from: &str, import: &PythonImport) -> PythonTarget {
        let mut folder: Vec<&str> = from.split('/').collect();
        for _ in 0..import.level {
            if folder.pop().is_none() {
                return PythonTarget::Outside;
            }
        }
        let steps = import.module.split('.').filter(|step| !step.is_empty());
        let path = folder.iter().copied().chain(steps).collect::<Vec<_>>();
        let first = match path.first() {
            Some(first) => *first,
            None => import.names.first().map_or("", String::as_str),
        };
        if folder.is_empty() && !first.starts_with('_') {
            return PythonTarget::Outside;
        }
        let written = format!("{}{}", ".".repeat(import.level), import.module);
        let path = path.join("/");
        if !import.module.is_empty() && !self.is_module(&path) {
            return PythonTarget::Missing(written);
        }
        let mut files = self.loaded(&path);
        let is_file = self.files.contains_key(&format!("{path}.py"));
        let package = join(&path, "__init__.py");
        for name in import.names.iter().filter(|name| !is_file && *name != "*") {
            let inner = join(&path, name);
            if self.is_module(&inner) {
                files.extend(self.loaded(&inner));
            } else if !self.files.contains_key(&package) {
                let dot = if import.module.is_empty() { "" } else { "." };
                return PythonTarget::Missing(format!("{written}{dot}{name}"));
            }
        }
        PythonTarget::Files(files)
    }

    /// The files of a module or package.
    fn loaded(&self, path: &str) -> Vec<String> {
        let candidates = [format!("{path}.py"), join(path, "__init__.py")];
        candidates.into_iter().filter(|path| self.files.contains_key(path)).collect()
    }

    /// Whether a path without an ending is a module, or a folder with modules.
    pub(super) fn is_module(&self, path: &str) -> bool {
        let inside = format!("{path}/");
        self.files.contains_key(&format!("{path}.py"))
            || self.files.keys().any(|file| file.starts_with(&inside))
    }
}

fn join(folder: &str, name: &str) -> String {
    if folder.is_empty() { name.to_owned() } else { format!("{folder}/{name}") }
}
