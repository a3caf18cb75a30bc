//! Finds the native handlers and writes the modules that bind them: those of this folder, and those of
//! the folder that `AILERON_NATIVE_TOOLS` names, so that a project's own tools need no copy in here.

#[path = "find.rs"]
mod find;

use std::error::Error;
use std::fmt::Write;
use std::fs;
use std::path::PathBuf;

use find::Handler;

/// Names a further folder of tools.
const FURTHER: &str = "AILERON_NATIVE_TOOLS";

fn main() -> Result<(), Box<dyn Error>> {
    let mut folders = vec![PathBuf::from(std::env::var("CARGO_MANIFEST_DIR")?)];
    println!("cargo::rerun-if-env-changed={FURTHER}");
    folders.extend(further()?);
    for folder in &folders {
        // The whole folder, so that added and removed tools are noticed.
        println!("cargo::rerun-if-changed={}", folder.display());
    }
    let handlers = find::find(&folders)?;
    let out = PathBuf::from(std::env::var("OUT_DIR")?).join("handlers.rs");
    fs::write(out, modules(&handlers)? + &table(&handlers)?)?;
    Ok(())
}

/// A build script does not run where the command was given, so the folder must be absolute.
fn further() -> Result<Option<PathBuf>, Box<dyn Error>> {
    let Some(folder) = std::env::var_os(FURTHER).filter(|folder| !folder.is_empty()) else {
        return Ok(None);
    };
    let folder = PathBuf::from(folder);
    match folder.is_absolute() {
        true => Ok(Some(folder)),
        false => Err(format!(
            "expected an absolute path of a folder of tools in {FURTHER}, found `{}`",
            folder.display()
        )
        .into()),
    }
}

/// The name of a handler's module; a bare tool id could be a keyword.
fn module(handler: &Handler) -> String {
    format!("tool_{}", handler.tool.as_str())
}

/// `execute` is public because the generated modules need it, though only this crate calls it.
fn modules(handlers: &[Handler]) -> Result<String, std::fmt::Error> {
    let mut text = String::new();
    for handler in handlers {
        let (module, path) = (module(handler), &handler.path);
        writeln!(text, "#[allow(unreachable_pub)]\n#[path = {path:?}]\nmod {module};")?;
    }
    Ok(text)
}

fn table(handlers: &[Handler]) -> Result<String, std::fmt::Error> {
    let mut text = "const HANDLERS: &[Native] = &[\n".to_owned();
    for handler in handlers {
        let (tool, hash, module) = (handler.tool.as_str(), &handler.hash, module(handler));
        writeln!(
            text,
            "    Native {{ tool: {tool:?}, hash: {hash:?}, run: |args, context| \
             aileron_capability::native::call({module}::execute, args, context) }},"
        )?;
    }
    Ok(text + "];\n")
}
