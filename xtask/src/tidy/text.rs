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

/// First words of a comment without a subject.
const NO_SUBJECT: &[&str] = &["What ", "Who ", "Whoever ", "Whose "];

/// The endings of sources for browsers, Node and the sandbox.
const SCRIPT_SOURCES: &[&str] = &["ts", "tsx", "js", "mjs", "css"];

/// The folders of such sources: the page, the client library, the parts of a handler's engine and the tools.
const SCRIPT_FOLDERS: &[&str] =
    &["web", "clients", "crates/capability/src", "crates/sandbox/src", "tools"];

pub(crate) fn check(root: &Path, files: &[PathBuf]) -> Vec<String> {
    let with = |endings: &'static [&str]| {
        let is_one = |path: &&PathBuf| {
            endings.iter().any(|end| path.extension().is_some_and(|it| it == *end))
        };
        files.iter().filter(is_one)
    };
    let is_script = |path: &&PathBuf| SCRIPT_FOLDERS.iter().any(|folder| path.starts_with(folder));
    let scripts = with(SCRIPT_SOURCES).filter(is_script);
    let sources = with(&["rs"]).flat_map(|path| check_source(root, path));
    sources.chain(scripts.flat_map(|path| check_script(root, path))).collect()
}

/// A source in JavaScript, TypeScript or CSS: comments only, because other tools check the rest.
fn check_script(root: &Path, path: &Path) -> Vec<String> {
    let Ok(text) = fs::read_to_string(root.join(path)) else {
        return vec![format!("{}: not UTF-8", path.display())];
    };
    subjects(&text).map(|finding| format!("{}: {finding}", path.display())).collect()
}

/// The comments that begin without a subject.
fn subjects(text: &str) -> impl Iterator<Item = String> {
    let numbered = text.lines().enumerate().filter(|(_, line)| has_no_subject(line));
    numbered.map(|(at, _)| {
        format!("line {}: a comment begins with what or who; name the subject", at + 1)
    })
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
    findings.extend(subjects(&text));
    findings.into_iter().map(|finding| format!("{}: {finding}", path.display())).collect()
}

/// Whether a line is a comment that begins with a relative pronoun instead of a noun.
fn has_no_subject(line: &str) -> bool {
    let line = line.trim_start();
    let Some(comment) = ["//", "/*", "* "].iter().find_map(|start| line.strip_prefix(start)) else {
        return false;
    };
    let words = comment.trim_start_matches(['/', '!', '*']).trim_start();
    NO_SUBJECT.iter().any(|start| words.starts_with(start))
}

fn is_test(path: &Path) -> bool {
    let name = path.to_string_lossy();
    name.ends_with("_tests.rs") || name.contains("/tests/")
}

#[cfg(test)]
mod tests {
    use super::has_no_subject;

    #[test]
    fn a_comment_begins_with_its_subject() {
        let found = |line: &str| has_no_subject(line);
        assert!(found("    /// What a report covers."));
        assert!(found("//! Whoever reads this."));
        assert!(found("// Who speaks."));
        assert!(found("  /** What a row says. */"));
        assert!(found(" * Who speaks."));
        assert!(!found("/// The part that a report covers, and who reads it."));
        assert!(!found("let text = \"What is it?\";"));
        assert!(!found("/// Whole numbers."));
    }
}
