//! One name, one meaning: a type name that several modules define tells a reader nothing. The check
//! fails at the fifth definition. Serde mirrors of a provider's JSON keep the provider's names and are
//! not counted, nor are types of tests.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

/// The first number of definitions that is refused.
const TOO_MANY: usize = 5;

/// Keywords that define a type.
const KEYWORDS: [&str; 3] = ["struct ", "enum ", "trait "];

/// Modules that mirror JSON of a protocol, by a part of their path.
const MIRRORS: [&str; 3] = ["/wire", "/embed/provider/", "/simulator/src/http/image"];

pub(super) fn check(root: &Path, files: &[PathBuf]) -> Vec<String> {
    let mut places: BTreeMap<String, Vec<&Path>> = BTreeMap::new();
    for file in files.iter().filter(|file| is_counted(file)) {
        let text = fs::read_to_string(root.join(file)).unwrap_or_default();
        for name in text.lines().filter_map(defined) {
            places.entry(name.to_owned()).or_default().push(file);
        }
    }
    let crowded = places.iter().filter(|(_, places)| places.len() >= TOO_MANY);
    crowded.map(|(name, places)| finding(name, places)).collect()
}

fn is_counted(file: &Path) -> bool {
    let path = file.to_string_lossy();
    path.ends_with(".rs")
        && path.contains("src/")
        && !path.ends_with("_tests.rs")
        && !path.contains("_tests/")
        && !MIRRORS.iter().any(|mirror| path.contains(mirror))
}

/// The name of the type that a line defines.
fn defined(line: &str) -> Option<&str> {
    let line = line.trim_start();
    let item = match line.strip_prefix("pub") {
        Some(rest) => rest.split_once(' ')?.1,
        None => line,
    };
    let name = KEYWORDS.iter().find_map(|keyword| item.strip_prefix(keyword))?;
    let end = name.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(name.len());
    Some(&name[..end]).filter(|name| name.starts_with(char::is_uppercase))
}

fn finding(name: &str, places: &[&Path]) -> String {
    let listed: Vec<_> = places.iter().map(|place| place.display().to_string()).collect();
    format!(
        "type `{name}` is defined {} times ({}): name each after its domain, or share one type",
        places.len(),
        listed.join(", ")
    )
}

#[cfg(test)]
mod tests {
    use super::defined;

    #[test]
    fn definitions_are_found_by_their_keyword() {
        let check = |line: &str, name: Option<&str>| assert_eq!(defined(line), name, "{line}");
        check("pub(crate) struct Queue {", Some("Queue"));
        check("    enum State<'a> {", Some("State"));
        check("pub trait Task: Send {", Some("Task"));
        check("let struct_name = 1;", None);
        check("// struct of bytes", None);
        check("publish(event);", None);
    }
}
