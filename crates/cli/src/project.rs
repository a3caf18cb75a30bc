//! A project: the files that `aileron init` writes, and whether there is one.

use std::fs::{self, OpenOptions};
use std::io::{ErrorKind, Write};
use std::path::Path;

use aileron_compiler::format::{CASES_SCHEMA, TOOL_SCHEMA};
use aileron_contract::ToolId;

use crate::args::NewCategory;
use crate::commands::findings::written;
use crate::output::Failure;
use crate::scaffold::{self, Code};

include!(concat!(env!("OUT_DIR"), "/embedded.rs"));

const SETTINGS: &str = include_str!("scaffold/aileron.toml.in");
const SETTINGS_MINIMAL: &str = include_str!("scaffold/minimal.toml.in");
const TYPES: &str = include_str!("scaffold/aileron.d.ts.in");
const PYTHON_TYPES: &str = include_str!("scaffold/aileron.pyi.in");
const TSCONFIG: &str = include_str!("scaffold/tsconfig.json.in");
const EDITOR: &str = include_str!("scaffold/vscode.json.in");
const IGNORED: &str =
    "# What runs leave behind: the store, the knowledge base, pictures, keys.\n.aileron/\n";

/// The tool of a minimal project.
const EXAMPLE: &str = "greet_person";

/// The path of the format of `schema.json`, for the tools of this repository and for those of a
/// project.
const SCHEMA_HERE: &str = "../../docs/schema/tool.schema.json";
const SCHEMA_THERE: &str = "../_schema/tool.schema.json";

/// The extent of a new project.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum ProjectExtent {
    /// The shipped tools, prompts and demo records.
    Whole,
    /// One tool to begin with.
    Minimal,
}

/// Files that were written, and existing ones that were not changed.
#[derive(Debug, Default)]
pub(crate) struct ProjectFiles {
    pub(crate) written: Vec<String>,
    pub(crate) kept: Vec<String>,
}

/// Writes the missing files of a project. Existing files are not changed.
pub(crate) fn make(folder: &Path, extent: ProjectExtent) -> Result<ProjectFiles, Failure> {
    let mut made = ProjectFiles::default();
    for (path, text) in files(extent)? {
        let file = folder.join(&path);
        match write(&file, &text)? {
            FileWrite::Fresh => made.written.push(path),
            FileWrite::Kept => made.kept.push(path),
        }
    }
    Ok(made)
}

/// Path and text of every file.
fn files(extent: ProjectExtent) -> Result<Vec<(String, String)>, Failure> {
    let settings = match extent {
        ProjectExtent::Whole => SETTINGS,
        ProjectExtent::Minimal => SETTINGS_MINIMAL,
    };
    let own =
        [("aileron.toml", settings), (".gitignore", IGNORED), (".vscode/settings.json", EDITOR)];
    let mut files: Vec<_> =
        own.into_iter().map(|(path, text)| (path.to_owned(), text.to_owned())).collect();
    files.extend(for_editors().map(|(path, text)| (format!("tools/{path}"), text)));
    match extent {
        ProjectExtent::Whole => files.extend(EMBEDDED.iter().map(shipped)),
        ProjectExtent::Minimal => files.extend(example()?),
    }
    Ok(files)
}

/// The formats of our files and the types of `context`, as placed in a folder of tools.
pub(crate) fn for_editors() -> impl Iterator<Item = (&'static str, String)> {
    let files = [
        ("_schema/tool.schema.json", TOOL_SCHEMA),
        ("_schema/cases.schema.json", CASES_SCHEMA),
        ("_types/aileron.d.ts", TYPES),
        ("_types/aileron.pyi", PYTHON_TYPES),
        ("tsconfig.json", TSCONFIG),
    ];
    files.into_iter().map(|(path, text)| (path, text.to_owned()))
}

/// A shipped file as placed in a project.
fn shipped((path, text): &(&str, &str)) -> (String, String) {
    let text = match path.ends_with("/schema.json") {
        true => text.replace(SCHEMA_HERE, SCHEMA_THERE),
        false => (*text).to_owned(),
    };
    ((*path).to_owned(), text)
}

fn example() -> Result<Vec<(String, String)>, Failure> {
    let id = ToolId::new(EXAMPLE).map_err(|error| Failure::Failed(error.to_string()))?;
    let files = scaffold::files(&id, NewCategory::Utility, Code::SandboxJs);
    let folder = id.directory();
    Ok(files.into_iter().map(|(name, text)| (format!("tools/{folder}/{name}"), text)).collect())
}

/// The result of writing one file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum FileWrite {
    Fresh,
    Kept,
}

/// Writes a file and the folders above it, unless the file exists.
pub(crate) fn write(file: &Path, text: &str) -> Result<FileWrite, Failure> {
    let failed = |error: std::io::Error| {
        Failure::Failed(format!("`{}` cannot be written: {error}", written(file)))
    };
    if let Some(folder) = file.parent() {
        fs::create_dir_all(folder).map_err(failed)?;
    }
    match OpenOptions::new().write(true).create_new(true).open(file) {
        Ok(mut opened) => {
            opened.write_all(text.as_bytes()).map_err(failed)?;
            Ok(FileWrite::Fresh)
        }
        Err(error) if error.kind() == ErrorKind::AlreadyExists => Ok(FileWrite::Kept),
        Err(error) => Err(failed(error)),
    }
}

#[cfg(test)]
#[path = "project_tests.rs"]
mod tests;
