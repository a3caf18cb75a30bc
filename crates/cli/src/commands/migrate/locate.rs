//! Finds the folder with tool directories in a project that is laid out in another way.

use std::fs;
use std::path::{Path, PathBuf};

use crate::commands::findings::written;
use crate::output::Failure;

/// How deep below the given folder the tools may be.
const DEEPEST: usize = 3;

/// Folders that hold no tools of the project.
const SKIPPED: &[&str] = &["node_modules", "target", "dist", "build", "venv"];

/// The folder itself if it has tool directories, or the one folder below it that has.
pub(super) fn tools_folder(given: &Path) -> Result<PathBuf, Failure> {
    if !given.is_dir() {
        return Err(Failure::Usage(format!(
            "expected a folder, found none at `{}`",
            written(given)
        )));
    }
    if has_tools(given) {
        return Ok(given.to_owned());
    }
    let mut found = Vec::new();
    search(given, 1, &mut found);
    match found.as_slice() {
        [one] => Ok(one.clone()),
        [] => Err(Failure::Usage(format!(
            "expected tool directories in `{}` or at most {DEEPEST} folders below it, found none; a tool directory \
             has `schema.json` and a handler (`handler.js`, `.ts`, `.mjs`, `.py` or `.rs`)",
            written(given)
        ))),
        several => {
            let names: Vec<_> = several.iter().map(|path| format!("`{}`", written(path))).collect();
            Err(Failure::Usage(format!(
                "expected one folder with tool directories, found {}; give one of them",
                names.join(", ")
            )))
        }
    }
}

fn search(folder: &Path, depth: usize, found: &mut Vec<PathBuf>) {
    for below in folders(folder) {
        if has_tools(&below) {
            found.push(below);
        } else if depth < DEEPEST {
            search(&below, depth + 1, found);
        }
    }
}

/// Whether a folder has a tool directory: one with a schema and, unless it is missing, a handler.
fn has_tools(folder: &Path) -> bool {
    folders(folder).iter().any(|tool| {
        let is_handler = |name: &str| name.starts_with("handler.");
        tool.join("schema.json").is_file() && names(tool).iter().any(|name| is_handler(name))
    })
}

/// The folders in a folder, sorted. Hidden folders and links are not followed.
fn folders(folder: &Path) -> Vec<PathBuf> {
    let names = names(folder).into_iter();
    let wanted = names.filter(|name| !name.starts_with('.') && !SKIPPED.contains(&name.as_str()));
    let paths = wanted.map(|name| folder.join(name));
    paths.filter(|path| fs::symlink_metadata(path).is_ok_and(|it| it.is_dir())).collect()
}

fn names(folder: &Path) -> Vec<String> {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    let mut names: Vec<String> =
        entries.filter_map(|entry| entry.file_name().into_string().ok()).collect();
    names.sort();
    names
}
