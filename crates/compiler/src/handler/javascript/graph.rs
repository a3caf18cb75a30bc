//! Every module that a handler reaches, read and parsed once.

use std::collections::{BTreeMap, VecDeque};

use super::context::Root;
use super::file::{File, ModuleHost};
use super::module::{Import, Module, Value};
use super::nearest::nearest;
use super::parse;
use super::resolve::{Target, resolve};
use crate::diagnostic::Diagnostic;
use crate::lint::files::unreadable;
use crate::lint::handler::too_many_modules::{self, LimitExceeded, MOST_BYTES, MOST_MODULES};
use crate::lint::handler::{foreign_import, import_outside, unresolved_import};
use crate::reader::{self, ReadFile, limit};
use crate::source::Source;
use crate::tree::SourceTree;

/// More wrong imports than these are reported without a better one.
const MOST_SUGGESTIONS: usize = 50;

/// The modules of a handler by their path; `None` where one could not be read.
#[derive(Debug)]
pub(crate) struct Graph {
    pub(crate) entry: String,
    pub(crate) modules: BTreeMap<String, Option<Module>>,
    pub(crate) host: ModuleHost,
}

impl Graph {
    /// The module at a path, if it could be parsed.
    pub(crate) fn module(&self, path: &str) -> Option<&Module> {
        self.modules.get(path)?.as_ref()
    }

    pub(crate) fn parsed(&self) -> impl Iterator<Item = &Module> {
        self.modules.values().flatten()
    }
}

/// Loads a handler and all its imports; their faults are added to `found`.
pub(crate) fn load(
    tree: &dyn SourceTree,
    entry: &str,
    host: ModuleHost,
    found: &mut Vec<Diagnostic>,
) -> Graph {
    let graph = Graph { entry: entry.to_owned(), modules: BTreeMap::new(), host };
    let queue = VecDeque::new();
    let mut loader = Loader { tree, found, graph, bytes: 0, queue, full: false, missing: 0 };
    let root = Root { export: Some("execute".to_owned()), ..Root::default() };
    if matches!(loader.read(entry, root), ResolvedPath::Missing) {
        let source = Source::new(tree.display(entry), "");
        loader.found.push(unreadable::diagnose(&source, "it is gone"));
    }
    while let Some(path) = loader.queue.pop_front() {
        loader.follow(&path);
    }
    loader.graph
}

struct Loader<'l> {
    tree: &'l dyn SourceTree,
    found: &'l mut Vec<Diagnostic>,
    graph: Graph,
    bytes: usize,
    /// Parsed modules whose imports are not resolved yet.
    queue: VecDeque<String>,
    /// Whether a limit was exceeded; then no more modules are read.
    full: bool,
    /// The number of unresolved imports.
    missing: usize,
}

/// The result of resolving a path.
enum ResolvedPath {
    Known,
    Missing,
}

impl Loader<'_> {
    /// Reads a module that was not read before.
    fn read(&mut self, path: &str, root: Root) -> ResolvedPath {
        if self.graph.modules.contains_key(path) {
            return ResolvedPath::Known;
        }
        let module = match reader::read(self.tree, path, limit::MODULE, self.found) {
            ReadFile::Missing => return ResolvedPath::Missing,
            ReadFile::Unreadable => None,
            ReadFile::Read(source) => {
                self.bytes += source.text.len();
                let host = self.graph.host;
                let file = File { path: path.to_owned(), source, root, host };
                parse::parse(file, self.found)
            }
        };
        if module.is_some() {
            self.queue.push_back(path.to_owned());
        }
        self.graph.modules.insert(path.to_owned(), module);
        ResolvedPath::Known
    }

    /// Follows the imports of a module.
    fn follow(&mut self, path: &str) {
        let Some(Some(module)) = self.graph.modules.remove(path) else { return };
        // The module itself counts as known, since it may import itself.
        self.graph.modules.insert(path.to_owned(), None);
        for import in &module.facts.imports {
            self.import(&module, import);
        }
        self.graph.modules.insert(path.to_owned(), Some(module));
    }

    fn import(&mut self, module: &Module, import: &Import) {
        let Import { request, place, .. } = import;
        let source = &module.source;
        let missing = match resolve(&module.path, request) {
            Target::Aileron => return,
            Target::Outside => {
                self.found.push(import_outside::diagnose(source, request, place.clone()));
                return;
            }
            Target::Foreign(why) if self.graph.host.has(why) => return,
            Target::Foreign(why) => {
                self.found.push(foreign_import::diagnose(source, request, why, place.clone()));
                return;
            }
            Target::Unnamed(path) if !import.required => path,
            Target::Unnamed(path) | Target::Module(path) => {
                let path = if import.required { self.required(path) } else { path };
                if !self.has_room(module, &path, import) {
                    return;
                }
                match self.read(&path, root_of(module, request)) {
                    ResolvedPath::Known => return self.check_bytes(module, import),
                    ResolvedPath::Missing => path,
                }
            }
        };
        self.missing += 1;
        let near = (self.missing <= MOST_SUGGESTIONS)
            .then(|| nearest(self.tree, &module.path, &missing))
            .flatten();
        self.found.push(unresolved_import::diagnose(source, request, near, place.clone()));
    }

    /// The file that `require` finds at a path: itself, with `.js`, or the index of a folder.
    fn required(&self, path: String) -> String {
        let candidates = [path.clone(), format!("{path}.js"), format!("{path}/index.js")];
        let known = |path: &&String| {
            self.graph.modules.contains_key(*path) || self.tree.read(path, limit::MODULE).is_ok()
        };
        candidates.iter().find(known).cloned().unwrap_or(path)
    }

    /// Whether another module may be read.
    fn has_room(&mut self, module: &Module, path: &str, import: &Import) -> bool {
        let known = self.graph.modules.contains_key(path);
        if !self.full && !known && self.graph.modules.len() >= MOST_MODULES {
            self.fill(module, import, LimitExceeded::Modules);
        }
        known || !self.full
    }

    /// Checks the total size of the modules.
    fn check_bytes(&mut self, module: &Module, import: &Import) {
        if !self.full && self.bytes > MOST_BYTES {
            self.fill(module, import, LimitExceeded::Bytes);
        }
    }

    fn fill(&mut self, module: &Module, import: &Import, excess: LimitExceeded) {
        self.full = true;
        let place = import.place.clone();
        self.found.push(too_many_modules::diagnose(&module.source, excess, place));
    }
}

/// How the context is passed to an imported module.
fn root_of(module: &Module, request: &str) -> Root {
    let names = module.facts.uses.names.clone();
    let export = module.root.export.as_ref().and_then(|wanted| {
        match module.facts.exports.get(wanted).map(|export| &export.value) {
            Some(Value::Imported { request: from, name }) if from == request => Some(name.clone()),
            None if module.facts.stars.iter().any(|star| star == request) => Some(wanted.clone()),
            _ => None,
        }
    });
    Root { export, names }
}

#[cfg(test)]
#[path = "graph_tests.rs"]
mod tests;
