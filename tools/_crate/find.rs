//! Finds native handlers in folders of tools, and hashes their sources as the compiler does. The build
//! script and its tests use this file.

use std::collections::BTreeMap;
use std::error::Error;
use std::fs;
use std::path::{Path, PathBuf};

use aileron_contract::ToolId;
use aileron_contract::artifact::{code_hash, source_text};

const ENTRY: &str = "handler.rs";

/// A native handler on disk.
#[derive(Debug)]
pub(crate) struct Handler {
    pub(crate) tool: ToolId,
    pub(crate) path: PathBuf,
    pub(crate) hash: String,
}

/// The handlers of several folders. A tool of a later folder replaces the one of an earlier folder.
pub(crate) fn find(folders: &[PathBuf]) -> Result<Vec<Handler>, Box<dyn Error>> {
    let mut handlers = BTreeMap::new();
    for folder in folders {
        for handler in find_in(folder)? {
            handlers.insert(handler.tool.clone(), handler);
        }
    }
    Ok(handlers.into_values().collect())
}

fn find_in(tools: &Path) -> Result<Vec<Handler>, Box<dyn Error>> {
    let mut handlers = Vec::new();
    for directory in names(tools)? {
        let path = tools.join(&directory).join(ENTRY);
        // Directories with other names are not tools; the compiler reports them.
        if let Ok(tool) = ToolId::from_directory(&directory)
            && path.is_file()
        {
            handlers.push(Handler { tool, path, hash: hash(tools, &directory)? });
        }
    }
    Ok(handlers)
}

/// The hash of a directory's Rust files, as the artifact records it.
fn hash(tools: &Path, directory: &str) -> Result<String, Box<dyn Error>> {
    let mut sources = BTreeMap::new();
    for name in names(&tools.join(directory))? {
        let path = format!("{directory}/{name}");
        if name.ends_with(".rs") && tools.join(&path).is_file() {
            let text = fs::read_to_string(tools.join(&path))?;
            sources.insert(path, source_text(&text));
        }
    }
    Ok(code_hash(&format!("{directory}/{ENTRY}"), &sources).to_string())
}

/// The names in a folder, sorted; names that are not UTF-8 are ignored.
fn names(folder: &Path) -> Result<Vec<String>, Box<dyn Error>> {
    let entries = fs::read_dir(folder)
        .map_err(|error| format!("`{}` cannot be read: {error}", folder.display()))?;
    let mut names = Vec::new();
    for entry in entries {
        names.extend(entry?.file_name().into_string().ok());
    }
    names.sort();
    Ok(names)
}
