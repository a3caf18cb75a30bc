//! Finds the native handlers, hashes their sources as the compiler does and
//! writes the modules that bind them.

use std::collections::BTreeMap;
use std::error::Error;
use std::fmt::Write;
use std::fs;
use std::path::{Path, PathBuf};

use aileron_contract::ToolId;
use aileron_contract::artifact::{code_hash, source_text};

const ENTRY: &str = "handler.rs";

fn main() -> Result<(), Box<dyn Error>> {
    let tools = PathBuf::from(std::env::var("CARGO_MANIFEST_DIR")?);
    // The whole folder, so that added and removed tools are noticed.
    println!("cargo::rerun-if-changed={}", tools.display());
    let handlers = find(&tools)?;
    let out = PathBuf::from(std::env::var("OUT_DIR")?).join("handlers.rs");
    fs::write(out, modules(&handlers)? + &table(&handlers)?)?;
    Ok(())
}

/// A native handler on disk.
struct Handler {
    tool: ToolId,
    path: PathBuf,
    hash: String,
}

impl Handler {
    /// The name of its module; a bare tool id could be a keyword.
    fn module(&self) -> String {
        format!("tool_{}", self.tool.as_str())
    }
}

fn find(tools: &Path) -> Result<Vec<Handler>, Box<dyn Error>> {
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
    let mut names = Vec::new();
    for entry in fs::read_dir(folder)? {
        names.extend(entry?.file_name().into_string().ok());
    }
    names.sort();
    Ok(names)
}

/// `execute` is public because the generated modules need it, though only this crate calls it.
fn modules(handlers: &[Handler]) -> Result<String, std::fmt::Error> {
    let mut text = String::new();
    for handler in handlers {
        let (module, path) = (handler.module(), &handler.path);
        writeln!(text, "#[allow(unreachable_pub)]\n#[path = {path:?}]\nmod {module};")?;
    }
    Ok(text)
}

fn table(handlers: &[Handler]) -> Result<String, std::fmt::Error> {
    let mut text = "const HANDLERS: &[Native] = &[\n".to_owned();
    for handler in handlers {
        let (tool, hash, module) = (handler.tool.as_str(), &handler.hash, handler.module());
        writeln!(
            text,
            "    Native {{ tool: {tool:?}, hash: {hash:?}, run: |args, context| \
             aileron_capability::native::call({module}::execute, args, context) }},"
        )?;
    }
    Ok(text + "];\n")
}
