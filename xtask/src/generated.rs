//! Files made from code: the diagnostics' pages and the formats' schemas.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use aileron_compiler::format::{CASES_SCHEMA, TOOL_SCHEMA};
use aileron_compiler::rules;

use crate::say;

/// Every generated file with its text, by path below the root.
pub(crate) fn files() -> BTreeMap<PathBuf, String> {
    let mut files = BTreeMap::from([
        (PathBuf::from("docs/schema/tool.schema.json"), TOOL_SCHEMA.to_owned()),
        (PathBuf::from("docs/schema/cases.schema.json"), CASES_SCHEMA.to_owned()),
        (PathBuf::from("docs/diagnostics/README.md"), index()),
    ]);
    for rule in rules::all() {
        files.insert(PathBuf::from(format!("docs/diagnostics/{}.md", rule.code)), rule.page());
    }
    files
}

fn index() -> String {
    let mut text =
        "# Diagnostics\n\nThe pages that `aileron explain <code>` prints, one per code.\n\n\
                    | code | name | severity | finds |\n|---|---|---|---|\n"
            .to_owned();
    for rule in rules::all() {
        let (code, name, severity) = (rule.code, rule.name, rule.severity.as_str());
        text.push_str(&format!(
            "| [{code}]({code}.md) | {name} | {severity} | {} |\n",
            rule.summary().replace('|', "\\|")
        ));
    }
    text
}

/// Writes stale files and removes pages of deleted codes.
pub(crate) fn write(root: &Path) -> Result<(), String> {
    for path in stale(root) {
        let full = root.join(&path);
        let result = match files().get(&path) {
            Some(text) => fs::create_dir_all(full.parent().unwrap_or(root))
                .and_then(|()| fs::write(&full, text)),
            None => fs::remove_file(&full),
        };
        result.map_err(|error| format!("{}: {error}", path.display()))?;
        say(&format!("wrote {}", path.display()));
    }
    Ok(())
}

/// The generated files that are missing, out of date or left over.
pub(crate) fn stale(root: &Path) -> Vec<PathBuf> {
    let files = files();
    let fresh = |path: &Path, text: &str| {
        fs::read_to_string(root.join(path)).is_ok_and(|found| found == text)
    };
    let mut stale: Vec<_> = files
        .iter()
        .filter(|(path, text)| !fresh(path, text))
        .map(|(path, _)| path.clone())
        .collect();
    let pages = fs::read_dir(root.join("docs/diagnostics")).into_iter().flatten().flatten();
    let pages = pages.map(|entry| Path::new("docs/diagnostics").join(entry.file_name()));
    stale.extend(pages.filter(|page| !files.contains_key(page)));
    stale
}
