//! A file that the compiler does not read.

use crate::diagnostic::Diagnostic;
use crate::rule::rule;
use crate::source::Source;
use crate::suggest;
use crate::tree::SourceTree;

rule! {
    /// The directory holds a file that the compiler does not read.
    ///
    /// ## Why
    /// A misspelt `guide.md` or `cases.json` would be ignored silently, so the compiler reports
    /// it.
    ///
    /// ## Example
    /// `tools/kb-search/case.json`
    ///
    /// ## Fix
    /// Rename it, or move it out of the tool's directory. Modules that a handler imports, manifests
    /// and lock files of packages, `README.md` and names that start with `.` or `_` are left alone.
    UNEXPECTED_FILE, "AIL-F010", "unexpected-file", Warning
}

const KNOWN: &[&str] = &[
    "schema.json",
    "guide.md",
    "doc.md",
    "doc_summary.md",
    "cases.json",
    "handler.js",
    "handler.mjs",
    "handler.ts",
    "handler.py",
    "handler.rs",
    "package.json",
    "package-lock.json",
    "npm-shrinkwrap.json",
    "pnpm-lock.yaml",
    "yarn.lock",
    "bun.lock",
    "requirements.txt",
    "requirements.lock",
    "pyproject.toml",
    "uv.lock",
    "poetry.lock",
    "pdm.lock",
];

/// The endings of modules.
const MODULES: &[&str] = &[".js", ".mjs", ".ts", ".mts", ".rs", ".py", ".pyi"];

pub(crate) fn check(
    tree: &dyn SourceTree,
    directory: &str,
    name: &str,
    found: &mut Vec<Diagnostic>,
) {
    let module = MODULES.iter().any(|ending| name.ends_with(ending));
    if KNOWN.contains(&name) || module || name == "README.md" || name.starts_with(['.', '_']) {
        return;
    }
    let source = Source::new(tree.display(&format!("{directory}/{name}")), "");
    let finding = Diagnostic::new(
        &UNEXPECTED_FILE,
        &source,
        format!("file `{name}` is not part of a tool and is not read"),
    );
    let help = suggest::did_you_mean(name, KNOWN);
    found.push(
        finding.help(help.unwrap_or_else(|| "move it out of the tool's directory".to_owned())),
    );
}
