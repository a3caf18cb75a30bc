//! Files and directories: `AIL-F`. Finds the tools, and faults of their files.

use std::collections::BTreeSet;
use std::sync::Arc;

use crate::diagnostic::Diagnostic;
use crate::rule::Rule;
use crate::source::Source;
use crate::tree::{EntryKind, ReadError, SourceTree};

pub(crate) mod bad_directory_name;
pub(crate) mod bad_link;
pub(crate) mod byte_order_mark;
pub(crate) mod duplicate_tool;
pub(crate) mod file_too_large;
pub(crate) mod missing_schema;
pub(crate) mod no_tools;
pub(crate) mod not_utf8;
pub(crate) mod output_not_written;
pub(crate) mod tools_folder_missing;
pub(crate) mod unexpected_file;
pub(crate) mod unreadable;

pub(crate) const RULES: &[&Rule] = &[
    &tools_folder_missing::TOOLS_FOLDER_MISSING,
    &no_tools::NO_TOOLS,
    &unreadable::UNREADABLE,
    &not_utf8::NOT_UTF8,
    &byte_order_mark::BYTE_ORDER_MARK,
    &file_too_large::FILE_TOO_LARGE,
    &bad_directory_name::BAD_DIRECTORY_NAME,
    &duplicate_tool::DUPLICATE_TOOL,
    &bad_link::BAD_LINK,
    &unexpected_file::UNEXPECTED_FILE,
    &missing_schema::MISSING_SCHEMA,
    &output_not_written::OUTPUT_NOT_WRITTEN,
];

/// The tool directories of a tree, sorted.
pub(crate) fn discover(tree: &dyn SourceTree, found: &mut Vec<Diagnostic>) -> Vec<String> {
    let root = Source::new(tree.display(""), "");
    let directories = directories(tree, &root, found);
    if directories.is_empty() && found.is_empty() {
        found.push(no_tools::diagnose(&root));
    }
    duplicate_tool::check(tree, &directories, found);
    directories
}

fn directories(
    tree: &dyn SourceTree,
    root: &Arc<Source>,
    found: &mut Vec<Diagnostic>,
) -> Vec<String> {
    let entries = match tree.entries("") {
        Ok(entries) => entries,
        Err(error) => {
            found.push(diagnose(root, &error));
            return Vec::new();
        }
    };
    let mut directories = Vec::new();
    for entry in entries {
        match entry {
            Ok(entry) if entry.kind == EntryKind::Directory && is_tool(&entry.name) => {
                bad_directory_name::check(tree, &entry.name, found);
                directories.push(entry.name);
            }
            Ok(_) => {}
            Err((name, error)) if is_tool(&name) => {
                found.push(diagnose(&Source::new(tree.display(&name), ""), &error));
            }
            Err(_) => {}
        }
    }
    directories
}

/// The folders that package managers make beside their manifest.
const PACKAGE_FOLDERS: &[&str] = &["node_modules", "venv"];

/// Directories that start with `_` or `.` contain shared code or files of other programs.
fn is_tool(name: &str) -> bool {
    !name.starts_with(['_', '.']) && !PACKAGE_FOLDERS.contains(&name)
}

/// The files of a tool directory; `None` if it cannot be listed.
pub(crate) fn list(
    tree: &dyn SourceTree,
    directory: &str,
    found: &mut Vec<Diagnostic>,
) -> Option<BTreeSet<String>> {
    let folder = Source::new(tree.display(directory), "");
    let entries = match tree.entries(directory) {
        Ok(entries) => entries,
        Err(error) => {
            found.push(diagnose(&folder, &error));
            return None;
        }
    };
    let mut files = BTreeSet::new();
    for entry in entries {
        match entry {
            Ok(entry) if entry.kind == EntryKind::File => {
                unexpected_file::check(tree, directory, &entry.name, found);
                files.insert(entry.name);
            }
            Ok(_) => {}
            Err((name, error)) => {
                let path = tree.display(&format!("{directory}/{name}"));
                found.push(diagnose(&Source::new(path, ""), &error));
            }
        }
    }
    missing_schema::check(&folder, &files, found);
    Some(files)
}

/// The finding about a tools folder that cannot be opened.
pub(crate) fn diagnose_root(root: &Arc<Source>, error: &ReadError) -> Diagnostic {
    match error {
        ReadError::NotFound => tools_folder_missing::diagnose(root),
        error => diagnose(root, error),
    }
}

/// The finding that belongs to a read error.
pub(crate) fn diagnose(source: &Arc<Source>, error: &ReadError) -> Diagnostic {
    match error {
        ReadError::NotFound => unreadable::diagnose(source, "it is gone"),
        ReadError::BadLink(why) => bad_link::diagnose(source, why),
        ReadError::TooLarge { bytes, limit } => file_too_large::diagnose(source, *bytes, *limit),
        ReadError::Other(why) => unreadable::diagnose(source, why),
    }
}

#[cfg(test)]
#[path = "files_tests.rs"]
mod tests;
