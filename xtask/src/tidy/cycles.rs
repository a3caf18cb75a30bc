//! No import cycle among the modules of a crate.
//!
//! A module is a file. It imports another one if it names a path in it: in a `use`, or written out with
//! `crate`, `self`, `super` or the name of a child module. A path to a re-exported item counts for the file
//! that defines the item, so a module that only declares and re-exports its children is part of no cycle.
//! A child that uses an item defined in its parent imports the parent. Test files do not count.

mod paths;

use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::fs;
use std::path::{Path, PathBuf};

use self::paths::{Path as ItemPath, Paths};

/// The sources that are free of import cycles.
const FREE: &[&str] = &["crates/compiler/src", "crates/orchestrator/src", "crates/server/src"];

/// A module by its path in the crate; the crate's root has none.
type Module = Vec<String>;

pub(crate) fn check(root: &Path, files: &[PathBuf]) -> Vec<String> {
    FREE.iter().flat_map(|source| check_source(root, files, Path::new(source))).collect()
}

fn check_source(root: &Path, files: &[PathBuf], source: &Path) -> Vec<String> {
    let modules = files.iter().filter_map(|file| {
        let module = module_of(file.strip_prefix(source).ok()?)?;
        let text = fs::read_to_string(root.join(file)).ok()?;
        Some((module, Paths::of(&text)))
    });
    let modules = modules.collect();
    let edges = edges(&modules);
    let shown =
        |cycle: Vec<&Module>| cycle.iter().map(|at| name(at)).collect::<Vec<_>>().join(" -> ");
    let cycles = cycles(&edges).into_iter().map(shown);
    cycles.map(|cycle| format!("{}: import cycle: {cycle}", source.display())).collect()
}

/// The module of a file below the sources; none for tests.
fn module_of(file: &Path) -> Option<Module> {
    let text = file.to_str()?.strip_suffix(".rs")?;
    match text {
        "lib" | "main" => Some(Vec::new()),
        _ if text.ends_with("_tests") => None,
        _ => Some(text.split('/').map(str::to_owned).collect()),
    }
}

fn name(module: &[String]) -> String {
    if module.is_empty() { "the crate's root".to_owned() } else { module.join("::") }
}

/// Which module imports which.
fn edges(modules: &BTreeMap<Module, Paths>) -> BTreeMap<&Module, BTreeSet<&Module>> {
    let imports = |(module, paths): (&'_ Module, &Paths)| {
        let all = paths.used.iter().chain(paths.reexported.values());
        let targets = all.filter_map(|path| {
            let path = absolute(modules, module, path)?;
            resolve(modules, &path, 0)
        });
        targets.filter(|target| *target != module).cloned().collect::<BTreeSet<_>>()
    };
    let key = |module: &Module| modules.get_key_value(module).map(|(key, _)| key);
    let edge = |one: (&'_ Module, &Paths)| imports(one).iter().filter_map(key).collect();
    modules.iter().map(|one| (one.0, edge(one))).collect()
}

/// A path from the crate's root; none for a path into another crate.
fn absolute(
    modules: &BTreeMap<Module, Paths>,
    module: &Module,
    path: &ItemPath,
) -> Option<ItemPath> {
    let (first, rest) = path.split_first()?;
    let below = |base: &[String], rest: &[String]| Some([base, rest].concat());
    match first.as_str() {
        "crate" => Some(rest.to_vec()),
        "self" => below(module, rest),
        "super" => {
            let ups = path.iter().take_while(|step| *step == "super").count();
            let base = module.get(..module.len().checked_sub(ups)?)?;
            below(base, path.get(ups..)?)
        }
        _ => {
            let absolute = [module.as_slice(), path].concat();
            modules.contains_key(absolute.get(..=module.len())?).then_some(absolute)
        }
    }
}

/// The module that defines the item at a path. Re-exports are followed a few times.
fn resolve<'a>(
    modules: &'a BTreeMap<Module, Paths>,
    path: &[String],
    followed: usize,
) -> Option<&'a Module> {
    let ends = (0..=path.len()).rev();
    let (module, paths) = ends.filter_map(|end| modules.get_key_value(path.get(..end)?)).next()?;
    let rest = path.get(module.len()..)?;
    let reexport = rest.first().and_then(|item| paths.reexported.get(item));
    match reexport.and_then(|to| absolute(modules, module, to)) {
        Some(to) if followed < 8 => {
            let path = [to.as_slice(), rest.get(1..)?].concat();
            resolve(modules, &path, followed + 1)
        }
        _ => Some(module),
    }
}

/// The shortest cycle of each module that no cycle before it has.
fn cycles<'a>(edges: &BTreeMap<&'a Module, BTreeSet<&'a Module>>) -> Vec<Vec<&'a Module>> {
    let mut cycles: Vec<Vec<&Module>> = Vec::new();
    for module in edges.keys() {
        if !cycles.iter().any(|cycle| cycle.contains(module)) {
            cycles.extend(cycle_through(edges, module));
        }
    }
    cycles
}

fn cycle_through<'a>(
    edges: &BTreeMap<&'a Module, BTreeSet<&'a Module>>,
    start: &'a Module,
) -> Option<Vec<&'a Module>> {
    let mut waiting = VecDeque::from([vec![start]]);
    let mut seen = BTreeSet::new();
    while let Some(way) = waiting.pop_front() {
        for next in edges.get(way.last()?)? {
            let longer = [way.as_slice(), &[next]].concat();
            if *next == start {
                return Some(longer);
            }
            if seen.insert(*next) {
                waiting.push_back(longer);
            }
        }
    }
    None
}

#[cfg(test)]
#[path = "cycles_tests.rs"]
mod tests;
