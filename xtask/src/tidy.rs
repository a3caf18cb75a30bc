//! Automatic review checks: headers, sizes, names, edges, dependencies, freshness.

mod cycles;
mod dependencies;
mod edges;
mod links;
mod rules;
mod text;
mod type_names;
mod walks;

use std::path::{Path, PathBuf};
use std::process::Command;

use crate::{generated, say};

pub(crate) fn run(root: &Path) -> Result<(), String> {
    let findings = findings(root)?;
    findings.iter().for_each(|finding| say(finding));
    if findings.is_empty() { Ok(()) } else { Err(format!("{} findings", findings.len())) }
}

/// All findings, one line each.
pub(crate) fn findings(root: &Path) -> Result<Vec<String>, String> {
    let files = tracked(root)?;
    let mut findings = text::check(root, &files);
    findings.extend(type_names::check(root, &files));
    findings.extend(links::check(root, &files));
    findings.extend(walks::check(root));
    findings.extend(cycles::check(root, &files));
    findings.extend(edges::check(root)?);
    findings.extend(dependencies::check(root)?);
    findings.extend(rules::check());
    let stale = generated::stale(root);
    findings.extend(
        stale.iter().map(|path| format!("{}: stale, run `cargo xtask docs`", path.display())),
    );
    Ok(findings)
}

/// The files that git tracks or would add.
fn tracked(root: &Path) -> Result<Vec<PathBuf>, String> {
    let output = Command::new("git")
        .args(["ls-files", "--cached", "--others", "--exclude-standard", "-z"])
        .current_dir(root)
        .output()
        .map_err(|error| format!("git could not be started: {error}"))?;
    let listing = String::from_utf8_lossy(&output.stdout).into_owned();
    let paths = listing.split('\0').filter(|path| !path.is_empty()).map(PathBuf::from);
    Ok(paths.filter(|path| root.join(path).is_file()).collect())
}

#[cfg(test)]
mod tests {
    #[test]
    fn the_tree_is_tidy() {
        let findings = super::findings(&crate::root()).unwrap();
        assert!(findings.is_empty(), "\n{}", findings.join("\n"));
    }
}
