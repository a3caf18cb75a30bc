//! Two directories for one tool.

use std::collections::BTreeMap;

use crate::diagnostic::Diagnostic;
use crate::rule::rule;
use crate::source::Source;
use crate::tree::SourceTree;

rule! {
    /// Two directories name the same tool.
    ///
    /// ## Why
    /// A tool id names one tool. With two directories for it, which one a model calls
    /// would depend on the order in which they were read.
    ///
    /// ## Example
    /// `tools/kb-search/` beside `tools/kb_search/`
    ///
    /// ## Fix
    /// Delete or rename one of the two.
    DUPLICATE_TOOL, "AIL-F008", "duplicate-tool", Error
}

pub(crate) fn check(tree: &dyn SourceTree, directories: &[String], found: &mut Vec<Diagnostic>) {
    let mut seen: BTreeMap<String, &str> = BTreeMap::new();
    for directory in directories {
        let id = directory.to_lowercase().replace('-', "_");
        if let Some(first) = seen.get(&id) {
            let folder = Source::new(tree.display(directory), "");
            let message = format!("directories `{first}` and `{directory}` both name tool `{id}`");
            found.push(
                Diagnostic::new(&DUPLICATE_TOOL, &folder, message)
                    .help("delete or rename one of the two"),
            );
        } else {
            seen.insert(id, directory);
        }
    }
}
