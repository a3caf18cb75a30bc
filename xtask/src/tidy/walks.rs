//! Files and functions that ARCHITECTURE.md names exist: `<crate>/src/<file>.rs` or `crates/<path>.rs`, and
//! after it the names of its functions.

use std::fs;
use std::path::Path;

const PAGE: &str = "ARCHITECTURE.md";

pub(crate) fn check(root: &Path) -> Vec<String> {
    let page = fs::read_to_string(root.join(PAGE)).unwrap_or_default();
    page.lines().flat_map(|line| check_line(root, line)).collect()
}

/// The parts in backticks of a line; functions are those that follow a file directly.
fn check_line(root: &Path, line: &str) -> Vec<String> {
    let mut findings = Vec::new();
    let mut file: Option<(&str, String)> = None;
    let parts: Vec<&str> = line.split('`').collect();
    for pair in parts.chunks(2) {
        let [between, name] = *pair else { break };
        if !matches!(between, " " | ", ") {
            file = None;
        }
        if is_file(name) {
            file = source(root, name).map(|text| (name, text));
            if file.is_none() {
                findings.push(format!("{PAGE}: there is no file `{name}`"));
            }
        } else if name.contains(['.', '/']) {
            file = None;
        } else if let Some((path, text)) = &file
            && !has_function(text, name)
        {
            findings.push(format!("{PAGE}: `{path}` has no function `{name}`"));
        }
    }
    findings
}

/// Whether a name is a whole path. Names that continue the one before, or stand for several, are not.
fn is_file(name: &str) -> bool {
    let is_whole = name.contains("/src/") || name.starts_with("crates/");
    is_whole && name.ends_with(".rs") && !name.contains('*')
}

fn source(root: &Path, name: &str) -> Option<String> {
    let inside = root.join("crates").join(name);
    fs::read_to_string(inside).or_else(|_| fs::read_to_string(root.join(name))).ok()
}

fn has_function(text: &str, name: &str) -> bool {
    let called = format!("fn {name}");
    text.match_indices(&called).any(|(at, _)| {
        text.get(at + called.len()..).is_some_and(|rest| rest.starts_with(['(', '<']))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_or_function_that_is_gone_is_named() {
        let root = crate::root();
        let line = "1. `contract/src/lib.rs`, `no_such`: `free` text; `contract/src/gone.rs` `run`";
        let found = check_line(&root, line);
        assert_eq!(
            found,
            [
                "ARCHITECTURE.md: `contract/src/lib.rs` has no function `no_such`",
                "ARCHITECTURE.md: there is no file `contract/src/gone.rs`",
            ]
        );
    }
}
