//! Checks on the text of each file.

use std::fs;
use std::path::{Path, PathBuf};

/// The most lines a source file may have, tests aside.
const MAX_LINES: usize = 400;

/// Names that do not describe the contents.
const EMPTY_NAMES: &[&str] =
    &["mod.rs", "utils.rs", "helpers.rs", "common.rs", "manager.rs", "misc.rs"];

/// Leftovers, spelt apart so that this file does not find itself.
const LEFTOVERS: &[&str] =
    &[concat!("TO", "DO"), concat!("FIX", "ME"), concat!("XX", "X:"), concat!("#[ig", "nore")];

pub(crate) fn check(root: &Path, files: &[PathBuf]) -> Vec<String> {
    let sources = files.iter().filter(|path| path.extension().is_some_and(|ending| ending == "rs"));
    sources.flat_map(|path| check_source(root, path)).collect()
}

fn check_source(root: &Path, path: &Path) -> Vec<String> {
    let Ok(text) = fs::read_to_string(root.join(path)) else {
        return vec![format!("{}: not UTF-8", path.display())];
    };
    let mut findings = Vec::new();
    let name = path.file_name().and_then(|name| name.to_str()).unwrap_or_default();
    if EMPTY_NAMES.contains(&name) {
        findings.push("the name says nothing; name the noun".to_owned());
    }
    if !text.starts_with("//!") {
        findings.push("the first line must be `//!` and say what the file is for".to_owned());
    }
    let lines = text.lines().take_while(|line| *line != "#[cfg(test)]").count();
    if lines > MAX_LINES && !is_test(path) {
        findings.push(format!("{lines} lines, expected at most {MAX_LINES}; look for the seam"));
    }
    let leftovers = LEFTOVERS.iter().filter(|word| text.contains(**word));
    findings.extend(leftovers.map(|word| format!("leftover `{word}`")));
    findings.into_iter().map(|finding| format!("{}: {finding}", path.display())).collect()
}

fn is_test(path: &Path) -> bool {
    let name = path.to_string_lossy();
    name.ends_with("_tests.rs") || name.contains("/tests/")
}
